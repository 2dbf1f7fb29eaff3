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
        groupedSubcommands: [
            CommandGroup(
                name: "Requests",
                subcommands: [
                    PendingRequests.self, Approve.self, Decline.self, Resolve.self,
                ]),
            CommandGroup(
                name: "Account",
                subcommands: [
                    AskToBuy.self, AskBank.self, InterruptPurchases.self, Payments.self,
                    Territory.self, Dialogs.self, AccountLocale.self, OperatorFamily.self,
                    RescindConsent.self,
                ]),
            CommandGroup(
                name: "Selling",
                subcommands: [
                    BuyOutside.self, Promote.self, SignOffer.self, SignEligibility.self,
                    Publish.self,
                ]),
            CommandGroup(
                name: "Refund",
                subcommands: [
                    RefundRequests.self, Refund.self, DeclineRefund.self, Revoke.self,
                    ReverseRefund.self, Delete.self,
                ]),
            CommandGroup(name: "Subscription", subcommands: ofSubscriptions + [Renewals.self]),
            CommandGroup(
                name: "Failure",
                subcommands: [
                    FailNext.self, Faults.self, ClearFault.self, NetworkCommand.self,
                    DownloadFaultsCommand.self,
                ]),
            CommandGroup(
                name: "Store",
                subcommands: [
                    ClockCommand.self, TakingsCommand.self, Events.self, Notices.self,
                    AcceptStore.self, Reset.self,
                ]),
            CommandGroup(
                name: "Server",
                subcommands: [APIKeyCommands.self, NotificationSettingsCommands.self]),
        ])
}

struct PendingRequests: OperatorCommand, ListCommand {
    static let configuration = CommandConfiguration(
        commandName: "requests",
        abstract: "List the payments and refunds that wait for an answer, oldest first.")

    @OptionGroup var given: OperatorOptions

    /// What waits for the operator: a payment, or a refund that a customer asked for.
    enum Item {
        case payment(ApprovalRequest)
        case refund(RefundRequest)

        var askedAt: Timestamp {
            switch self {
            case .payment(let request): request.askedAt
            case .refund(let request): request.askedAt
            }
        }
    }

    func items(in store: OpenStore) async throws -> [Item] {
        let payments = try await store.console.pendingRequests().map { Item.payment($0) }
        // The organizer of a family answers no refunds.
        guard store.actor == nil else { return payments }
        let refunds = try await store.console.refundRequests().map { Item.refund($0) }
        return (payments + refunds).sorted { $0.askedAt < $1.askedAt }
    }

    func none(in store: OpenStore) -> String? {
        Output.strings[
            store.actor.map { .noRequestsToAnswer(account: $0.rawValue) } ?? .noRequestsLine]
    }

    func columns(of items: [Item], in store: OpenStore) async throws -> [Column<Item>] {
        let requests = items.compactMap { if case .payment(let one) = $0 { one } else { nil } }
        let refunds = items.compactMap { if case .refund(let one) = $0 { one } else { nil } }
        let ofRequests = try await ApprovalRequest.columns(of: requests, in: store)
        let names = try await ProductNames(refunds.map(\.productID), in: store)
        let strings = Output.strings
        let ofRefunds: [(RefundRequest) -> String] = [
            { $0.transactionID.description }, { strings.date($0.askedAt) },
            { names.item($0.productID, quantity: $0.quantity ?? 1) },
            { $0.productID.rawValue }, { _ in "" },
            { strings[.waitsForRefund(reason: strings[ColumnText.refundReason($0.reason)])] },
            { $0.account.rawValue }, { $0.device.rawValue },
        ]
        return zip(ofRequests, ofRefunds).map { column, ofRefund in
            Column(column.title, isRight: column.isRight) { item in
                switch item {
                case .payment(let request): column.cell(request)
                case .refund(let request): ofRefund(request)
                }
            }
        }
    }

    func line(_ item: Item) -> any Encodable {
        switch item {
        case .payment(let request): request.fields()
        case .refund(let request): request
        }
    }
}

extension ApprovalRequest {
    static func columns(of requests: [Self], in store: OpenStore) async throws -> [Column<Self>] {
        let strings = Output.strings
        let products = try await ProductNames(requests.map(\.payment.productID), in: store)
        return [
            Column(.columnRequest) { $0.number.description },
            Column(.columnAsked) { strings.date($0.askedAt) },
            Column(.columnProduct, mayBeCut: true) {
                products.item($0.payment.productID, quantity: $0.payment.quantity)
            },
            Column(.columnIdentifier) { $0.payment.productID.rawValue },
            Column(.columnPrice, isRight: true) { products.charge(of: $0) },
            Column(.columnWaitsFor) { strings[ColumnText.waitsFor($0.reason)] },
            Column(.columnAccount) { $0.account.rawValue },
            Column(.columnDevice) { strings.list($0.devices.map(\.rawValue)) },
        ]
    }

    /// `price` is what is charged for one: nothing for a trial, whose members are those of Apple's
    /// payloads, and nothing now for a change of plan that begins at `planStartDate`.
    ///
    /// - Parameter age: the store time as of which the device knows this, if it has no network.
    func fields(asOf age: Timestamp? = nil) -> JSONFields {
        var payment = payment
        if let charge, charge.offer != nil || charge.startsAt != nil {
            payment.shownPrice = charge.price
        }
        return JSONFields(
            payment.fields,
            [
                "offerType": charge?.offer?.kind.number, "offerIdentifier": charge?.offer?.id,
                "offerDiscountType": charge?.offer?.mode,
                "offerPeriod": charge?.offer?.period.iso8601,
                "renewalPrice": charge?.renewalPrice?.milliunits,
                "planStartDate": charge?.startsAt,
                "requestId": number, "reason": reason, "account": account, "device": device,
                "otherDevices": otherDevices.isEmpty ? nil : otherDevices, "askedAt": askedAt,
                "asOf": age,
            ])
    }
}

struct RefundRequests: OperatorCommand, ListCommand {
    static let configuration = CommandConfiguration(
        commandName: "refund-requests",
        abstract: "List the refunds that customers ask for, oldest first.")

    @OptionGroup var given: OperatorOptions

    func items(in store: OpenStore) async throws -> [RefundRequest] {
        try await store.console.refundRequests()
    }

    func none(in _: OpenStore) -> String? { Output.strings[.noRefundRequested] }

    func columns(
        of items: [RefundRequest], in store: OpenStore
    ) async throws -> [Column<RefundRequest>] {
        let strings = Output.strings
        let products = try await ProductNames(items.map(\.productID), in: store)
        return [
            Column(.columnTransaction) { $0.transactionID.description },
            Column(.columnAsked) { strings.date($0.askedAt) },
            Column(.columnProduct, mayBeCut: true) {
                products.item($0.productID, quantity: $0.quantity ?? 1)
            },
            Column(.columnDetail) { request in
                let says = request.consumption.map { strings[ColumnText.backendSays($0)] }
                return [strings[ColumnText.refundReason(request.reason)], says].compactMap(\.self)
                    .joined(separator: strings[.listSeparator])
            },
            Column(.columnAccount) { $0.account.rawValue },
            Column(.columnDevice) { $0.device.rawValue },
        ]
    }
}

struct Faults: OperatorCommand, ListCommand {
    static let configuration = CommandConfiguration(
        commandName: "failures",
        abstract: "List the failures set up on purpose, or clear them.",
        aliases: ["faults"])
    @Flag(help: "Clear them all.") var clear = false

    @OptionGroup var given: OperatorOptions

    func items(in store: OpenStore) async throws -> [Fault] {
        try await store.console.faults()
    }

    func run(in store: OpenStore) async throws {
        guard clear else { return try await list(items(in: store), in: store) }
        let events = try await store.console.perform(.clearFaults)
        guard !options.json else { return }
        let done = Output.strings.done(OperatorDone(.clearFaults, events))
        if events.isEmpty { Output.note(done) } else { Output.line(done) }
    }

    func none(in _: OpenStore) -> String? { Output.strings[Refusal.noFaults] }

    func columns(of _: [Fault], in _: OpenStore) -> [Column<Fault>] {
        let strings = Output.strings
        return [
            Column(.columnNumber, isRight: true) { String($0.id) },
            Column(.columnCount, isRight: true) {
                $0.remaining.map { String($0) } ?? strings[ColumnText.countEvery]
            },
            Column(.columnCall) { $0.call.rawValue },
            Column(.columnError) { $0.error.rawValue + strings.timing(of: $0) },
            Column(.columnDetail) { $0.after.map { strings[.afterRestored($0)] } ?? "" },
        ]
    }
}

struct Events: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "events",
        abstract: "Everything that ever happened in the store, oldest first.",
        discussion: """
            On a terminal a row for each event, as in the history; elsewhere, and with --json, a \
            JSON object a line.
            """)
    @Flag(help: "Continue as things happen.") var follow = false

    @OptionGroup var given: OperatorOptions

    func run(in store: OpenStore) async throws {
        let console = store.console
        await store.recordDueOfAll()
        let end = try await console.head()
        let start = FeedCursor(epoch: end.epoch, position: 0)
        guard end.position > 0 || follow else { return }
        let isForPeople = !options.json && Output.isTerminal
        var list = HistoryList(.table)
        var renewals = RenewalSettings.standard
        for try await batch in console.events(after: start) {
            if isForPeople {
                var earlier: [Int64: RenewalSettings] = [:]
                for event in batch.events {
                    guard case .renewalsSet(let settings) = event.change else { continue }
                    earlier[event.cursor.position] = renewals
                    renewals = settings
                }
                try await list.write(
                    batch.events.map { .event($0) }, earlierRenewals: earlier, of: store)
            } else {
                for event in batch.events { try Output.json(event.fields) }
            }
            if !follow, batch.cursor.position >= end.position { return }
        }
    }
}
