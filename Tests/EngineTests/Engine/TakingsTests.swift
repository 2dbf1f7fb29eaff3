import Foundation
import StoreEngine
import StoreModel
import StoreTestSupport
import Testing

@Suite("takings by day, product and territory")
struct TakingsTests {
    private static let tokyo = TimeZone(identifier: "Asia/Tokyo") ?? .gmt
    /// Half past three in the afternoon, UTC: half past midnight of the next day in Tokyo.
    private static let afternoon = Timestamp(iso8601: "2027-01-31T15:30:00Z") ?? .earliest

    private static func event(
        _ change: StoreEvent.Change, at instant: Timestamp = afternoon
    ) -> StoreEvent {
        StoreEvent(
            cursor: FeedCursor(epoch: 1, position: 1), at: instant, account: nil, device: nil,
            change: change)
    }

    private static func sale(
        _ number: Int64, _ product: ProductID = "coins", _ milliunits: Int64 = 990,
        ownership: TransactionPayload.Ownership = .purchased
    ) -> PastSale {
        PastSale(
            id: TransactionID(number), productID: product, type: .consumable,
            price: Money(milliunits: milliunits, currency: "USD"), ownership: ownership,
            purchasedAt: afternoon, storefront: "USA")
    }

    private static func revised(
        _ sale: PastSale, _ kind: RevisionKind, _ milliunits: Int64?
    ) -> StoreEvent.Change {
        .revised(
            PastRevision(
                id: sale.id, kind: kind, productID: sale.productID,
                money: milliunits.map { Money(milliunits: $0, currency: "USD") }, sale: sale))
    }

    /// Newest first, as a history; the sums in milliunits.
    static let changes: [(String, [StoreEvent.Change], sold: Int64, sales: Int64, back: Int64)] = [
        ("two sales", [.sold(sale(2)), .sold(sale(1))], 1_980, 2, 0),
        (
            "a family's share costs nothing",
            [.sold(sale(2, ownership: .familyShared)), .sold(sale(1))], 990, 1, 0
        ),
        ("a refund", [revised(sale(1), .refunded, 500), .sold(sale(1))], 990, 1, 500),
        (
            "a refund that was reversed",
            [
                revised(sale(1), .refundReversed, 990), revised(sale(1), .refunded, 990),
                .sold(sale(1)),
            ], 990, 1, 0
        ),
        ("the rest of a plan", [revised(sale(1), .upgraded, 300), .sold(sale(1))], 990, 1, 300),
        ("a revocation", [revised(sale(1), .revoked, nil), .sold(sale(1))], 990, 1, 0),
        (
            "a deleted sale counts nowhere, nor does its refund",
            [
                .deleted(TransactionID(1), productID: "coins", revision: 2), .sold(sale(2)),
                revised(sale(1), .refunded, 990), .sold(sale(1)),
            ], 990, 1, 0
        ),
    ]

    @Test("each event counts once", arguments: changes)
    func counts(
        name: String, changes: [StoreEvent.Change], sold: Int64, sales: Int64, back: Int64
    ) {
        var takings = Takings(by: [], in: .gmt)
        takings.add(HistoryPage(events: changes.map { Self.event($0) }, next: nil))
        let totals = SalesTotals(
            currency: "USD", soldMilliunits: sold, sales: sales, refundedMilliunits: back)
        #expect(takings.parts == [Takings.Part(totals: totals)], "\(name)")
    }

    @Test("a day begins at midnight in the given time zone, and parts are in order")
    func divided() {
        let evening = Self.afternoon.advanced(byMilliseconds: 9 * 3_600_000)
        let events = [
            Self.event(.sold(Self.sale(3, "theme")), at: evening), Self.event(.sold(Self.sale(2))),
            Self.event(.sold(Self.sale(1, "book"))),
        ]
        func parts(_ divisions: Set<Takings.Division>, _ zone: TimeZone) -> [String] {
            var takings = Takings(by: divisions, in: zone)
            takings.add(HistoryPage(events: events, next: nil))
            return takings.parts.map { part in
                [
                    part.day.map { $0.date.formatted(.iso8601) }, part.product?.rawValue,
                    part.territory, String(part.totals.sales),
                ].compactMap(\.self).joined(separator: " ")
            }
        }
        #expect(parts([.day], .gmt) == ["2027-01-31T00:00:00Z 2", "2027-02-01T00:00:00Z 1"])
        #expect(parts([.day], Self.tokyo) == ["2027-01-31T15:00:00Z 3"])
        #expect(parts([.product], .gmt) == ["book 1", "coins 1", "theme 1"])
        #expect(parts([.territory], .gmt) == ["USA 3"])
        #expect(
            parts([.day, .product], TimeZone(identifier: "America/New_York") ?? .gmt)
                == [
                    "2027-01-31T05:00:00Z book 1", "2027-01-31T05:00:00Z coins 1",
                    "2027-01-31T05:00:00Z theme 1",
                ])
    }

    static let rates: [(sold: Int64, back: Int64, Int, Int64)] = [
        (990, 0, 70_000, 693), (990, 990, 70_000, 0), (0, 990, 70_000, -693),
        (990, 0, 0, 0), (990, 0, 100_000, 990), (0, -990, 85_000, 841),
    ]

    @Test("proceeds are a part of what was sold and not refunded", arguments: rates)
    func proceeds(sold: Int64, back: Int64, rate: Int, left: Int64) {
        let totals = SalesTotals(currency: "USD", soldMilliunits: sold, refundedMilliunits: back)
        let proceeds = Takings.Part(totals: totals).proceeds(at: Share(millipercent: rate))
        #expect(proceeds == Money(milliunits: left, currency: "USD"))
    }

    @Test(
        "amounts are written as a spreadsheet reads them",
        arguments: [
            (3_990, "USD", "3.99"), (-3_990, "USD", "-3.99"), (480_000, "JPY", "480"),
            (300, "KWD", "0.300"), (693, "USD", "0.693"), (-693, "USD", "-0.693"),
            (0, "USD", "0.00"), (Int64.min, "KWD", "-9223372036854775.808"),
        ] as [(Int64, String, String)])
    func amounts(milliunits: Int64, currency: String, written: String) {
        #expect(Money(milliunits: milliunits, currency: currency).plainText == written)
    }

    @Test("all parts together are what the store keeps as its takings")
    func agrees() async throws {
        let store = try await TestStore()
        let console = store.console
        let session = store.session()
        var numbers: [TransactionID] = []
        for product in [
            SampleCatalog.coins, SampleCatalog.coins, SampleCatalog.theme, SampleCatalog.monthly,
            SampleCatalog.otherTheme,
        ] {
            numbers.append(try #require(try await session.purchase(.of(product)).number))
        }
        _ = try await console.perform(.refund(numbers[0], .percent(50), reason: .app))
        _ = try await console.perform(.refund(numbers[1], .rest, reason: .other))
        _ = try await console.perform(.reverseRefund(numbers[1]))
        _ = try await console.perform(.delete(numbers[2], wholeChain: false))
        store.clock.advance(byMilliseconds: 70 * 86_400_000)
        let kept = try await console.takings()
        #expect(kept.map(\.sales) == [6])
        for divisions: Set<Takings.Division> in [[], Set(Takings.Division.allCases)] {
            var takings = Takings(by: divisions, in: Self.tokyo)
            var next: FeedCursor?
            repeat {
                let page = try await console.history(before: next, filter: Takings.filter, limit: 3)
                takings.add(page)
                next = page.next
            } while next != nil
            var sum = SalesTotals(currency: "USD")
            for part in takings.parts { sum.add(part.totals) }
            #expect([sum] == kept)
            #expect(divisions.isEmpty || takings.parts.count > 3)
        }
    }
}
