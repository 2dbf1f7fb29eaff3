import ArgumentParser
import Foundation
import ShopText
import StoreEngine
import StoreModel

struct Operator: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "operator",
        abstract: "The console's actions: approve, refund, make purchases wait or fail.",
        discussion: """
            EXAMPLES
              storefront operator ask-to-buy on
              storefront operator requests
              storefront operator approve 1000002
              storefront operator fail-next networkError --count 2
              storefront operator refund 1000003 --percent 50
              storefront operator clock advance 1mo
              storefront operator network terminal off --for 30s
            """,
        subcommands: [
            AskToBuy.self, AskBank.self, InterruptPurchases.self, Payments.self, Territory.self,
            Dialogs.self, AccountLocale.self,
            PendingRequests.self, Approve.self, Decline.self, Resolve.self, BuyOutside.self,
            Promote.self, SignOffer.self, SignEligibility.self, Publish.self, OperatorFamily.self,
            Notices.self,
            FailNext.self, Faults.self, ClearFault.self, RefundRequests.self, Refund.self,
            DeclineRefund.self, Revoke.self, ReverseRefund.self, Delete.self, AutoRenew.self,
            RenewSubscription.self, ExpireSubscription.self, ResolveBilling.self,
            PriceIncreaseWords.self, ExtendSubscription.self, ExtendAll.self,
            CancelSubscription.self, ClockCommand.self, Renewals.self, TakingsCommand.self,
            Events.self, NetworkCommand.self, DownloadFaultsCommand.self,
            AcceptStore.self,
        ])
}

struct PendingRequests: CommandWithOptions {
    static let configuration = CommandConfiguration(
        commandName: "requests",
        abstract: "List the payments that wait for an answer, oldest first.")

    @OptionGroup var given: OperatorOptions

    func run() async throws {
        try await reporting(options) {
            let store = try await options.openForOperator()
            let requests = try await store.console.pendingRequests()
            Output.note(
                store.actor.map { .noRequestsToAnswer(account: $0.rawValue) } ?? .noRequestsLine,
                ifEmpty: requests, json: options.json)
            try await RequestList.write(requests, of: store, json: options.json)
        }
    }
}

/// Pending requests as a table, or as one JSON object per line.
enum RequestList {
    static func write(
        _ requests: [ApprovalRequest], of store: OpenStore, asOf: Timestamp? = nil, json: Bool
    ) async throws {
        guard !json else {
            for request in requests {
                try Output.json(RequestLine(request: request, asOf: asOf))
            }
            return
        }
        let products = try await ProductNames(requests.map(\.payment.productID), in: store)
        var table = TextTable([
            .init(.columnRequest), .init(.columnAsked), .init(.columnProduct),
            .init(.columnIdentifier), .init(.columnPrice, isRight: true),
            .init(.columnWaitsFor), .init(.columnAccount), .init(.columnDevice),
        ])
        table.write(
            requests.map { request in
                let payment = request.payment
                return [
                    request.number.description, Output.strings.date(request.askedAt),
                    products.item(payment.productID, quantity: payment.quantity),
                    payment.productID.rawValue, products.price(payment),
                    Output.strings[CommandText.waitsFor(request.reason)],
                    request.account.rawValue,
                    Output.strings.list(request.devices.map(\.rawValue)),
                ]
            })
    }
}

struct RefundRequests: CommandWithOptions {
    static let configuration = CommandConfiguration(
        commandName: "refund-requests",
        abstract: "List the refunds that customers ask for, oldest first.")

    @OptionGroup var given: OperatorOptions

    func run() async throws {
        try await reporting(options) {
            let store = try await options.openForOperator()
            let requests = try await store.console.refundRequests()
            Output.note(.noRefundRequested, ifEmpty: requests, json: options.json)
            guard !options.json else {
                for request in requests { try Output.json(RefundRequestLine(request)) }
                return
            }
            let products = try await ProductNames(requests.map(\.productID), in: store)
            var table = TextTable([
                .init(.columnTransaction), .init(.columnAsked), .init(.columnProduct),
                .init(.columnDetail), .init(.columnAccount), .init(.columnDevice),
            ])
            table.write(
                requests.map { request in
                    [
                        request.transactionID.description, Output.strings.date(request.askedAt),
                        products.item(request.productID, quantity: 1),
                        Output.strings[CommandText.refundReason(request.reason)],
                        request.account.rawValue, request.device.rawValue,
                    ]
                })
        }
    }
}

struct Faults: CommandWithOptions {
    static let configuration = CommandConfiguration(
        commandName: "faults",
        abstract: "List the failures set up on purpose, or clear them.")
    @Flag(help: "Take them all back.") var clear = false

    @OptionGroup var given: OperatorOptions

    func run() async throws {
        try await reporting(options) {
            let console = try await options.openForOperator().console
            if clear { _ = try await console.perform(.clearFaults) }
            let faults = try await console.faults()
            Output.note(ScreenText.noFailures, ifEmpty: faults, json: options.json)
            guard !options.json else {
                for fault in faults { try Output.json(fault) }
                return
            }
            var table = TextTable([
                .init(.columnNumber, isRight: true), .init(.columnCount, isRight: true),
                .init(.columnCall), .init(.columnError), .init(.columnDetail),
            ])
            table.write(
                faults.map {
                    [
                        String($0.id),
                        $0.remaining.map { String($0) } ?? Output.strings[CommandText.countEvery],
                        $0.call.rawValue,
                        $0.error.rawValue,
                        $0.after.map { Output.strings[.afterRestored($0)] } ?? "",
                    ]
                })
        }
    }
}

struct TakingsCommand: CommandWithOptions {
    static let configuration = CommandConfiguration(
        commandName: "takings", abstract: "What the store has taken in, by currency.")

    @OptionGroup var given: OperatorOptions

    func run() async throws {
        try await reporting(options) {
            let store = try await options.openForOperator()
            let sums = try await store.console.takings()
            guard !options.json else {
                for sum in sums { try Output.json(sum) }
                return
            }
            var table = TextTable([
                .init(.columnCurrency), .init(.columnSold, isRight: true),
                .init(.columnSales, isRight: true), .init(.columnRefunded, isRight: true),
            ])
            table.write(sums.map { Self.cells($0, locale: store.locale) })
        }
    }
}

extension TakingsCommand {
    fileprivate static func cells(_ sum: SalesTotals, locale: String) -> [String] {
        func money(_ milliunits: Int64) -> String {
            Output.strings.price(
                Price(
                    money: Money(milliunits: milliunits, currency: sum.currency), locale: locale))
        }
        return [
            sum.currency, money(sum.soldMilliunits), String(sum.sales),
            money(sum.refundedMilliunits),
        ]
    }
}

struct Events: CommandWithOptions {
    static let configuration = CommandConfiguration(
        commandName: "events",
        abstract: "Everything that ever happened in the store, a JSON object a line.")
    @Flag(help: "Go on as things happen.") var follow = false

    @OptionGroup var given: OperatorOptions

    func run() async throws {
        try await reporting(options) {
            let store = try await options.openForOperator()
            let console = store.console
            await store.recordDueOfAll()
            let end = try await console.head()
            let start = FeedCursor(epoch: end.epoch, position: 0)
            guard end.position > 0 || follow else { return }
            for try await batch in console.events(after: start) {
                for event in batch.events { try Output.json(OperatorEventLine(event)) }
                if !follow, batch.cursor.position >= end.position { return }
            }
        }
    }
}
