import ArgumentParser
import StoreModel

/// on or off.
enum Switch: String, ExpressibleByArgument, CaseIterable { case on, off }

struct AskToBuy: ActionWords {
    typealias Options = AccountOperatorOptions

    static let configuration = CommandConfiguration(
        commandName: "ask-to-buy",
        abstract: "Make the account's purchases wait for approval, or not.")
    @Argument(help: "on or off") var state: Switch

    func actions(for account: AccountName, _: some StoreOperator) -> [OperatorAction] {
        [.changeAccount(AccountChange(account: account, askToBuy: state == .on))]
    }
}

struct Payments: ActionWords {
    typealias Options = AccountOperatorOptions

    static let configuration = CommandConfiguration(
        commandName: "payments",
        abstract: "Allow the account to make payments, or forbid it.")
    @Argument(help: "on or off") var state: Switch

    func actions(for account: AccountName, _: some StoreOperator) -> [OperatorAction] {
        [.changeAccount(AccountChange(account: account, canMakePayments: state == .on))]
    }
}

struct Territory: ActionWords {
    typealias Options = AccountOperatorOptions

    static let configuration = CommandConfiguration(
        commandName: "territory", abstract: "Move the account to another territory.")
    @Argument(help: "ISO 3166-1: JPN or JP") var code: String

    func actions(for account: AccountName, _: some StoreOperator) -> [OperatorAction] {
        [.changeAccount(AccountChange(account: account, territory: code))]
    }
}

struct Approve: ActionWords {
    static let configuration = CommandConfiguration(
        commandName: "approve",
        abstract: "Approve a request: it becomes the sale with its number.")
    @OptionGroup var selection: RequestSelection

    func actions(for _: AccountName, _ console: some StoreOperator) async throws
        -> [OperatorAction]
    { try await selection.numbers(console).map { .approve($0) } }
}

struct Decline: ActionWords {
    static let configuration = CommandConfiguration(
        commandName: "decline", abstract: "Decline a request: nothing is charged.")
    @OptionGroup var selection: RequestSelection

    func actions(for _: AccountName, _ console: some StoreOperator) async throws
        -> [OperatorAction]
    { try await selection.numbers(console).map { .decline($0) } }
}

/// Which requests an answer is meant for.
struct RequestSelection: ParsableArguments {
    @Argument(help: "The request's number.") var request: String?
    @Flag(help: "Everything that waits.") var all = false

    func validate() throws {
        guard (request != nil) != all else {
            throw ValidationError("Give a request's number, or --all.")
        }
    }

    func numbers(_ console: some StoreOperator) async throws -> [TransactionID] {
        guard let request else { return try await console.pendingRequests().map(\.number) }
        guard let number = TransactionID(request) else {
            throw ValidationError("A request is a number, found '\(request)'.")
        }
        return [number]
    }
}

struct ClearFault: ActionWords {
    static let configuration = CommandConfiguration(
        commandName: "clear-fault",
        abstract: "Take back one failure that was set up on purpose.",
        discussion: """
            EXAMPLE
              storefront operator faults
              storefront operator clear-fault 7
            """)
    @Argument(help: "The failure's number, as operator faults lists it.") var number: Int64

    func actions(for _: AccountName, _: some StoreOperator) -> [OperatorAction] {
        [.clearFault(number)]
    }
}

struct FailNext: ActionWords {
    static let configuration = CommandConfiguration(
        commandName: "fail-next",
        abstract: "Make the next purchases fail with an error of StoreKit's.",
        discussion: """
            ERRORS
              \(StoreError.Code.injectable.map(\.rawValue).joined(separator: "\n  "))
            """)
    @Argument(help: ArgumentHelp("The error's name.", valueName: "error")) var error: String
    @Option(help: ArgumentHelp("How many purchases.", valueName: "number")) var count = 1

    func validate() throws {
        let names = StoreError.Code.injectable.map(\.rawValue)
        guard names.contains(error) else {
            throw UnknownWord.error("error", error, among: names)
        }
        guard (1...1_000).contains(count) else {
            throw ValidationError("--count is from 1 to 1000, found \(count).")
        }
    }

    func actions(for _: AccountName, _: some StoreOperator) -> [OperatorAction] {
        [.failNext(.purchase, error: StoreError.Code(error), count: count)]
    }
}
