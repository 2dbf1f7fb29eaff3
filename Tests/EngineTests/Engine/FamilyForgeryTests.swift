import Foundation
import StoreEngine
import StoreModel
import StoreSigning
import StoreTestSupport
import Testing

/// Shares that a forger has written into the ledger, and edited signed ones, entitle nobody.
@Suite("forged family shares", .timeLimit(.minutes(10)))
struct FamilyForgeryTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let theme = SampleCatalog.otherTheme

    /// The genuine rows that a forger can copy: kai's theme with aoi's share of it, kai's
    /// subscription with aoi's share of it, and nia's share of the theme, which ended when nia left
    /// the family. mo was never a member.
    struct Scene {
        let store: TestStore
        let sold: TransactionRow
        let share: TransactionRow
        let period: TransactionRow
        let sharedPeriod: TransactionRow
        let lost: TransactionRow

        fileprivate init(_ ledger: any Ledger) async throws {
            store = try await TestStore(ledger: ledger, elapsed: nil)
            for action: FamilyAction in [
                .create(organizer: "kai"), .join("aoi", organizer: "kai", role: .adult),
                .join("nia", organizer: "kai", role: .child),
            ] { _ = try await store.console.perform(.family(action)) }
            for product in [FamilyForgeryTests.theme, SampleCatalog.monthly, SampleCatalog.coins] {
                _ = try await store.session(account: "kai").purchase(.of(product))
            }
            _ = try await store.console.perform(.family(.leave("nia")))
            let ledger = store.ledger
            func row(_ account: AccountName, _ product: ProductID) async throws -> TransactionRow {
                let rows = try await ledger.transactions(
                    of: account, before: nil, kinds: Set(ProductType.allCases),
                    entitlingOnly: false, limit: 100)
                return try #require(rows.first { $0.sale.productID == product })
            }
            sold = try await row("kai", FamilyForgeryTests.theme)
            share = try await row("aoi", FamilyForgeryTests.theme)
            period = try await row("kai", SampleCatalog.monthly)
            sharedPeriod = try await row("aoi", SampleCatalog.monthly)
            lost = try await row("nia", FamilyForgeryTests.theme)
        }

        fileprivate func write(_ entries: Entry...) async throws {
            _ = try await store.ledger.append(
                [Decision(reads: [:], entries: entries)], at: store.clock.now())
        }

        /// A share as the engine would write it, with one change.
        fileprivate func forged(
            _ from: TransactionRow, for account: AccountName,
            _ change: (inout Sale) -> Void = { _ in }
        ) -> Entry {
            var sale = from.sale
            change(&sale)
            return Entry(
                account: account, device: nil, effectiveAt: sale.purchaseDate, number: .next,
                fact: .sold(sale))
        }

        fileprivate func revised(_ row: TransactionRow, _ state: TransactionState) -> Entry {
            Entry(
                account: row.account, device: nil, effectiveAt: row.sale.purchaseDate,
                number: .existing(row.id),
                fact: .revised(
                    TransactionRevision(
                        state: state,
                        change: .refundReversed(.init(milliunits: 0, currency: "USD")),
                        productID: row.sale.productID, type: row.sale.type)))
        }
    }

    struct Forgery: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// The account to which the forgery should give the product.
        var account: AccountName
        var write: @Sendable (Scene) async throws -> Void
    }

    static let forgeries: [Forgery] = [
        Forgery(testDescription: "a share for an account that is no member", account: "mo") {
            try await $0.write($0.forged($0.share, for: "mo"))
        },
        Forgery(testDescription: "a share for a member that has left", account: "nia") {
            try await $0.write($0.forged($0.sharedPeriod, for: "nia") { $0.original = nil })
        },
        Forgery(testDescription: "a share that came back after leaving", account: "nia") { scene in
            try await scene.write(
                scene.revised(scene.lost, TransactionState(revision: 2, revocation: nil)))
        },
        Forgery(testDescription: "a share of a sale that there is not", account: "aoi") { scene in
            try await scene.write(
                scene.forged(scene.share, for: "aoi") {
                    $0.cause = .familyShare(of: TransactionID(9_999_999))
                    $0.productID = SampleCatalog.book
                })
        },
        Forgery(testDescription: "a share of another product than was sold", account: "aoi") {
            scene in
            try await scene.write(
                scene.forged(scene.share, for: "aoi") { $0.productID = SampleCatalog.book })
        },
        Forgery(testDescription: "a share of a consumable", account: "aoi") { scene in
            let coins = try await scene.store.ledger.transactions(
                of: "kai", before: nil, kinds: [.consumable], entitlingOnly: false, limit: 1)
            let id = try #require(coins.first?.id)
            try await scene.write(
                scene.forged(scene.share, for: "aoi") {
                    $0.cause = .familyShare(of: id)
                    $0.productID = SampleCatalog.coins
                })
        },
        Forgery(testDescription: "a share that lasts longer than its sale", account: "aoi") {
            scene in
            try await scene.write(
                scene.forged(scene.sharedPeriod, for: "aoi") {
                    $0.expiresDate = $0.expiresDate?.advanced(byMilliseconds: 86_400_000)
                })
        },
        Forgery(testDescription: "a share by a member who did not buy it", account: "aoi") {
            scene in
            try await scene.write(
                scene.forged(scene.share, for: "aoi") { $0.share?.owner = "nia" })
        },
        Forgery(testDescription: "a share of the account's own sale", account: "kai") { scene in
            try await scene.write(
                scene.forged(scene.sharedPeriod, for: "kai") {
                    $0.productID = SampleCatalog.yearly
                })
        },
        Forgery(testDescription: "a share of a share", account: "aoi") { scene in
            try await scene.write(
                scene.forged(scene.share, for: "aoi") {
                    $0.cause = .familyShare(of: scene.share.id)
                    $0.share?.owner = "aoi"
                })
        },
        Forgery(testDescription: "a share of another chain than its sale's", account: "aoi") {
            scene in
            try await scene.write(
                scene.forged(scene.sharedPeriod, for: "aoi") {
                    $0.share?.chain = scene.sold.id
                })
        },
        Forgery(testDescription: "a share that does not say whose", account: "aoi") { scene in
            try await scene.write(scene.forged(scene.share, for: "aoi") { $0.share = nil })
        },
        Forgery(testDescription: "a share of a sale that was refunded", account: "aoi") { scene in
            _ = try await scene.store.console.perform(
                .refund(scene.sold.id, .rest, reason: .other))
            try await scene.write(
                scene.revised(scene.share, TransactionState(revision: 2, revocation: nil)))
        },
        Forgery(testDescription: "a share of a sale that was deleted", account: "aoi") { scene in
            _ = try await scene.store.console.perform(.delete(scene.sold.id, wholeChain: false))
            try await scene.write(
                scene.revised(scene.share, TransactionState(revision: 2, revocation: nil)))
        },
        Forgery(testDescription: "a share of what its owner keeps back", account: "aoi") { scene in
            _ = try await scene.store.console.perform(
                .family(.setSharing("kai", theme, false)))
            try await scene.write(
                scene.revised(scene.share, TransactionState(revision: 2, revocation: nil)))
        },
    ]

    @Test("a share that the store did not decide entitles nobody [F8]", arguments: forgeries)
    func forgedInLedger(_ forgery: Forgery) async throws {
        for kind in LedgerKind.allCases {
            let folder = try TemporaryFolder()
            let ledger = try kind.make(in: folder)
            let scene = try await Scene(ledger)
            let session = scene.store.session(account: forgery.account, device: "tablet")
            _ = try await session.entitlements()
            do {
                try await forgery.write(scene)
            } catch let error as StoreError {
                // A ledger that allows one share of a sale per member refuses a second one.
                #expect(kind == .sqlite, "\(error)")
                continue
            }
            let error = await #expect(throws: StoreError.self) {
                try await session.entitlements()
            }
            #expect(error?.code == .storeUnreadable && error?.subject == "family share")
            await #expect(throws: StoreError.self) { try await session.familyStatus() }
            _ = try await scene.store.session(account: "zoe").entitlements()
        }
    }

    @Test("a forged sale is handed to no device", arguments: LedgerKind.allCases)
    func forgedInFeed(_ kind: LedgerKind) async throws {
        let scene = try await Scene(kind.make(in: folder))
        let session = scene.store.session(account: "mo", device: "tablet")
        let cursor = try await session.head()
        try await scene.write(
            scene.forged(scene.share, for: "mo") { $0.productID = SampleCatalog.book })
        var feed = session.updates(after: cursor).makeAsyncIterator()
        await #expect(throws: StoreError.self) { try await feed.next() }
        await #expect(throws: StoreError.self) {
            try await session.unfinished(allDevices: true)
        }
        await #expect(throws: StoreError.self) {
            try await session.restorable(before: nil, limit: 10)
        }
        _ = try await scene.store.console.history(before: nil, filter: HistoryFilter(), limit: 10)
    }

    /// The edits in the payload of a signed share: a member before and after.
    static let edits: [(String, String)] = [
        (#""inAppOwnershipType":"FAMILY_SHARED""#, #""inAppOwnershipType":"PURCHASED""#),
        (#""productId":"test.theme.other""#, #""productId":"test.theme""#),
        (#""price":0"#, #""price":2990"#),
        (#""currency":"USD""#, #""currency":"JPY""#),
        (#""quantity":1"#, #""quantity":9"#),
    ]

    @Test("an edited share does not verify", arguments: edits)
    func editedText(_ was: String, _ becomes: String) async throws {
        let scene = try await Scene(InMemoryLedger())
        let signed = try await scene.store.session(account: "aoi").transaction(scene.share.id)
        let parts = signed.rawValue.split(separator: ".").map(String.init)
        let payload = try #require(Self.decoded(parts[1]))
        #expect(payload.contains(was), "\(payload)")
        let edited = Self.encoded(payload.replacingOccurrences(of: was, with: becomes))
        let forged = SignedTransaction("\(parts[0]).\(edited).\(parts[2])")
        let verifier = try TestStore.verifier()
        guard case .unverified(_, .invalidSignature) = await verifier.verify(forged) else {
            Issue.record("verified")
            return
        }
        guard case .verified = await verifier.verify(signed) else {
            Issue.record("the share itself does not verify")
            return
        }
    }

    private static func decoded(_ part: String) -> String? {
        var text = part.replacingOccurrences(of: "-", with: "+")
            .replacingOccurrences(of: "_", with: "/")
        text += String(repeating: "=", count: (4 - text.count % 4) % 4)
        return Data(base64Encoded: text).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func encoded(_ text: String) -> String {
        Data(text.utf8).base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }
}
