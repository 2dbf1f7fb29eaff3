import ArgumentParser
import Foundation
import StoreModel

/// The value of an option that turns something on or off.
enum Switch: String, ExpressibleByArgument, CaseIterable { case on, off }

struct AskToBuy: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "ask-to-buy",
        abstract: "Make the account's purchases wait for approval, or not.")
    @Argument(help: "on or off") var state: Switch
    @OptionGroup var given: AccountActionOptions

    func action(for account: AccountName) -> OperatorAction? {
        .changeAccount(AccountChange(account: account, askToBuy: state == .on))
    }
}

struct Payments: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "payments",
        abstract: "Allow the account to make payments, or forbid it.")
    @Argument(help: "on or off") var state: Switch
    @OptionGroup var given: AccountActionOptions

    func action(for account: AccountName) -> OperatorAction? {
        .changeAccount(AccountChange(account: account, canMakePayments: state == .on))
    }
}

struct AskBank: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "ask-bank",
        abstract: "Make the account's purchases wait for the bank, or not.",
        discussion: """
            As with strong customer authentication: approve confirms the payment, decline refuses it.
            """)
    @Argument(help: "on or off") var state: Switch
    @OptionGroup var given: AccountActionOptions

    func action(for account: AccountName) -> OperatorAction? {
        .changeAccount(AccountChange(account: account, asksBank: state == .on))
    }
}

struct InterruptPurchases: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "interrupt-purchases",
        abstract: "Interrupt the account's purchases until each is resolved, or not.")
    @Argument(help: "on or off") var state: Switch
    @OptionGroup var given: AccountActionOptions

    func action(for account: AccountName) -> OperatorAction? {
        .changeAccount(AccountChange(account: account, interruptsPurchases: state == .on))
    }
}

struct Territory: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "territory", abstract: "Move the account to another territory.")
    @Argument(help: "ISO 3166-1: JPN or JP") var code: String
    @OptionGroup var given: AccountActionOptions

    func action(for account: AccountName) -> OperatorAction? {
        .changeAccount(AccountChange(account: account, territory: code))
    }
}

struct Dialogs: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "dialogs",
        abstract: "Show a payment sheet before the account pays in the shop, or not.",
        discussion: """
            Off, the key that buys is the confirmation, as with disableDialogs of StoreKit Test. A \
            purchase that was begun outside the app still shows its sheet.
            """)
    @Argument(help: "on or off") var state: Switch
    @OptionGroup var given: AccountActionOptions

    func action(for account: AccountName) -> OperatorAction? {
        .changeAccount(AccountChange(account: account, disablesDialogs: state == .off))
    }
}

struct AccountLocale: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "locale",
        abstract: "Write names and prices for the account in a locale.",
        discussion: """
            It comes before $LANG of the customer; --locale comes before it. The words of the \
            screens stay in the customer's language.

            EXAMPLES
              storefront operator locale ja_JP
              storefront operator locale none       the customer's own again
            """)
    @Argument(help: ArgumentHelp("A locale such as ja_JP, or none.", valueName: "locale"))
    var code: String
    @OptionGroup var given: AccountActionOptions

    func action(for account: AccountName) -> OperatorAction? {
        .changeAccount(AccountChange(account: account, locale: code == "none" ? "" : code))
    }
}

struct Approve: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "approve",
        abstract: "Approve requests: each is sold, or its change of plan planned.",
        discussion: """
            A refund that a customer asks for is granted by its transaction's number, not by \
            --all.

            EXAMPLE
              storefront operator approve 1000002 1000004
            """)
    @OptionGroup var selection: RequestSelection
    @OptionGroup var given: ActionOptions

    func actions(for _: AccountName, _ console: some StoreOperator) async throws
        -> [OperatorAction]
    {
        try await selection.answers(console, OperatorAction.approve) {
            .refund($0, .rest, reason: .other)
        }
    }
}

struct Decline: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "decline", abstract: "Decline a request: nothing is charged.",
        discussion: """
            A refund that a customer asks for is declined by its transaction's number, not by \
            --all.
            """)
    @OptionGroup var selection: RequestSelection
    @OptionGroup var given: ActionOptions

    func actions(for _: AccountName, _ console: some StoreOperator) async throws
        -> [OperatorAction]
    {
        try await selection.answers(
            console, OperatorAction.decline, refund: OperatorAction.declineRefund)
    }
}

struct Resolve: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "Resolve interrupted purchases, as the customer would.")
    @OptionGroup var selection: RequestSelection
    @OptionGroup var given: ActionOptions

    func actions(for _: AccountName, _ console: some StoreOperator) async throws
        -> [OperatorAction]
    { try await selection.numbers(console) { $0 == .interrupted }.map { .resolve($0) } }
}

struct DeclineRefund: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "decline-refund",
        abstract: "Decline the refund a customer asked for; refund grants it.")
    @OptionGroup var transaction: TransactionArgument
    @OptionGroup var given: ActionOptions

    func action(for _: AccountName) -> OperatorAction? { .declineRefund(transaction.id) }
}

struct BuyOutside: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "buy-outside",
        abstract: "Sell a product to the account as a purchase made outside the app.",
        discussion: """
            It arrives on every device of the account; a consumable on its only device, or on the \
            one that claims it (storefront claim).
            """)
    @Argument(help: ArgumentHelp("The product's id.", valueName: "product")) var product: String
    @Option(help: ArgumentHelp("1 to 10.", valueName: "number")) var quantity = 1
    @Option(help: ArgumentHelp("An offer of the product, of any kind.", valueName: "id"))
    var offer: String?
    @Option(help: ArgumentHelp("The app's own token for its user (a UUID).", valueName: "uuid"))
    var appAccountToken: String?
    @OptionGroup var given: AccountActionOptions

    func validate() throws {
        try UUIDArgument.validate(appAccountToken, of: "--app-account-token")
        guard Payment.quantities.contains(quantity) else {
            throw ValidationError("--quantity is from 1 to 10, found \(quantity).")
        }
    }

    func action(for account: AccountName) -> OperatorAction? {
        .buyOutside(
            ProductID(product), account: account, quantity: quantity,
            offer: offer.map { OfferID($0) },
            token: appAccountToken.flatMap { UUID(uuidString: $0) })
    }
}

struct Promote: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "promote",
        abstract: "Begin a purchase outside the app; the app continues it.")
    @Argument(help: ArgumentHelp("The product's id.", valueName: "product")) var product: String
    @OptionGroup var given: AccountActionOptions

    func action(for account: AccountName) -> OperatorAction? {
        .promote(ProductID(product), account: account)
    }
}

struct Publish: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: "Put a product into another state on its way into the shop.",
        discussion: """
            uploaded and ready are not for sale, inTest is for sale in every environment but \
            production, approved everywhere. Who owns a product keeps it in every state. The state \
            stays until the catalog's file gives the product another one.

            EXAMPLES
              storefront operator publish lantern.theme.sepia approved
              storefront operator publish lantern.theme.sepia uploaded   # off sale
            """)
    @Argument(help: ArgumentHelp("The product's id.", valueName: "product")) var product: String
    @Argument(help: ArgumentHelp("uploaded, ready, inTest or approved.", valueName: "state"))
    var state: String
    @OptionGroup var given: ActionOptions

    func validate() throws {
        try UnknownWord.check("state", state, among: PublicationState.self)
    }

    func action(for _: AccountName) -> OperatorAction? {
        PublicationState(rawValue: state).map { .publish(ProductID(product), $0) }
    }
}

/// The requests that an answer is meant for: by their numbers, or all of them.
struct RequestSelection: ParsableArguments {
    @Argument(help: "The requests' numbers.") var requests: [String] = []
    @Flag(help: "Every payment that waits for this answer.") var all = false

    func validate() throws {
        guard requests.isEmpty == all else {
            throw ValidationError("Give the numbers of requests, or --all.")
        }
        for request in requests where TransactionID(request) == nil {
            throw ValidationError("A request is a number, found '\(request)'.")
        }
    }

    /// - Parameter fits: whether `--all` includes the requests that wait for this reason.
    func numbers(
        _ console: some StoreOperator, where fits: (RequestReason) -> Bool
    ) async throws -> [TransactionID] {
        guard all else { return requests.compactMap { TransactionID($0) } }
        return try await console.pendingRequests().filter { fits($0.reason) }.map(\.number)
    }

    /// Answers to payments that wait for approval or for a bank, and to refunds that customers ask
    /// for: those have the numbers of their transactions, and `--all` leaves them out.
    func answers(
        _ console: some StoreOperator, _ answer: (TransactionID) -> OperatorAction,
        refund: (TransactionID) -> OperatorAction
    ) async throws -> [OperatorAction] {
        let numbers = try await numbers(console) { $0 != .interrupted }
        guard !all else { return numbers.map(answer) }
        let refunds = Set(try await console.refundRequests().map(\.transactionID))
        return numbers.map { refunds.contains($0) ? refund($0) : answer($0) }
    }
}

struct ClearFault: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear-failure",
        abstract: "Clear one failure that was set up on purpose.",
        discussion: """
            EXAMPLE
              storefront operator failures
              storefront operator clear-failure 7
            """,
        aliases: ["clear-fault"])
    @Argument(help: "The failure's number, as operator failures lists it.") var number: Int64
    @OptionGroup var given: ActionOptions

    func action(for _: AccountName) -> OperatorAction? { .clearFault(number) }
}

struct FailNext: ActionCommand {
    static let configuration = CommandConfiguration(
        commandName: "fail-next",
        abstract: "Make the next purchases or other calls fail with StoreKit's errors.",
        discussion: """
            The calls are the nine that StoreKit Test can make fail. With verification, the store \
            signs what is bought so that no device trusts it. The subscription sheet fails on its \
            screen and for subscriptions --manage, the redemption of a code for redeem.

            With the tenth, updates, nothing fails: sales and their changes reach devices otherwise \
            than they should. A late one comes after --delay of store time, or with the next one.

            The others are of your backend. notification is an attempt to send one: it ends with \
            the result named, or comes otherwise than it should, --for some time of the store's \
            clock. The rest are calls of the App Store Server API, of which anyEndpoint is each: \
            they answer with an error's seven digits, late (--delay), or cut off in the middle.

            EXAMPLES
              storefront operator fail-next networkError --count 2
              storefront operator fail-next invalidSignature --call verification
              storefront operator fail-next networkError --call appStoreSync --every
              storefront operator fail-next deliveredLate --call updates --delay 10m
              storefront operator fail-next 4290000 --call anyEndpoint --count 3
              storefront operator fail-next TIMED_OUT --call notification --for 2d

            CALLS AND ERRORS
            \(Fault.Call.allCases.map(errors).joined(separator: "\n"))
            """)
    @Argument(help: ArgumentHelp("The error's name.", valueName: "error")) var error: String
    @Option(help: ArgumentHelp("What fails.", valueName: "call"))
    var call = Fault.Call.purchase.rawValue
    @Option(help: ArgumentHelp("How many calls; 1 if not given.", valueName: "number"))
    var count: Int?
    @Flag(help: "Every call, until the failure is cleared.") var every = false
    @Option(
        help: ArgumentHelp(
            "A restore (--call appStoreSync) fails after this many purchases came back.",
            valueName: "number"))
    var after: Int?
    @Option(
        help: ArgumentHelp(
            """
            An update or a notification (deliveredLate) comes so much later, by the store's clock; \
            an answer (lateAnswer), by yours.
            """, valueName: "time"))
    var delay: String?
    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(
            "How long notifications fail, by the store's clock: each, unless --count is given.",
            valueName: "time"))
    var time: String?
    @OptionGroup var given: ActionOptions

    private var delayMilliseconds: Int64? {
        (delay ?? time).flatMap(NetworkCommand.milliseconds(of:)).flatMap { $0 > 0 ? $0 : nil }
    }

    /// A call with the errors it can fail with: "  verification: invalidSignature invalidEncoding".
    private static func errors(_ call: Fault.Call) -> String {
        "  \(call.rawValue): " + call.errors.map(\.rawValue).joined(separator: " ")
    }

    func validate() throws {
        guard let call = Fault.Call(rawValue: call) else {
            throw UnknownWord.error("call", self.call, among: Fault.Call.allCases.map(\.rawValue))
        }
        let names = call.errors.map(\.rawValue)
        guard names.contains(error) else {
            // The error belongs to another call: tell the person which `--call` to give.
            let others = Fault.Call.allCases.filter { $0.errors.map(\.rawValue).contains(error) }
            guard others.isEmpty else {
                throw ValidationError(
                    "\(call.rawValue) does not fail with '\(error)'. Give --call "
                        + others.map(\.rawValue).joined(separator: " or ") + ".")
            }
            throw UnknownWord.error("error", error, among: names)
        }
        guard count == nil || !every else {
            throw ValidationError("Give --count or --every, not both.")
        }
        if let count, !(1...1_000).contains(count) {
            throw ValidationError("--count is from 1 to 1000, found \(count).")
        }
        let isLate = ["deliveredLate", "lateAnswer"].contains(error)
        if let delay, delayMilliseconds == nil || !isLate {
            throw ValidationError(
                "--delay goes with deliveredLate or lateAnswer and is a time such as 30s or 2h, "
                    + "at most 30d, found '\(delay)'.")
        }
        if let time, delayMilliseconds == nil || isLate || call != .notification {
            throw ValidationError(
                "--for goes with --call notification, not with deliveredLate, and is a time such "
                    + "as 30s, 2h or 2d, at most 30d, found '\(time)'.")
        }
        if let after {
            guard call == .appStoreSync else {
                throw ValidationError(
                    "--after tells when a restore fails: give --call appStoreSync.")
            }
            guard (1...1_000).contains(after) else {
                throw ValidationError("--after is from 1 to 1000, found \(after).")
            }
        }
    }

    func action(for _: AccountName) -> OperatorAction? {
        Fault.Call(rawValue: call).map {
            .failNext(
                $0, error: StoreError.Code(error),
                count: every || time != nil ? count : count ?? 1, after: after,
                delayMilliseconds: delayMilliseconds)
        }
    }
}
