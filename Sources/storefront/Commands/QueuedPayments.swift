import ArgumentParser
import ShopText
import StoreDevice
import StoreModel

struct QueuedPayments: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "payments",
        abstract: "List payments without an outcome yet, or drop one.",
        discussion: """
            A payment waits in this device's queue until its answer is here. One whose process ended \
            is sent again by the next command that buys, the shop or watch, and told before that; one \
            that is older than ten minutes, or costs more than what is being bought then, is held, \
            and by a command that buys nothing each is: buy it with its id, or drop it.

            EXAMPLES
              storefront payments
              storefront payments drop 0199f3c1-0000-7000-8000-000000000001
            """,
        subcommands: [List.self, Drop.self], defaultSubcommand: List.self)

    struct List: CommandWithOptions {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List payments without an outcome yet, oldest first.")

        @OptionGroup var given: CustomerOptions

        func run() async throws {
            try await reporting(options) {
                let store = try await options.open()
                let device = try await store.deviceToRead()
                let queue = try await device.queuedPayments()
                Output.note(.noPaymentsQueued, ifEmpty: queue, json: options.json)
                guard !options.json else {
                    for queued in queue { try Output.json(QueuedPaymentLine(queued: queued)) }
                    return
                }
                // The process that holds the lease sends all queued payments while the network is
                // on.
                let isSending = await device.isAttended && !device.network().isOff
                let sent = try await device.paymentsBeingSent().map(\.payment.id)
                try await show(queue, sent: isSending ? queue.map(\.payment.id) : sent, store)
            }
        }

        /// - Parameter sent: the payments that a running process sends.
        private func show(
            _ queue: [QueuedPayment], sent: [PaymentID], _ store: OpenStore
        ) async throws {
            let strings = Output.strings
            let products = try await ProductNames(queue.map(\.payment.productID), in: store)
            var table = TextTable([
                .init(.columnPayment), .init(.columnProduct), .init(.columnPrice, isRight: true),
                .init(.columnQueued), .init(.columnState),
            ])
            table.write(
                queue.map { queued in
                    let payment = queued.payment
                    let state =
                        switch queued.state {
                        case .purchasing:
                            strings[
                                sent.contains(payment.id)
                                    ? CommandText.beingSent : CommandText.notAnswered]
                        case .deferred: strings.waiting(for: queued.reason ?? .askToBuy)
                        case .held: strings[CommandText.heldNotSent]
                        }
                    return [
                        payment.id.description,
                        products.item(payment.productID, quantity: payment.quantity),
                        products.price(payment),
                        strings[CommandText.ago(PastPaymentNotice.age(queued, at: store.now))],
                        state,
                    ]
                })
            for queued in queue where queued.state == .held {
                Output.note("  " + strings[PastPaymentNotice.advice(queued.payment)])
            }
        }
    }

    struct Drop: CommandWithOptions {
        static let configuration = CommandConfiguration(
            commandName: "drop",
            abstract: "Forget a payment that was never sent; nothing is charged.")
        @Argument(help: ArgumentHelp("The payment's id (a UUID).", valueName: "uuid"))
        var payment: String

        @OptionGroup var given: CustomerOptions

        func validate() throws {
            guard PaymentID(payment) != nil else {
                throw ValidationError("A payment's id is a UUID, found '\(payment)'.")
            }
        }

        func run() async throws {
            guard let id = PaymentID(payment) else { return }
            try await reporting(options) {
                let outcome = try await options.open().device().drop(id)
                var line = PaymentDropped(paymentId: id, outcome: "dropped")
                let text: CommandText
                switch outcome {
                case nil: text = .droppedLine(id.description)
                case .purchased(_, let sale, _):
                    text = .notDroppedSold(
                        payment: id.description, transaction: sale.description)
                    line.outcome = "purchased"
                    line.transactionId = sale
                case .pending(let request, _):
                    text = .notDroppedPending(
                        payment: id.description, request: request.description)
                    line.outcome = "pending"
                    line.requestId = request
                case .failed:
                    text = .droppedFailed(id.description)
                    line.outcome = "failed"
                }
                if options.json { return try Output.json(line) }
                Output.note(text)
            }
        }
    }
}

/// The outcome of dropping a queued payment, in JSON.
private struct PaymentDropped: Encodable {
    var paymentId: PaymentID
    var outcome: String
    var transactionId: TransactionID?
    var requestId: TransactionID?
}
