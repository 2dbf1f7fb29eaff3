import ArgumentParser
import ShopText
import StoreDevice
import StoreEngine
import StoreModel

/// The customer's pending requests: listed, withdrawn or resolved.
struct Requests: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "requests",
        abstract: "The account's payments that wait: list, withdraw or resolve them.",
        discussion: """
            Without a network (storefront operator network) they are those that waited when this \
            device was told last, and asOf says when that was.

            EXAMPLES
              storefront requests
              storefront requests withdraw 1000004 1000006
              storefront requests resolve 1000005
            """,
        subcommands: [List.self, Withdraw.self, Resolve.self],
        defaultSubcommand: List.self)

    struct List: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "What waits, oldest first, from any device of the account.")

        @OptionGroup var given: CustomerOptions

        var readsDevice: Bool { true }

        func run(in store: OpenStore) async throws {
            let answer = try await store.deviceToRead().knownRequests()
            store.noteAge(of: answer)
            let requests = answer.value
            if requests.isEmpty, !options.json { Output.note(.noRequestsLine) }
            var list = ListOutput(options.listFormat)
            try await list.write(requests, line: { $0.fields(asOf: answer.age) }) {
                try await ApprovalRequest.columns(of: requests, in: store)
            }
        }
    }

    struct Withdraw: RequestCommand {
        static let configuration = CommandConfiguration(
            commandName: "withdraw",
            abstract: "Withdraw requests; nothing is charged.")
        @OptionGroup var request: RequestArgument

        @OptionGroup var given: CustomerOptions

        func answer(
            _ number: TransactionID, in store: OpenStore
        ) async throws(StoreError) -> RequestArgument.Done {
            try await store.device().withdraw(number)
            return (
                Output.strings[.doneWithdrawn(number.description)],
                ["withdrawn": number.description]
            )
        }
    }

    struct Resolve: RequestCommand {
        static let configuration = CommandConfiguration(
            commandName: "resolve",
            abstract: "Resolve interrupted purchases: each continues.",
            discussion: """
                It is sold then, unless it cannot be sold any more; a change of plan for later is \
                planned. What became of each is said.
                """)
        @OptionGroup var request: RequestArgument

        @OptionGroup var given: CustomerOptions

        /// Also asks for the outcome of the payment, which the answer does not contain.
        func answer(
            _ number: TransactionID, in store: OpenStore
        ) async throws(StoreError) -> RequestArgument.Done {
            let device = try await store.device()
            let waiting = try await device.requests().first { $0.number == number }
            try await device.resolve(number)
            var done = OperatorDone(.resolve(number))
            guard let payment = waiting?.payment else {
                // A request that planned a change of plan has no transaction.
                done.wasSold = (try? await store.engine.storeOperator.transaction(number)) != nil
                return (Output.strings.done(done), done.answer ?? [:])
            }
            done.isChanged = true
            switch try await store.session.outcome(of: payment) {
            case .failed(let error)?: throw error
            case .purchased(let signed, _, alreadyOwned: true)?:
                let payload = await store.verify(signed)?.payload
                let group = payload?.subscriptionGroupIdentifier
                let own = try await device.subscriptions().value.first {
                    $0.status.groupID == group && $0.status.sharedBy == nil
                }
                let isOther = payload?.productId != payment.productID
                if isOther || payment.offer != nil || payment.billingPlan != nil {
                    done.planned = [(payment.productID, own?.nextTermsBegin)]
                }
            case .purchased, .pending, nil: done.sale = number
            }
            return (Output.strings.done(done), done.answer ?? [:])
        }
    }
}

/// Requests named on the command line.
struct RequestArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("The requests' numbers.", valueName: "request"))
    var requests: [String]

    func validate() throws {
        for request in requests where TransactionID(request) == nil {
            throw ValidationError("A request is a number, found '\(request)'.")
        }
    }

    /// The answer: its line for a person, and its members in JSON.
    typealias Done = (text: String, json: [String: String])
}

/// A customer's command that answers requests.
protocol RequestCommand: StoreCommand {
    var request: RequestArgument { get }
    func answer(_ number: TransactionID, in store: OpenStore) async throws(StoreError)
        -> RequestArgument.Done
}

extension RequestCommand {
    /// Reports a request that cannot be answered, and goes on with the others.
    func run(in store: OpenStore) async throws {
        var failure: StoreError?
        for number in request.requests.compactMap({ TransactionID($0) }) {
            let done: RequestArgument.Done
            do throws(StoreError) { done = try await answer(number, in: store) } catch {
                guard Exit.code(for: error) == Exit.failed else { throw error }
                failure = failure ?? error
                Output.report(error, json: options.json)
                continue
            }
            try write(json: done.json) { Output.line(done.text) }
        }
        if let failure { throw Exit.code(for: failure) }
    }
}

/// Asks for money back.
struct RequestRefund: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "request-refund",
        abstract: "Ask for a refund; the operator grants or declines it.",
        discussion: """
            EXAMPLES
              storefront request-refund 1000003 --reason broken
              storefront operator refund-requests
              storefront operator refund 1000003
            """)

    @OptionGroup var transaction: TransactionArgument
    @Option(help: ArgumentHelp("unintended, broken, unsatisfied or other.", valueName: "reason"))
    var reason = RefundReason.other.rawValue

    @OptionGroup var given: CustomerOptions

    func validate() throws {
        try UnknownWord.check("reason", reason, among: RefundReason.self)
    }

    func run(in store: OpenStore) async throws {
        let id = transaction.id
        let reason = RefundReason(rawValue: reason) ?? .other
        let request = try await store.device().requestRefund(of: id, reason: reason)
        try write(json: request) { Output.line(.doneRefundRequested(id.description)) }
    }
}
