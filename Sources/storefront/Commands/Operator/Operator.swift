import ArgumentParser
import Foundation
import ShopText
import StoreEngine
import StoreModel

struct Operator: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "The console's actions: approve, refund, make purchases wait or fail.",
        discussion: """
            EXAMPLES
              storefront operator ask-to-buy on
              storefront operator requests
              storefront operator approve 1000002
              storefront operator fail-next networkError --count 2
              storefront operator refund 1000003 --percent 50
              storefront operator clock advance 1mo
            """,
        subcommands: [
            ActionCommand<AskToBuy>.self, ActionCommand<Payments>.self,
            ActionCommand<Territory>.self, Requests.self, ActionCommand<Approve>.self,
            ActionCommand<Decline>.self, ActionCommand<FailNext>.self, Faults.self,
            ActionCommand<Refund>.self, ActionCommand<Revoke>.self,
            ActionCommand<ReverseRefund>.self, ActionCommand<Delete>.self,
            ActionCommand<AutoRenew>.self, ClockCommand.self,
            ActionCommand<Renewals>.self, TakingsCommand.self, Events.self, AcceptStore.self,
        ])
}

struct Requests: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List what waits for approval, oldest first.")
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        try await reporting(options) {
            let store = try await options.openForOperator()
            let requests = try await store.engine.storeOperator.pendingRequests()
            Output.note(.noRequestsLine, ifEmpty: requests, json: options.json)
            for request in requests {
                if options.json {
                    try Output.json(request)
                } else {
                    Output.line(
                        "\(request.number)  \(Output.strings.date(request.askedAt))  "
                            + "\(request.payment.productID)  "
                            + "\(request.account) · \(request.device)")
                }
            }
        }
    }
}

struct Faults: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the failures set up on purpose, or clear them.")
    @OptionGroup var options: GlobalOptions
    @Flag(help: "Take them all back.") var clear = false

    func run() async throws {
        try await reporting(options) {
            let console = try await options.openForOperator().engine.storeOperator
            if clear { _ = try await console.perform(.clearFaults) }
            let faults = try await console.faults()
            Output.note(.noFailuresLine, ifEmpty: faults, json: options.json)
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
        try await reporting(options) {
            let store = try await options.openForOperator()
            for sum in try await store.engine.storeOperator.takings() {
                if options.json {
                    try Output.json(sum)
                } else {
                    Output.line(Self.line(sum, locale: store.locale))
                }
            }
        }
    }
}

extension TakingsCommand {
    fileprivate static func line(_ sum: SalesTotals, locale: String) -> String {
        let strings = Output.strings
        func money(_ milliunits: Int64) -> String {
            strings.price(
                Price(
                    money: Money(milliunits: milliunits, currency: sum.currency), locale: locale))
        }
        var parts = [
            "\(sum.currency)  \(money(sum.soldMilliunits))  "
                + strings[CommandText.salesCount(Int(sum.sales))]
        ]
        if sum.refundedMilliunits > 0 {
            parts.append(strings[CommandText.refundedSum(money(sum.refundedMilliunits))])
        }
        return parts.joined(separator: strings[.listSeparator])
    }
}

struct Events: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Everything that ever happened in the store, a JSON object a line.")
    @OptionGroup var options: GlobalOptions
    @Flag(help: "Go on as things happen.") var follow = false

    func run() async throws {
        try await reporting(options) {
            let store = try await options.openForOperator()
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
