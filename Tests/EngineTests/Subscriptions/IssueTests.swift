import Foundation
@testable import StoreCatalog
import StoreEngine
import StoreModel
import StoreTestSupport
import Testing

/// Published issues: which of them an account may read and download.
@Suite("published issues") struct IssueTests {
    private static let day: Int64 = 86_400_000

    /// A catalog whose monthly plan publishes one issue every 30 days, the first one 10 days ago.
    private static func catalog(in folder: TemporaryFolder, from start: Timestamp) throws
        -> Catalog
    {
        var catalog = SampleCatalog.catalog()
        catalog.contentFolder = folder.path
        let issues = try (0..<5).map { number in
            let path = "issue-\(number)"
            try Data("Issue \(number)".utf8).write(to: URL(filePath: folder.path + "/" + path))
            return CatalogProduct.Issue(
                title: ["en": "Issue \(number)"],
                date: start.advanced(byMilliseconds: (Int64(number) * 30 - 10) * day),
                package: .init(id: path, version: "1", path: path))
        }
        for index in catalog.products.indices
        where catalog.products[index].id == SampleCatalog.monthly {
            catalog.products[index].issues = issues
            catalog.products[index].isFamilyShareable = true
        }
        return catalog
    }

    private let folder: TemporaryFolder
    private let store: TestStore

    init() async throws {
        folder = try TemporaryFolder()
        store = try await TestStore(
            elapsed: nil, catalog: Self.catalog(in: folder, from: ManualClock().now()))
    }

    private func owned(by account: AccountName = "aoi") async throws -> [String] {
        let products = try await store.session(account: account)
            .products([SampleCatalog.monthly]).products
        let product = try #require(products.first)
        let ids = (product.issues ?? []).filter(\.isOwned).map(\.id)
        #expect(product.hostedContent.map(\.id) == ids)
        return ids
    }

    private func days(_ count: Int) async throws {
        _ = try await store.console.perform(
            .clock(.advance(.calendar(SubscriptionPeriod(unit: .day, value: count)))))
    }

    /// The error for which an issue cannot be downloaded; nil if it can.
    private func code(
        _ id: String, by account: AccountName = "aoi"
    ) async throws -> StoreError.Code? {
        do throws(StoreError) {
            _ = try await store.session(account: account).contentManifest(
                product: SampleCatalog.monthly, contentID: id)
            return nil
        } catch { return error.code }
    }

    @Test("beside an entry of a newer program products are listed, without issues as the account's")
    func unknownEntry() async throws {
        _ = try await store.session().purchase(.of(SampleCatalog.monthly))
        #expect(try await owned() == ["issue-0"])
        for account: AccountName? in ["aoi", nil] {
            let entry = Entry(
                account: account, device: nil, effectiveAt: store.clock.now(),
                fact: .unknown(kind: 99, body: Data([1])))
            _ = try await store.ledger.append(
                [Decision(reads: [:], entries: [entry])], at: store.clock.now())
            #expect(try await owned() == [])
            // The answer needs all entries of the account, so unknown ones are refused.
            #expect(try await code("issue-0") == .storeNewer)
            #expect(
                try await store.session().products(nil).products.count
                    == SampleCatalog.catalog().products.count)
        }
        #expect(try await owned(by: "kai") == [])
    }

    @Test(
        "the newest issue is there at once, later ones arrive, all stay after a lapse [D5, D9, E2]")
    func life() async throws {
        #expect(try await owned() == [])
        #expect(try await code("issue-0") == .notEntitled)
        let session = store.session()
        let bought = try #require(
            try await session.purchase(.of(SampleCatalog.monthly)).number)
        #expect(try await owned() == ["issue-0"])
        #expect(try await code("issue-0") == nil)
        #expect(try await code("issue-1") == .notEntitled)
        let answer = try await session.products([SampleCatalog.monthly])
        #expect(answer.products.first?.issues?.map(\.id) == ["issue-0"], "the next is no issue yet")
        #expect(answer.changesAt != nil, "it tells when the next one comes")
        try await days(25)
        #expect(try await owned() == ["issue-0", "issue-1"])
        _ = try await store.console.perform(.expire(bought))
        // issue-2 is published while the account does not subscribe.
        try await days(30)
        #expect(try await owned() == ["issue-0", "issue-1"])
        #expect(try await code("issue-1") == nil)
        #expect(try await code("issue-2") == .notEntitled)
        // Subscribing again gives the newest issue, but not those published between.
        try await days(30)
        _ = try await session.purchase(.of(SampleCatalog.monthly))
        #expect(try await owned() == ["issue-0", "issue-1", "issue-3"])
        #expect(try await code("issue-2") == .notEntitled)
        let unknown = try await code("issue-9")
        #expect(unknown == .contentUnavailable)
    }

    @Test("a period that was refunded brings nothing; one that was upgraded counts until then")
    func takenBack() async throws {
        let session = store.session()
        let first = try #require(
            try await session.purchase(.of(SampleCatalog.monthly)).number)
        _ = try await store.console.perform(.refund(first, .rest, reason: .other))
        #expect(try await owned() == [])
        _ = try await session.purchase(.of(SampleCatalog.monthly))
        try await days(25)
        _ = try await session.purchase(.of(SampleCatalog.yearly))
        try await days(40)
        #expect(try await owned() == ["issue-0", "issue-1"])
    }

    @Test("a family member reads the issues of the time it was shared with")
    func shared() async throws {
        for action in [
            FamilyAction.create(organizer: "aoi"), .join("kai", organizer: "aoi", role: .adult),
        ] { _ = try await store.console.perform(.family(action)) }
        _ = try await store.session().purchase(.of(SampleCatalog.monthly))
        try await days(25)
        #expect(try await owned(by: "kai") == ["issue-0", "issue-1"])
        #expect(try await code("issue-1", by: "kai") == nil)
        #expect(try await code("issue-1", by: "noor") == .notEntitled)
    }

    @Test("issues go on through the grace period")
    func grace() async throws {
        _ = try await store.session().purchase(.of(SampleCatalog.monthly))
        _ = try await store.console.perform(
            .setRenewals(RenewalsChange(failsBilling: true, hasGracePeriod: true)))
        try await days(45)
        #expect(try await store.session().subscriptionStatuses().first?.state == .inGracePeriod)
        try await days(6)
        _ = try await store.console.perform(
            .setRenewals(RenewalsChange(failsBilling: true, hasGracePeriod: true)))
        #expect(try await owned() == ["issue-0", "issue-1"])
    }
}
