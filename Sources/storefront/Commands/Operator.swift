import ArgumentParser
import Foundation
import ShopCore
import StoreEngine
import StoreModel

struct Operator: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "The console's actions: approve, decline, make purchases wait or fail.",
        discussion: """
            EXAMPLES
              storefront operator ask-to-buy on
              storefront operator requests
              storefront operator approve 1000002
              storefront operator fail-next networkError --count 2
            """,
        subcommands: [
            AskToBuy.self, Payments.self, Territory.self, Requests.self, Approve.self,
            Decline.self, FailNext.self, Faults.self, TakingsCommand.self, Events.self,
            AcceptStore.self,
        ])
}

/// on or off.
enum Switch: String, ExpressibleByArgument, CaseIterable { case on, off }

struct AskToBuy: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make the account's purchases wait for approval, or not.")
    @OptionGroup var options: GlobalOptions
    @Argument(help: "on or off") var state: Switch

    func run() async throws {
        try await reporting(json: options.json) {
            let store = try await options.open()
            let settings = try await store.engine.storeOperator.changeAccount(
                store.account, askToBuy: state == .on, canMakePayments: nil, territory: nil)
            if options.json { return try Output.json(settings) }
            Output.line(
                settings.askToBuy
                    ? "Ask to Buy is on for \(settings.name): purchases wait for approval."
                    : "Ask to Buy is off for \(settings.name).")
        }
    }
}

struct Payments: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Allow the account to make payments, or forbid it.")
    @OptionGroup var options: GlobalOptions
    @Argument(help: "on or off") var state: Switch

    func run() async throws {
        try await reporting(json: options.json) {
            let store = try await options.open()
            let settings = try await store.engine.storeOperator.changeAccount(
                store.account, askToBuy: nil, canMakePayments: state == .on, territory: nil)
            if options.json { return try Output.json(settings) }
            Output.line(
                settings.canMakePayments
                    ? "\(settings.name) may make payments."
                    : "\(settings.name) may not make payments.")
        }
    }
}

struct Territory: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Move the account to another territory.")
    @OptionGroup var options: GlobalOptions
    @Argument(help: "ISO 3166-1: JPN or JP") var code: String

    func run() async throws {
        try await reporting(json: options.json) {
            let store = try await options.open()
            let settings = try await store.engine.storeOperator.changeAccount(
                store.account, askToBuy: nil, canMakePayments: nil, territory: code)
            if options.json { return try Output.json(settings) }
            Output.line("\(settings.name) buys in \(settings.territory) now.")
        }
    }
}

struct Requests: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List what waits for approval, oldest first.")
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        try await reporting(json: options.json) {
            let store = try await options.open()
            let requests = try await store.engine.storeOperator.pendingRequests()
            Output.note("Nothing waits for approval.", ifEmpty: requests, json: options.json)
            for request in requests {
                if options.json {
                    try Output.json(request)
                } else {
                    Output.line(
                        "\(request.number)  \(TransactionText.date(request.askedAt))  "
                            + "\(request.payment.productID)  "
                            + "\(request.account) · \(request.device)")
                }
            }
        }
    }
}

struct Approve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Approve a request: it becomes the sale with its number.")
    @OptionGroup var options: GlobalOptions
    @OptionGroup var selection: RequestSelection

    func run() async throws {
        try await reporting(json: options.json) {
            let store = try await options.open()
            let console = store.engine.storeOperator
            let numbers = try await selection.numbers(console)
            var refusal: StoreError?
            // Each is answered, also after one for which there was nothing left to sell.
            for number in numbers {
                switch try await console.approve(number) {
                case .sold(let id, _):
                    options.json
                        ? try Output.json(["approved": id.description])
                        : Output.line("Approved \(id): it is sold.")
                case .failed(let error):
                    options.json
                        ? Output.report(error, json: true)
                        : Output.error("Request \(number) was not sold. \(error.message.line)")
                    refusal = refusal ?? error
                }
            }
            if let refusal { throw Exit.code(for: refusal) }
            if numbers.isEmpty { Output.note("Nothing was waiting.") }
        }
    }
}

struct Decline: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Decline a request: nothing is charged.")
    @OptionGroup var options: GlobalOptions
    @OptionGroup var selection: RequestSelection

    func run() async throws {
        try await reporting(json: options.json) {
            let store = try await options.open()
            let console = store.engine.storeOperator
            let numbers = try await selection.numbers(console)
            for number in numbers {
                try await console.decline(number)
                options.json
                    ? try Output.json(["declined": number.description])
                    : Output.line("Declined \(number).")
            }
            if numbers.isEmpty { Output.note("Nothing was waiting.") }
        }
    }
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

struct FailNext: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make the next purchases fail with an error of StoreKit's.",
        discussion: """
            ERRORS
              \(StoreError.Code.injectable.map(\.rawValue).joined(separator: "\n  "))
            """)
    @OptionGroup var options: GlobalOptions
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

    func run() async throws {
        try await reporting(json: options.json) {
            let store = try await options.open()
            let fault = try await store.engine.storeOperator.failNext(
                .purchase, error: StoreError.Code(error), count: count)
            if options.json { return try Output.json(fault) }
            Output.line(
                count == 1
                    ? "The next purchase will fail: \(error)."
                    : "The next \(count) purchases will fail: \(error).")
        }
    }
}

struct Faults: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the failures set up on purpose, or clear them.")
    @OptionGroup var options: GlobalOptions
    @Flag(help: "Take them all back.") var clear = false

    func run() async throws {
        try await reporting(json: options.json) {
            let console = try await options.open().engine.storeOperator
            if clear { try await console.clearFaults() }
            let faults = try await console.faults()
            Output.note("No faults are in force.", ifEmpty: faults, json: options.json)
            for fault in faults {
                if options.json {
                    try Output.json(fault)
                } else {
                    Output.line("next \(fault.remaining)  \(fault.call.rawValue)  \(fault.error)")
                }
            }
        }
    }
}

struct TakingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "takings", abstract: "What the store has taken in, by currency.")
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        try await reporting(json: options.json) {
            let store = try await options.open()
            for sum in try await store.engine.storeOperator.takings() {
                if options.json {
                    try Output.json(sum)
                } else {
                    let money = Money(milliunits: sum.soldMilliunits, currency: sum.currency)
                    let text = money.formatted(locale: .init(identifier: store.locale))
                    let sales = sum.sales == 1 ? "1 sale" : "\(sum.sales) sales"
                    Output.line("\(sum.currency)  \(text)  \(sales)")
                }
            }
        }
    }
}

struct Events: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Everything that ever happened in the store, a JSON object a line.")
    @OptionGroup var options: GlobalOptions
    @Flag(help: "Go on as things happen.") var follow = false

    func run() async throws {
        try await reporting(json: options.json) {
            let store = try await options.open()
            let console = store.engine.storeOperator
            let end = try await console.head()
            let start = FeedCursor(epoch: end.epoch, position: 0)
            guard end.position > 0 || follow else { return }
            for try await batch in console.events(after: start) {
                for event in batch.events { try Output.json(event) }
                if !follow, batch.cursor.position >= end.position { return }
            }
        }
    }
}
