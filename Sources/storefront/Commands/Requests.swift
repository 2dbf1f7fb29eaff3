import ArgumentParser
import ShopText
import StoreDevice
import StoreEngine
import StoreModel

/// What the customer has asked for and nobody has answered.
struct Requests: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "requests",
        abstract: "The account's payments that wait: list, withdraw or resolve them.",
        discussion: """
            EXAMPLES
              storefront requests
              storefront requests withdraw 1000004
              storefront requests resolve 1000005
            """,
        subcommands: [List.self, Withdraw.self, Resolve.self],
        defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "What waits, oldest first, from any device of the account.")

        @OptionGroup var given: CustomerOptions
        var options: GlobalOptions { given.all }

        func run() async throws {
            try await reporting(options) {
                let store = try await options.open()
                let requests = try await store.device().requests()
                Output.note(.noRequestsLine, ifEmpty: requests, json: options.json)
                try await RequestList.write(requests, of: store, json: options.json)
            }
        }
    }

    struct Withdraw: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "withdraw",
            abstract: "Take a request back; nothing is charged.")
        @OptionGroup var request: RequestArgument

        @OptionGroup var given: CustomerOptions

        func run() async throws {
            try await request.answer(given.all, CommandText.doneWithdrawn, as: "withdrawn") {
                (device, number) async throws(StoreError) in try await device.withdraw(number)
            }
        }
    }

    struct Resolve: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "resolve",
            abstract: "Resolve what interrupted a purchase: it is sold.")
        @OptionGroup var request: RequestArgument

        @OptionGroup var given: CustomerOptions

        func run() async throws {
            try await request.answer(given.all, CommandText.doneResolved, as: "resolved") {
                (device, number) async throws(StoreError) in try await device.resolve(number)
            }
        }
    }
}

/// A request named on the command line.
struct RequestArgument: ParsableArguments {
    @Argument(help: "The request's number.") var request: String

    func validate() throws {
        guard TransactionID(request) != nil else {
            throw ValidationError("A request is a number, found '\(request)'.")
        }
    }

    /// Answers the request on this command's device, and prints what was done.
    ///
    /// - Parameters:
    ///   - done: the line for a person, of the number.
    ///   - member: the name of the number in the JSON.
    func answer(
        _ options: GlobalOptions, _ done: (String) -> CommandText, as member: String,
        _ answer: (Device, TransactionID) async throws(StoreError) -> Void
    ) async throws {
        let number = TransactionID(request) ?? TransactionID(0)
        try await reporting(options) {
            try await answer(try await options.open().device(), number)
            if options.json { return try Output.json([member: number.description]) }
            Output.line(done(number.description))
        }
    }
}

/// Asks for money back.
struct RequestRefund: AsyncParsableCommand {
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
    var options: GlobalOptions { given.all }

    func validate() throws {
        guard RefundReason(rawValue: reason) != nil else {
            throw UnknownWord.error(
                "reason", reason, among: RefundReason.allCases.map(\.rawValue))
        }
    }

    func run() async throws {
        let id = transaction.id
        let reason = RefundReason(rawValue: reason) ?? .other
        try await reporting(options) {
            let request = try await options.open().device().requestRefund(of: id, reason: reason)
            if options.json { return try Output.json(RefundRequestLine(request)) }
            Output.line(.doneRefundRequested(id.description))
        }
    }
}

/// A refund that a customer asks for, in JSON.
struct RefundRequestLine: Encodable {
    var transactionId: TransactionID
    var productId: ProductID
    var reason: RefundReason
    var askedAt: Timestamp
    var account: AccountName
    var device: DeviceName

    init(_ request: RefundRequest) {
        transactionId = request.transactionID
        productId = request.productID
        reason = request.reason
        askedAt = request.askedAt
        account = request.account
        device = request.device
    }
}
