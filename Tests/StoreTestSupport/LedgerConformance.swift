package import StoreEngine
import StoreModel
import Testing

/// What every ledger must do, checked one behaviour at a time. Whoever makes a ledger runs all of
/// `checks` on it.
package enum LedgerConformance {
    /// A new, empty ledger, reached in two ways at once: by two processes, if it can be shared.
    package struct Handles: Sendable {
        package var ledger: any Ledger
        package var other: any Ledger

        package init(ledger: any Ledger, other: any Ledger) {
            self.ledger = ledger
            self.other = other
        }
    }

    package struct Check: Sendable, CustomTestStringConvertible {
        package let testDescription: String
        package let run: @Sendable (Handles) async throws -> Void

        init(_ sentence: String, _ run: @escaping @Sendable (Handles) async throws -> Void) {
            testDescription = sentence
            self.run = run
        }
    }

    package static let checks = appending + reading + lookups + sharing
}

extension Ledger {
    /// Records entries that rest on nothing.
    @discardableResult
    func record(_ entries: Entry..., at now: Timestamp = Sample.now) async throws
        -> [RecordedEntry]
    {
        let decision = Decision(reads: [:], entries: entries)
        let results = try await append([decision], at: now)
        return try #require(results.first?.recorded)
    }

    func look(_ prepare: (inout LedgerQuery) -> Void = { _ in }) async throws -> LedgerSnapshot {
        var query = LedgerQuery()
        prepare(&query)
        return try await snapshot(query)
    }
}

extension AppendResult {
    /// Nil for a conflict.
    package var recorded: [RecordedEntry]? {
        if case .recorded(let entries) = self { entries } else { nil }
    }

    package var isConflict: Bool { recorded == nil }
}

/// Entries to record.
enum Sample {
    static let now = Timestamp(milliseconds: 1_800_000_000_000)
    static let start = FeedCursor(epoch: 1, position: 0)

    static func sold(
        _ product: ProductID = SampleCatalog.coins, _ type: ProductType = .consumable,
        to account: AccountName = "aoi", on device: DeviceName = "phone",
        payment: Payment? = nil, group: SubscriptionGroupID? = nil,
        expires: Timestamp? = nil, price: Money? = nil, isHosted: Bool? = nil,
        number: Entry.Number = .next
    ) -> Entry {
        let payment = payment ?? .of(product)
        let sale = Sale(
            payment: payment, type: type, groupID: group, purchaseDate: now, expiresDate: expires,
            storefront: "USA", price: price ?? payment.shownPrice, isHosted: isHosted)
        return entry(.sold(sale), of: account, on: device, number: number)
    }

    static func entry(
        _ fact: Entry.Fact, of account: AccountName? = "aoi", on device: DeviceName? = "phone",
        number: Entry.Number = .none
    ) -> Entry {
        Entry(account: account, device: device, effectiveAt: now, number: number, fact: fact)
    }

    static func settings(_ account: AccountName) -> Entry {
        entry(
            .accountChanged(AccountSettings(name: account, territory: "USA")), of: account,
            on: nil)
    }
}
