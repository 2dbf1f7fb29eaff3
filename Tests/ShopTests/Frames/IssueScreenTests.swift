import Foundation
@testable import Shop
@testable import StoreModel
import Terminal
import Testing

/// The issues of a subscription on the screens: their titles and states, and reading them.
@Suite("the issues of a subscription on the screens") struct IssueScreenTests {
    private static let letters: ProductID = "letters"
    private static let day: Int64 = 86_400_000
    private static let titles = ["The oil store", "Birds at the glass", "The long watch"]

    /// The page of a free subscription to letters is open; the account may read the last two.
    private static func shop(
        _ states: [Download.State?], isSubscribed: Bool = true, in size: Size = Screens.usual
    ) -> ShopState {
        var shop = SampleShop.full()
        let ids = ["1", "2", "3"]
        let packages = zip(ids, states).compactMap { id, state in
            state.map {
                Download(
                    transactionID: TransactionID(1), productID: letters, contentID: id,
                    version: "1", state: $0, bytesReceived: $0 == .finished ? 900 : 90,
                    bytesExpected: 900)
            }
        }
        let product = Product(
            id: letters, type: .autoRenewable, section: "Letters", displayName: "Letters",
            price: Money(milliunits: 0, currency: "USD"), priceLocale: "en_US",
            subscription: SubscriptionInfo(
                groupID: "letters", groupName: "Letters", level: 1, period: nil),
            delivery: isSubscribed
                ? .hosted(ids.dropFirst().map { HostedContent(id: $0, version: "1", length: 900) })
                : .embedded,
            issues: zip(ids, titles).enumerated().map { number, issue in
                PublishedIssue(
                    id: issue.0, title: issue.1,
                    date: SampleShop.now.advanced(byMilliseconds: Int64(number - 2) * 30 * day),
                    isOwned: isSubscribed && number > 0)
            })
        shop.take([.resized], on: size)
        let answer = ProductsResponse(
            products: shop.productList.products + [product], invalidProductIDs: [],
            catalogRevision: 2)
        shop.take([.productsArrived(answer)], on: size)
        var snapshot = shop.snapshot
        if isSubscribed {
            snapshot.delivered.insert(letters)
            snapshot.entitlements[letters] = AccountSnapshot.Entitled(
                transactionID: TransactionID(1), until: nil)
            if !packages.isEmpty {
                snapshot.downloads[letters] = ProductDownload(packages, at: .zero)
            }
        }
        shop.take([.accountArrived(snapshot), .messageFaded], on: size)
        shop.openPage(letters)
        return shop
    }

    private static func buttons(_ shop: ShopState) -> [PageButton] { shop.choices }

    @Test("the page lists the titles of all issues, newest first, each with its state [D5, D9]")
    func listed() throws {
        let states: [([Download.State?], String)] = [
            ([nil, .finished, .finished], "on this device"),
            ([nil, .finished, .active], "downloading"),
            ([nil, .finished, .paused], "paused"), ([nil, .finished, .failed], "download failed"),
            ([nil, .finished, nil], "not downloaded"),
        ]
        for (packages, expected) in states {
            for size in [Screens.smallest, Screens.usual, Screens.large] {
                var shop = Self.shop(packages, in: size)
                var text = Screens.draw(shop, size).text
                shop.take([.selectionMoved(.pageDown)], on: size)
                text += Screens.draw(shop, size).text
                let isTold =
                    text.contains(expected) || expected == "on this device" && text.contains("✓")
                #expect(isTold, "\(expected) \(text)")
                guard size != Screens.smallest else { continue }
                let places = Self.titles.compactMap { text.range(of: $0)?.lowerBound }
                #expect(places.count == 3 && places == places.sorted(by: >), "\(text)")
            }
        }
        let before = Screens.draw(Self.shop([], isSubscribed: false), Screens.usual).lines
        #expect(before.contains { $0.contains(/The long watch +comes with the subscription/) })
        #expect(before.contains { $0.contains(/The oil store +not included/) })
    }

    @Test("issues on this device are read, and missing ones downloaded, from the page [D5, D9]")
    func buttons() {
        let buttons = Self.buttons
        #expect(buttons(Self.shop([nil, .finished, .finished])).prefix(2) == [.read, .back])
        #expect(buttons(Self.shop([nil, .finished, nil])).prefix(3) == [.read, .download, .back])
        #expect(buttons(Self.shop([])).prefix(2) == [.download, .back])
        #expect(buttons(Self.shop([nil, .finished, .failed])).prefix(2) == [.resume, .read])
        #expect(buttons(Self.shop([nil, .deleted, .deleted])).prefix(2) == [.read, .download])
        var shop = Self.shop([nil, .finished, .finished])
        shop.take([.confirmed], on: Screens.usual)
        #expect(shop.screen == .reader(Self.letters))
        shop = Self.shop([nil, .finished, nil])
        let effects = shop.take([.page(.pressed(button: 1))])
        #expect(effects.contains(.content(.resumeDownloads, Self.letters)), "\(effects)")
    }

    @Test("a chapter is called by the title that its text gives itself, else by its file")
    func chapterTitles() {
        var shop = SampleShop.full()
        shop.take([.selectionMoved(.first), .confirmed, .confirmed], on: Screens.usual)
        var content = SampleShop.opened("book.one", text: "Dear reader,")
        content.files[0].title = "1. The boat\u{1B}[31m"
        shop.take([.reader(.opened(content))], on: Screens.usual)
        shop.take([.confirmed], on: Screens.usual)
        let text = Screens.draw(shop, Screens.usual).text
        #expect(text.contains("1  The boat") && !text.contains("01-the-boat.txt"), "\(text)")
        #expect(text.contains("1 of 3: The boat"), "\(text)")
        #expect(text.contains("02-the-log.txt"), "\(text)")
    }

    @Test("the reader and its list of chapters name issues by their titles and days")
    func reading() {
        var shop = Self.shop([nil, .finished, .finished])
        shop.take([.confirmed], on: Screens.usual)
        var content = SampleShop.opened(Self.letters, text: "Dear reader,")
        content.files = ["2", "3"].map { id in
            ContentFile(
                contentID: id, version: "1", path: "letter.txt", absolutePath: "/\(id)/letter.txt",
                length: 12, kind: .text)
        }
        content.number = 1
        shop.take([.reader(.opened(content))], on: Screens.usual)
        #expect(Screens.draw(shop, Screens.usual).text.contains("2 of 2: The long watch"))
        shop.take([.confirmed], on: Screens.usual)
        let lines = Screens.draw(shop, Screens.usual).lines
        for title in Self.titles.dropFirst() {
            #expect(lines.contains { $0.contains(title) })
        }
        #expect(!lines.contains { $0.contains("letter.txt") })
    }

    @Test(
        "after the sale the products are asked for again: they say which issues the account may read"
    )
    func afterTheSale() {
        var shop = Self.shop([], isSubscribed: false)
        let moment = ShopMoment(
            now: SampleShop.now, paymentID: SampleShop.payment(0),
            viewport: Screens.viewport(Screens.usual, in: shop))
        var payload = SampleShop.payload("book.one", 1)
        payload.productId = Self.letters
        let effects = shop.reduce(
            .updateArrived(.transaction(.verified(payload), signed: "a.b.c", isNew: true)), moment)
        #expect(effects.contains(.loadProducts))
    }
}
