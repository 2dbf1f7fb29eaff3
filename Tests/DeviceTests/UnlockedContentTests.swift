import Foundation
import StoreCatalog
import StoreDevice
import StoreModel
import StoreTestSupport
import Testing

/// Content that something else than a download of its own purchase opens: a plan, the app itself,
/// or an amount of a balance.
@Suite("unlocked content", .timeLimit(.minutes(10))) struct UnlockedContentTests {
    private static let book = SampleCatalog.book
    /// Two packages that are part of the app, one of which costs 5 coins.
    private static let extras = SampleCatalog.otherTheme
    private static let cost = Grant(unit: "coins", amount: 5)

    private let home: Home

    init() async throws {
        home = try await Home { products in
            for index in products.indices {
                switch products[index].id {
                case Self.book: products[index].unlockedBy = "club"
                case SampleCatalog.yearly: products[index].unlocks = ["club"]
                case Self.extras:
                    var more = CatalogDelivery.Package(
                        id: "more", version: "1.0", path: "book/part/three")
                    more.cost = Self.cost
                    products[index].embedded = [
                        CatalogDelivery.Package(id: "notes", version: "1.0", path: "book/part"),
                        more,
                    ]
                default: break
                }
            }
        }
    }

    private func code(_ work: () async throws -> Void) async -> StoreError.Code? {
        do {
            try await work()
            return nil
        } catch { return (error as? StoreError)?.code }
    }

    private func read(
        _ path: String, _ contentID: String, of product: ProductID, on device: Device
    ) async throws -> Data {
        try await device.readContent(
            product: product, contentID: contentID, path: path, offset: 0, count: 100)
    }

    @Test("a plan opens a book while it is active, keeps its files, and opens it again [A15]")
    func plan() async throws {
        let device = try await home.launch()
        #expect(await code { try await device.resumeDownloads(of: Self.book) } == .notEntitled)
        _ = try await device.buy(.of(SampleCatalog.monthly))
        try await home.untilFinished()
        #expect(try await device.downloads().isEmpty, "it is downloaded when it is asked for")
        try await device.resumeDownloads(of: Self.book)
        try await home.until(device, .finished)
        #expect(try await device.contentFiles(of: Self.book).map(\.path) == Home.bookFiles)

        let plan = try #require(try await device.entitlements().value.first)
        _ = try await home.store.console.perform(.setAutoRenew(plan.transactionID, false))
        _ = try await home.store.console.perform(.clock(.advance(.seconds(32 * 86_400))))
        #expect(try await device.contentFiles(of: Self.book).isEmpty)
        #expect(
            await code { _ = try await read("one.txt", "text", of: Self.book, on: device) }
                == .contentUnavailable)
        #expect(
            await code {
                _ = try await home.session().contentManifest(product: Self.book, contentID: "text")
            } == .notEntitled)

        _ = try await device.buy(.of(SampleCatalog.monthly))
        try await home.untilFinished()
        #expect(try await device.contentFiles(of: Self.book).map(\.path) == Home.bookFiles)
        #expect(try await device.downloads().map(\.state) == [.finished])
        await device.close()
    }

    @Test("an upgrade to a plan that opens the same keeps what was downloaded [A15]")
    func upgradedPlan() async throws {
        let device = try await home.launch()
        _ = try await device.buy(.of(SampleCatalog.monthly))
        try await home.untilFinished()
        try await device.resumeDownloads(of: Self.book)
        try await home.until(device, .finished)
        _ = try await device.buy(.of(SampleCatalog.yearly))
        try await home.untilFinished()
        try await home.until(device) {
            try await device.deliveries().contains { $0.takenBack == .all }
        }
        #expect(try await device.downloads().map(\.state) == [.finished])
        #expect(try await device.contentFiles(of: Self.book).map(\.path) == Home.bookFiles)
        await device.close()
    }

    @Test("a refund of the plan removes the content that it opened")
    func refundedPlan() async throws {
        let device = try await home.launch()
        _ = try await device.buy(.of(SampleCatalog.monthly))
        try await home.untilFinished()
        try await device.resumeDownloads(of: Self.book)
        try await home.until(device, .finished)
        let plan = try #require(try await device.entitlements().value.first)
        _ = try await home.store.console.perform(.refund(plan.transactionID, .rest, reason: .other))
        try await home.until(device, .deleted)
        #expect(try await device.contentFiles(of: Self.book).isEmpty)
        await device.close()
    }

    @Test("content that is part of the app opens by buying, without a download or network [E7]")
    func embedded() async throws {
        let device = try await home.launch()
        #expect(try await device.contentFiles(of: Self.extras).isEmpty)
        let bought = try #require(try await device.buy(.of(Self.extras)).number)
        try await home.untilFinished()
        _ = try await device.products(nil)
        try await device.setNetwork(.off(milliseconds: nil))
        let files = try await device.contentFiles(of: Self.extras)
        #expect(files.map(\.path) == ["three/four.txt", "two.txt", "four.txt"])
        let text = try await read("three/four.txt", "notes", of: Self.extras, on: device)
        #expect(text == Data("End.".utf8))
        #expect(try await device.downloads().isEmpty)

        try await device.setNetwork(.on)
        _ = try await home.store.console.perform(.refund(bought, .rest, reason: .other))
        try await home.until(device) { try await device.contentFiles(of: Self.extras).isEmpty }
        await device.close()
    }

    @Test("what opening a package costs is spent once; an edited record opens nothing [A15]")
    func cost() async throws {
        let device = try await home.launch()
        func open() async throws -> Int64? {
            try await device.open("more", of: Self.extras, for: Self.cost)?.amount
        }
        func costs(_ device: Device) async throws -> [Grant?] {
            try await device.contentFiles(of: Self.extras).filter { $0.contentID == "more" }
                .map(\.cost)
        }
        func reading() async -> StoreError.Code? {
            await code { _ = try await read("four.txt", "more", of: Self.extras, on: device) }
        }
        _ = try await device.buy(.of(Self.extras))
        try await home.untilFinished()
        #expect(try await costs(device) == [Self.cost])
        #expect(await code { _ = try await open() } == .insufficientBalance)
        _ = try await device.buy(.of(SampleCatalog.coins))
        try await home.untilDelivered(2, on: device)
        #expect(await reading() == .notEntitled)
        #expect(try await open() == 5)
        for _ in 0..<2 { #expect(try await open() == nil, "it was open already") }
        #expect(try await costs(device) == [nil])
        #expect(await reading() == nil)
        try await home.untilFinished()
        await device.close()

        try home.alter("UPDATE spends SET id = randomblob(16)")
        let next = try await home.open()
        #expect(try await costs(next) == [Self.cost])
        await next.close()
    }

    @Test("a package costs the same where its product cannot be looked up [A15]")
    func costOffline() async throws {
        let home = try await Home { products in
            let cost = Self.cost
            for index in products.indices where products[index].id == Self.book {
                var text = CatalogDelivery.Package(id: "text", version: "1.0", path: "book")
                text.cost = cost
                products[index].delivery = .hosted([text])
            }
        }
        try await home.sell(Self.book, SampleCatalog.coins)
        // It has never kept what the shop sells.
        let first = try await home.open()
        try await first.setNetwork(.off(milliseconds: nil))
        await first.close()
        let device = try await home.open()
        #expect(await code { _ = try await device.products(nil) } == .networkError)
        #expect(try await device.contentFiles(of: Self.book).allSatisfy { $0.cost == Self.cost })
        #expect(
            await code { _ = try await read("empty.txt", "text", of: Self.book, on: device) }
                == .notEntitled)
        #expect(try await device.open("text", of: Self.book, for: Self.cost)?.amount == 5)
        #expect(try await read("part/three/four.txt", "text", of: Self.book, on: device).count == 4)
        // Opened by another process meanwhile: nothing is spent.
        #expect(try await device.open("text", of: Self.book, for: Self.cost) == nil)
        #expect(try await device.balances().coins == 5)
    }
}
