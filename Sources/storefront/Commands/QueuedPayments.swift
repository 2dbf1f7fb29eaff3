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
            and by a command that buys nothing each is: buy it with its id, or drop it. The shop \
            marks it, sends it with u and drops it with U.

            EXAMPLES
              storefront payments
              storefront payments drop 0199f3c1-0000-7000-8000-000000000001
            """,
        subcommands: [List.self, Drop.self], defaultSubcommand: List.self)

    struct List: ListCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List payments without an outcome yet, oldest first.")

        @OptionGroup var given: CustomerOptions

        /// A payment, and whether a running process sends it.
        typealias Item = (queued: QueuedPayment, isBeingSent: Bool)

        func items(in store: OpenStore) async throws -> [Item] {
            let device = try await store.deviceToRead()
            let queue = try await device.queuedPayments()
            guard !queue.isEmpty else { return [] }
            // The process that holds the lease sends all queued payments while the network is on.
            let isSending = await device.isAttended && !device.network().isOff
            let sent = try await device.paymentsBeingSent().map(\.payment.id)
            return queue.map { ($0, isSending || sent.contains($0.payment.id)) }
        }

        func none(in _: OpenStore) -> String? { Output.strings[.noPaymentsQueued] }

        func columns(of items: [Item], in store: OpenStore) async throws -> [Column<Item>] {
            let strings = Output.strings
            let products = try await ProductNames(items.map(\.queued.payment.productID), in: store)
            return [
                Column(.columnPayment) { $0.queued.payment.id.description },
                Column(.columnProduct, mayBeCut: true) {
                    let payment = $0.queued.payment
                    return products.item(payment.productID, quantity: payment.quantity)
                },
                Column(.columnPrice, isRight: true) { products.price($0.queued.payment) },
                Column(.columnQueued) {
                    strings[PurchaseLineText.ago(PastPaymentNotice.age($0.queued, at: store.now))]
                },
                Column(.columnState) {
                    switch $0.queued.state {
                    case .purchasing:
                        strings[$0.isBeingSent ? PurchaseLineText.beingSent : .notAnswered]
                    case .deferred: strings.waiting(for: $0.queued.reason ?? .askToBuy)
                    case .purchased:
                        strings[
                            PurchaseLineText.soldUnfinished(
                                transaction: $0.queued.transaction?.description ?? "")]
                    case .held: strings[PurchaseLineText.heldNotSent]
                    }
                },
            ]
        }

        func line(_ item: Item) -> any Encodable { item.queued.fields }

        func run(in store: OpenStore) async throws {
            let queue = try await items(in: store)
            try await list(queue, in: store)
            for item in queue where item.queued.state == .held && !options.json {
                Output.note("  " + Output.strings[PastPaymentNotice.advice(item.queued.payment)])
            }
        }
    }

    struct Drop: StoreCommand {
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

        func run(in store: OpenStore) async throws {
            guard let id = PaymentID(payment) else { return }
            let outcome = try await store.device().drop(id)
            var fields: JSONFields = ["paymentId": id, "outcome": "dropped"]
            let text: PurchaseLineText
            switch outcome {
            case nil: text = .droppedLine(id.description)
            case .purchased(_, let sale, _):
                text = .notDroppedSold(payment: id.description, transaction: sale.description)
                fields = ["paymentId": id, "outcome": "purchased", "transactionId": sale]
            case .pending(let request, _):
                text = .notDroppedPending(payment: id.description, request: request.description)
                fields = ["paymentId": id, "outcome": "pending", "requestId": request]
            case .failed:
                text = .droppedFailed(id.description)
                fields = ["paymentId": id, "outcome": "failed"]
            }
            if options.json { return try Output.json(fields) }
            Output.note(text)
        }
    }
}
