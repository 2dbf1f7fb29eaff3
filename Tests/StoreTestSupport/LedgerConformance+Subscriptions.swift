import Foundation
@testable import StoreEngine
@testable import StoreModel
import Testing

extension LedgerConformance {
    static let subscriptions = [
        Check("an extension for all was first asked for when its identifier was first recorded") {
            handles in
            let (asked, never) = (UUID(), UUID())
            func ask(after days: Int64) async throws {
                let request = ExtensionRequest(
                    id: asked, productID: SampleCatalog.monthly, days: 3)
                var entry = Sample.entry(.extensionAsked(request), of: nil, on: nil)
                entry.effectiveAt = Sample.after(days)
                try await handles.ledger.record(entry)
            }
            try await ask(after: 1)
            try await ask(after: 2)
            let found = try await handles.other.query { $0.extensions = [asked, never] }
            #expect(found.extensions == [asked: Sample.after(1)])
            try await expectFolded(handles)
        },
        Check("a request that planned a change is found as the transaction that answered it") {
            handles in
            let first = try #require(
                try await handles.ledger.record(Sample.period(dueAfter: 10))[0].number)
            let payment = Payment.of(SampleCatalog.yearly)
            let request = try #require(
                try await handles.ledger.record(
                    Sample.entry(.deferred(payment, .askToBuy), number: .next))[0].number)
            let change = SubscriptionChange(
                event: SubscriptionEvent(
                    kind: .planChangePlanned, chain: first, productID: SampleCatalog.monthly,
                    nextProductID: SampleCatalog.yearly),
                autoRenews: true, state: SubscriptionState(nextProductID: SampleCatalog.yearly),
                next: DueItem(
                    account: "aoi", chain: first, kind: .renewal, period: 2, at: Sample.after(10)),
                answered: AnsweredPayment(payment: payment, device: "phone", transaction: first))
            func found() async throws -> LedgerSnapshot {
                try await handles.other.query { $0.pending = [request] }
            }
            #expect(try await found().answered.isEmpty)
            try await handles.ledger.record(
                Sample.entry(.subscriptionChanged(change), number: .existing(request)))
            let after = try await found()
            #expect(after.pending.isEmpty && after.transactions.isEmpty)
            #expect(after.answered.mapValues(\.id) == [request: first])
            try await expectFolded(handles)
        },
        Check("a subscription's state is that of the last entry about it, and a sale ends it") {
            handles in
            let first = try #require(
                try await handles.ledger.record(Sample.period(dueAfter: 10))[0].number)
            func row() async throws -> SubscriptionRow? {
                let found = try await handles.other.query { query in
                    query.subscriptions = [.init(account: "aoi", id: first)]
                }
                return found.subscriptions[first]
            }
            #expect(try await row()?.state == .renewing)
            #expect(try await row()?.previous == nil)
            let next = DueItem(
                account: "aoi", chain: first, kind: .renewal, period: 2, at: Sample.after(15))
            let failed = Sample.billingFailed(first, next: next)
            try await handles.ledger.record(Sample.entry(failed))
            guard case .subscriptionChanged(let change) = failed else { return }
            #expect(try await row()?.state == change.state)
            #expect(try await handles.other.allDue() == [next])
            try await expectFolded(handles)
            let second = try await handles.ledger.record(
                Sample.period(2, of: first, dueAfter: 20))[0].number
            #expect(try await row()?.state == .renewing)
            #expect(try await row()?.latest == second)
            #expect(try await row()?.previous == first)
            let expired = SubscriptionChange(
                event: SubscriptionEvent(
                    kind: .expired, chain: first, productID: "gone", reason: .billingError),
                autoRenews: false, state: SubscriptionState(expired: .billingError), next: nil)
            try await handles.ledger.record(Sample.entry(.subscriptionChanged(expired)))
            #expect(try await row()?.state.expired == .billingError)
            #expect(try await row()?.autoRenews == false)
            #expect(try await handles.other.allDue().isEmpty)
            try await expectFolded(handles)
        },
        Check("subscriptions are listed in order of their chains, page by page") { handles in
            let recorded = try await handles.ledger.record(
                Sample.period(dueAfter: 10), Sample.period(to: "kai", dueAfter: 20), Sample.sold(),
                Sample.period(group: "another", dueAfter: 30))
            let chains = [0, 1, 3].compactMap { recorded[$0].number }
            for limit in 1...4 {
                var found: [TransactionID] = []
                var last: TransactionID?
                while true {
                    let page = try await handles.other.subscriptions(after: last, limit: limit)
                    guard let end = page.last else { break }
                    #expect(page.count <= limit)
                    found += page.map(\.chain)
                    last = end.chain
                }
                #expect(found == chains)
            }
        },
    ]
}
