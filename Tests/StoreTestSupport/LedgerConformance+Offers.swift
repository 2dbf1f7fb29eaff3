import Foundation
@testable import StoreEngine
@testable import StoreModel
import Testing

extension LedgerConformance {
    static let offers = [
        Check("what an offer uses up is found by account, by signature, and counted by code") {
            handles in
            let nonce = UUID()
            let trial = try await sell(Sample.withOffer(.introductory), in: handles)
            let code = try await sell(
                Sample.withOffer(.code, code: "SPRING", nonce: nonce, to: "kai"), in: handles)
            _ = try await sell(Sample.withOffer(.code, code: "SPRING", to: "nia"), in: handles)
            let group = OfferUse.Subject.introductory(SampleCatalog.group)
            let found = try await handles.other.query { query in
                query.offerUses = [
                    .init(group, by: "aoi"), .init(group, by: "kai"),
                    .init(.code("SPRING"), by: "kai"), .init(.code("AUTUMN"), by: "kai"),
                ]
                query.usedSignatures = [nonce, UUID()]
                query.codeCounts = ["SPRING", "AUTUMN"]
            }
            #expect(
                found.offerUses == [
                    .init(group, by: "aoi"): OfferUse(
                        group, by: "aoi", payment: nil, transaction: trial.id),
                    .init(.code("SPRING"), by: "kai"): OfferUse(
                        .code("SPRING"), by: "kai", payment: code.sale.offer?.payment,
                        transaction: code.id),
                ])
            #expect(found.usedSignatures.keys.map { $0 } == [nonce])
            #expect(found.usedSignatures[nonce]?.payment == code.sale.offer?.payment)
            #expect(found.codeCounts == ["SPRING": 2, "AUTUMN": 0])
            try await expectFolded(handles)
        },
        Check("a signature that was used, or another number of a code's uses, is a conflict") {
            handles in
            let nonce = UUID()
            _ = try await sell(
                Sample.withOffer(.code, code: "SPRING", nonce: nonce), in: handles)
            func decision(_ nonce: UUID, _ count: Int) -> Decision {
                var decision = Decision(reads: [:], entries: [Sample.settings("kai")])
                decision.unusedSignatures = [nonce]
                decision.codeCounts = ["SPRING": count]
                return decision
            }
            let results = try await handles.other.append(
                [decision(nonce, 1), decision(UUID(), 0), decision(UUID(), 1)], at: Sample.now)
            #expect(results.map(\.isConflict) == [true, true, false])
        },
        Check("the first use is kept, and deleting its transaction makes it undone") { handles in
            let first = try await sell(
                Sample.withOffer(.introductory, code: "SPRING"), in: handles)
            _ = try await sell(Sample.withOffer(.introductory), in: handles)
            let group = OfferUse.Key(.introductory(SampleCatalog.group), by: "aoi")
            var found = try await handles.other.query { $0.offerUses = [group] }
            #expect(found.offerUses[group]?.transaction == first.id)
            try await handles.ledger.record(
                Sample.entry(
                    .revised(
                        TransactionRevision(
                            state: TransactionState(revision: 1, isDeleted: true),
                            change: .deleted(sold: first.sale.price, refunded: first.sale.price),
                            productID: first.sale.productID, type: first.sale.type)),
                    on: nil, number: .existing(first.id)))
            found = try await handles.other.query {
                $0.offerUses = [group, .init(.code("SPRING"), by: "aoi")]
            }
            #expect(found.offerUses.isEmpty)
            try await expectFolded(handles)
        },
        Check("an offer that waits for the renewal is used up by the change that planned it") {
            handles in
            let row = try await sell(Sample.period(dueAfter: 100), in: handles)
            let offer = Sample.offer(.promotional, code: nil, nonce: UUID())
            let item = DueItem(
                account: "aoi", chain: row.id, kind: .renewal, period: 2, at: Sample.after(100))
            try await handles.ledger.record(
                Sample.entry(
                    .subscriptionChanged(
                        SubscriptionChange(
                            event: SubscriptionEvent(
                                kind: .offerRedeemed, chain: row.id,
                                productID: row.sale.productID),
                            autoRenews: true, state: SubscriptionState(nextOffer: offer),
                            next: item)), on: nil))
            let nonce = try #require(offer.nonce)
            let found = try await handles.other.query {
                $0.usedSignatures = [nonce]
                $0.subscriptions = [.init(account: "aoi", id: row.id)]
            }
            #expect(found.usedSignatures[nonce]?.payment == offer.payment)
            #expect(found.subscriptions[row.id]?.state.nextOffer == offer)
            try await expectFolded(handles)
        },
    ]
}

extension Sample {
    static func offer(_ kind: OfferKind, code: String?, nonce: UUID?) -> SoldOffer {
        SoldOffer(
            kind: kind, id: kind == .introductory ? nil : "offer", mode: .freeTrial,
            period: SubscriptionPeriod(unit: .week, value: 1),
            price: Money(milliunits: 0, currency: "USD"), periodsLeft: 0, code: code, nonce: nonce,
            payment: kind == .introductory ? nil : PaymentID(UUID()))
    }

    /// The first period of a subscription, sold with an offer.
    static func withOffer(
        _ kind: OfferKind, code: String? = nil, nonce: UUID? = nil, to account: AccountName = "aoi"
    ) -> Entry {
        var entry = period(to: account, dueAfter: 1_000)
        guard case .sold(var sale) = entry.fact else { return entry }
        sale.offer = offer(kind, code: code, nonce: nonce)
        entry.fact = .sold(sale)
        return entry
    }
}
