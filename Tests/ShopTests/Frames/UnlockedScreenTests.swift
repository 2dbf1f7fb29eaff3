@testable import Shop
import ShopText
@testable import StoreModel
import Terminal
import Testing

/// What is bought does something that can be seen: plans open books, coins open chapters, tools
/// work, and what is locked offers the product that unlocks it.
@Suite struct UnlockedScreenTests {
    private static let book: ProductID = "book.three"
    private static let tool: ProductID = "tool.copy"
    private static let size = Screens.usual
    private static let cost = Grant(unit: "coins", amount: 5)

    /// The plan of the sample shop opens `book`, as another product does; the tool copies passages.
    private static func shop(
        hasPlan: Bool = true, _ state: Download.State? = nil, owning owned: ProductID...
    ) -> ShopState {
        var shop = SampleShop.full()
        shop.take([.resized], on: size)
        var products = shop.productList.products
        for index in products.indices {
            switch products[index].id {
            case book: products[index].unlockedBy = "books"
            case "plus.month", "plus.year", "theme.stars": products[index].unlocks = ["books"]
            default: break
            }
        }
        var copying = Product(
            id: tool, type: .nonConsumable, displayName: "Copy passages",
            price: Money(milliunits: 990, currency: "USD"), priceLocale: "en_US")
        copying.unlocks = [.copyPassages]
        let answer = ProductsResponse(
            products: products + [copying], invalidProductIDs: [], catalogRevision: 2)
        shop.take([.productsArrived(answer)], on: size)
        var snapshot = shop.snapshot
        snapshot.delivered.formUnion(owned)
        if let state {
            let package = Download(
                transactionID: TransactionID(1_000_020), productID: book, contentID: "text",
                version: "1.2", state: state, bytesReceived: 0, bytesExpected: 3_200_000)
            snapshot.downloads[book] = ProductDownload([package], at: .zero)
        }
        if hasPlan {
            snapshot.delivered.insert("plus.month")
        } else {
            end(&snapshot)
        }
        shop.take([.accountArrived(snapshot), .messageFaded], on: size)
        return shop
    }

    private static func end(_ snapshot: inout AccountSnapshot) {
        snapshot.entitlements["plus.month"] = nil
        snapshot.subscriptions["plus"] = nil
    }

    private func text(_ shop: ShopState) -> String { Screens.draw(shop, Self.size).text }

    @Test("a failed purchase of a book that a plan opens leaves it open")
    func failedPurchase() throws {
        let cases: [(Download.State?, PageButton)] = [(nil, .download), (.finished, .read)]
        for (state, button) in cases {
            var shop = Self.shop(state)
            shop.purchasing.failures[Self.book] = StoreError(.paymentDeclined)
            let product = try #require(shop.productList.product(Self.book))
            let buttons = shop.pageButtons(for: product)
            #expect(buttons.contains(button) && buttons.contains(.buy), "\(buttons)")
        }
    }

    @Test("a book that a plan opens names the plan and its end, and is downloaded with it [A15]")
    func included() throws {
        var shop = Self.shop()
        let plan = shop.name(of: "plus.month")
        #expect(shop.ownedCount == SampleShop.full().ownedCount)
        #expect(text(shop).contains("until Dec 21"), "\(text(shop))")
        shop.openPage(Self.book)
        #expect(shop.choices == [.download, .buy, .back])
        #expect(text(shop).contains("Open with \(plan) until Dec 21. Thank you."))
        let effects = shop.take([.page(.pressed(button: 0))], on: Self.size)
        #expect(effects.contains(.content(.resumeDownloads, Self.book)), "\(effects)")

        shop = Self.shop(.finished)
        shop.openPage(Self.book)
        #expect(shop.choices == [.read, .buy, .back, .deleteContent])
        #expect(shop.librarySection(of: Self.book) == .here)
        #expect(!shop.isOwned(Self.book))
        #expect(try shop.status(Self.book).canBuy)
    }

    @Test(
        "the plan's end closes its book under the reader, and the page offers the plan [A15, B10]")
    func closed() throws {
        var shop = Self.shop(.finished)
        shop.openPage(Self.book)
        shop.take([.confirmed], on: Self.size)
        let content = SampleShop.opened(Self.book, text: SampleShop.story(paragraphs: 9))
        shop.take([.reader(.opened(content))], on: Self.size)
        #expect(shop.screen == .reader(Self.book))
        var snapshot = shop.snapshot
        Self.end(&snapshot)
        // Behind another view, the reader is closed without a page over that view.
        var elsewhere = shop
        elsewhere.take([.viewChosen(.history), .accountArrived(snapshot)], on: Self.size)
        #expect(elsewhere.reader == nil && elsewhere.screen == .history)
        let effects = shop.take([.accountArrived(snapshot)], on: Self.size)
        #expect(effects.contains(.closeContent))
        #expect(shop.reader == nil && shop.screen == .product(Self.book))
        #expect(
            shop.statusMessage?.what == .accessEnded(name: shop.name(of: Self.book)))
        #expect(shop.choices == [.buy, .seeOpener, .back, .deleteContent])
        #expect(text(shop).contains("Closed: your plan has ended."))
        var removing = shop
        removing.take([.contentChosen(.deleteContent), .choiceMoved(1)], on: Self.size)
        let removed = removing.take([.confirmed], on: Self.size)
        #expect(removed.contains(.content(.deleteContent, Self.book)), "\(removed)")
        #expect(shop.librarySection(of: Self.book) == .ended)
        shop.take([.page(.pressed(button: 1))], on: Self.size)
        #expect(shop.screen == .product("plus.month"))
        shop.take([.viewChosen(.library)], on: Screens.large)
        let library = Screens.draw(shop, Screens.large).text
        #expect(library.contains("closed, opens with"), "\(library)")
    }

    @Test("where everything is unlocked already, thanks stand before the offer [A15]")
    func thanks() throws {
        for hasPlan in [true, false] {
            var shop = Self.shop(hasPlan: hasPlan)
            shop.openPage("theme.stars")
            #expect(shop.choices == (hasPlan ? [.back, .buy] : [.buy, .back]))
            let name = shop.name(of: "plus.month")
            let isThanked = text(shop).contains("You already have all of this with \(name).")
            #expect(isThanked == hasPlan, "\(text(shop))")
        }
    }

    /// A book is open, whose second chapter costs coins.
    private func reading(_ shop: ShopState? = nil) -> (ShopState, ContentFile) {
        var shop = shop ?? Self.shop()
        var content = SampleShop.opened("book.one", text: SampleShop.story(paragraphs: 9))
        content.files[1].cost = Self.cost
        content.files[1].title = "The anchorage"
        shop.openPage("book.one")
        shop.take([.confirmed, .reader(.opened(content))], on: Self.size)
        return (shop, content.files[1])
    }

    @Test("a chapter that costs coins is asked for with the balance, and paid once [A15]")
    func coins() throws {
        let (opened, file) = reading()
        var shop = opened
        #expect(shop.take([.choiceMoved(1)], on: Self.size).isEmpty)
        #expect(shop.sheet == .question(QuestionSheet(.openPackage("book.one", file))))
        let question = text(shop)
        for words in ["\"The anchorage\" for 5 coins", "You have 30 coins", "25 coins left"] {
            #expect(question.contains(words), "\(question)")
        }
        #expect(shop.take([.confirmed], on: Self.size).isEmpty, "No is chosen first")
        let paying = shop.take([.choiceMoved(1), .choiceMoved(1), .confirmed], on: Self.size)
        #expect(paying == [.openPackage("book.one", file)])
        // Until the device has answered, no key pays again.
        #expect(shop.take([.choiceMoved(1)], on: Self.size).isEmpty)
        #expect(shop.sheet == nil)
        let left = Balance(unit: "coins", amount: 25)
        shop.take([.reader(.packageOpened(file, left))], on: Self.size)
        #expect(text(shop).contains("Opened \"The anchorage\". You have 25 coins left."))
        // Another process of the device was quicker.
        shop.take([.reader(.packageOpened(file, nil))], on: Self.size)
        #expect(text(shop).contains("\"The anchorage\" was open already. Nothing was spent."))
    }

    @Test("with too few coins the question leads to the coins [B10]")
    func tooFewCoins() throws {
        var shop = reading().0
        var snapshot = shop.snapshot
        snapshot.balances = [Balance(unit: "coins", amount: 3)]
        shop.take([.accountArrived(snapshot), .choiceMoved(1)], on: Self.size)
        #expect(text(shop).contains("You need 2 coins more."), "\(text(shop))")
        #expect(text(shop).contains("Get coins"))
        let effects = shop.take([.choiceMoved(1), .confirmed], on: Self.size)
        #expect(!effects.contains { if case .openPackage = $0 { true } else { false } })
        #expect(shop.screen == .product("coins.10"))
    }

    @Test("a tool works for its owner, and offers itself to everybody else [A15, B10]")
    func copying() throws {
        var shop = reading().0
        shop.take([.reader(.passageCopied)], on: Self.size)
        #expect(shop.screen == .product(Self.tool))
        #expect(shop.statusMessage?.what == .refused(.locked(name: "Copy passages")))

        shop = reading(Self.shop(owning: Self.tool)).0
        let effects = shop.take([.reader(.passageCopied)], on: Self.size)
        guard
            case .copy(.passage(let passage))? = effects.first(where: {
                if case .copy = $0 { true } else { false }
            })
        else {
            Issue.record("nothing was copied: \(effects)")
            return
        }
        #expect(passage.hasPrefix("1. The boat to Skerrow went every second Thursday"))
        #expect(passage.contains("\n2. The boat") || passage.contains("\n\n2. The boat"))
    }

    @Test("a customer reads no address of an app's server, and the console shows it")
    func serverTrouble() throws {
        var shop = Self.shop()
        var snapshot = shop.snapshot
        let package = Download(
            transactionID: TransactionID(1_000_001), productID: "book.one", contentID: "text",
            version: "1.2", state: .failed, bytesReceived: 0, bytesExpected: 9,
            error: StoreError(ContentServerFailure.unreachable, address: "127.0.0.1:8090"))
        snapshot.downloads["book.one"] = ProductDownload([package], at: .zero)
        shop.take([.accountArrived(snapshot)], on: Self.size)
        shop.openPage("book.one")
        let page = text(shop)
        #expect(page.contains("the publisher's server does not answer"), "\(page)")
        #expect(!page.contains("127.0.0.1") && !page.contains("storefront"), "\(page)")
        shop.take([.viewChosen(.console)], on: Screens.large)
        let console = Screens.draw(shop, Screens.large).text
        #expect(console.contains("127.0.0.1:8090"), "\(console)")
    }
}
