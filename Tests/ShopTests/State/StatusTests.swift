import Basics
@testable import Shop
import ShopText
@testable import StoreModel
import Testing

/// The status of a product, for every state of account and device.
@Suite struct StatusTests {
    struct Row: Sendable {
        var product: ProductID
        var name: String
        var buttons: [PageButton]
    }

    private static let rows = [
        Row(
            product: "book.one", name: "owned",
            buttons: [.read, .back, .deleteContent, .receipt, .requestRefund]),
        Row(
            product: "book.two", name: "downloading",
            buttons: [.pause, .cancelDownload, .back, .receipt]),
        Row(product: "book.three", name: "buyable", buttons: [.buy, .back]),
        Row(
            product: "book.four", name: "paused",
            buttons: [.resume, .cancelDownload, .back, .receipt]),
        Row(
            product: "book.five", name: "downloadFailed",
            buttons: [.resume, .cancelDownload, .back, .receipt]),
        Row(product: "book.six", name: "notDownloaded", buttons: [.download, .back, .receipt]),
        Row(
            product: "theme.sepia", name: "waitingForAnswer",
            buttons: [.back, .withdraw, .openConsole]),
        Row(product: "theme.sports", name: "buyable", buttons: [.buy, .back]),
        Row(product: "theme.contrast", name: "failed", buttons: [.buy, .back]),
        Row(product: "theme.serif", name: "purchasing", buttons: [.back]),
        Row(product: "theme.paper", name: "ownedElsewhere", buttons: [.restore, .back]),
        Row(
            product: "theme.night", name: "owned",
            buttons: [.use, .back, .receipt, .requestRefund]),
        Row(product: "coins.10", name: "buyable", buttons: [.buy, .back]),
        Row(product: "plus.month", name: "plan", buttons: [.manage, .back, .requestRefund]),
        Row(product: "plus.year", name: "change", buttons: [.buy, .manage, .back]),
        Row(
            product: "pass.season", name: "timed",
            buttons: [.back, .buy, .receipt, .requestRefund]),
    ]

    @Test("each product of the sample shop has its status and buttons [A2]", arguments: rows)
    func theSampleShopHasEveryStatus(_ row: Row) throws {
        let state = SampleShop.full()
        let product = try state.product(row.product)
        #expect(Self.name(state.status(of: product)) == row.name)
        #expect(state.pageButtons(for: product) == row.buttons)
        #expect(state.status(of: product).canBuy == row.buttons.contains(.buy))
        #expect((state.refusal(toBuy: product) == nil) == row.buttons.contains(.buy))
    }

    @Test(
        "the sample shop has a product in every status that is not only of a subscription's life")
    func noStatusIsLeftOut() {
        let all = [
            "buyable", "purchasing", "waitingForAnswer", "failed", "downloading", "paused",
            "downloadFailed", "notDownloaded", "owned", "ownedElsewhere", "plan", "change",
            "timed",
        ]
        #expect(Set(Self.rows.map(\.name)) == Set(all))
    }

    @Test("a status carries its details")
    func aStatusCarriesItsDetails() throws {
        let state = SampleShop.full()
        #expect(try state.status("theme.sports") == .buyable(isFree: true))
        #expect(try state.status("theme.night") == .owned(isRestored: true))
        #expect(try state.status("book.one") == .owned(isRestored: false))
        #expect(
            try state.status("theme.sepia")
                == .waitingForAnswer(request: TransactionID(1_000_008), .askToBuy))
        #expect(try state.status("plus.month") == .plan(.renews(SampleShop.planEnd)))
        // Without a verified status of the subscription, the shop knows only the entitlement.
        var unknown = SampleShop.full()
        unknown.snapshot.subscriptions = [:]
        guard case .groupTaken(let other, let until) = try unknown.status("plus.year") else {
            Issue.record("not taken")
            return
        }
        #expect(other == "plus.month")
        #expect(until == nil, "it renews: no day is known from which this could be bought")
        var ending = unknown
        ending.snapshot.entitlements["plus.month"]?.renews = false
        let end = ending.snapshot.entitlements["plus.month"]?.until
        #expect(end != nil)
        #expect(
            try ending.status(of: ending.product("plus.year"))
                == .groupTaken(by: "plus.month", until: end))
    }

    // MARK: - Conflicting states of one product

    private func state(_ change: (inout ShopState) -> Void) -> ShopState {
        var state = SampleShop.empty()
        change(&state)
        return state
    }

    @Test("a payment under way overrides every other status")
    func aPaymentUnderWayComesBeforeAllElse() throws {
        let full = SampleShop.full()
        for product in full.productList.products {
            var state = full
            state.purchasing.underWay[product.id] = PurchaseInFlight(payment: SampleShop.payment(1))
            #expect(state.status(of: product) == .purchasing)
        }
    }

    @Test("a queued payment is under way until it is deferred [A2]")
    func aPaymentInTheQueueIsUnderWayUntilItIsDeferred() throws {
        var queued = SampleShop.waiting
        queued.state = .purchasing
        let state = state { $0.snapshot.queued["theme.sepia"] = queued }
        #expect(try state.status("theme.sepia") == .purchasing)
    }

    /// A failed payment matters only while the product can be bought.
    @Test("an owned product shows no earlier failure")
    func anOwnedProductShowsNoEarlierFailure() throws {
        var state = SampleShop.full()
        let before = state
        for product in state.productList.products {
            state.purchasing.failures[product.id] = StoreError(.networkError)
        }
        for product in state.productList.products where !before.status(of: product).canBuy {
            #expect(state.status(of: product) == before.status(of: product), "\(product.id)")
        }
        #expect(try state.status("book.three") == .failed(StoreError(.networkError)))
    }

    @Test("a consumable can always be bought again")
    func aConsumableCanAlwaysBeBoughtAgain() throws {
        let state = state {
            $0.snapshot.delivered = ["coins.10"]
            $0.snapshot.entitlements["coins.10"] = AccountSnapshot.Entitled(
                transactionID: TransactionID(1), until: nil)
        }
        #expect(try state.status("coins.10") == .buyable(isFree: false))
    }

    @Test(
        "a download of a product that is not delivered is ignored",
        arguments: Download.State.allCases)
    func aDownloadOfWhatIsNotDeliveredSaysNothing(_ download: Download.State) throws {
        let state = state {
            $0.snapshot.downloads["book.one"] = ProductDownload(
                [Self.package(download)], at: .zero)
        }
        #expect(try state.status("book.one") == .buyable(isFree: false))
    }

    @Test(
        "a delivered product's status follows its download",
        arguments: [
            (Download.State.waiting, "downloading"), (.active, "downloading"), (.paused, "paused"),
            (.failed, "downloadFailed"), (.finished, "owned"), (.cancelled, "notDownloaded"),
            (.deleted, "notDownloaded"),
        ])
    func aDownloadsStateIsTheProducts(_ download: Download.State, _ name: String) throws {
        let state = state {
            $0.snapshot.delivered = ["book.one"]
            $0.snapshot.downloads["book.one"] = ProductDownload(
                [Self.package(download)], at: .zero)
        }
        #expect(Self.name(try state.status("book.one")) == name)
    }

    @Test(
        "several packages are shown as one download",
        arguments: [
            ([Download.State.finished, .failed, .active], Download.State.failed),
            ([.active, .paused], .active), ([.paused, .finished], .paused),
            ([.finished, .waiting], .waiting),
            ([.waiting, .active], .active), ([.finished, .finished], .finished),
            ([.finished, .cancelled], .cancelled), ([], .finished),
        ])
    func severalPackagesAreOneDownload(_ states: [Download.State], _ whole: Download.State) {
        let download = ProductDownload(states.map(Self.package), at: .zero)
        #expect(download.state == whole)
        // What was cancelled beside others is not to come, and does not count.
        let counted = states.count { $0 != .cancelled }
        #expect(download.received == Int64(counted * 50))
        #expect((0...1).contains(download.progress))
    }

    @Test("a download's rate changes at most twice a second")
    func aDownloadsRateChangesAtMostTwiceASecond() {
        var earlier = ProductDownload([Self.package(.active)], at: .seconds(3))
        earlier.rate = 100
        for (milliseconds, rate) in [(499, 100.0), (500, 7.0)] {
            var later = ProductDownload(
                [Self.package(.active)],
                at: .seconds(3) + .milliseconds(milliseconds))
            later.rate = 7
            #expect(later.steady(after: earlier).rate == rate)
        }
    }

    /// A package: its state, how many of its 1,000 bytes are missing, and its rate.
    struct Package: Sendable {
        var state: Download.State
        var left: Int64
        var rate: Double?

        init(_ state: Download.State, _ left: Int64, _ rate: Double? = nil) {
            self.state = state
            self.left = left
            self.rate = rate
        }

        var download: Download {
            Download(
                transactionID: TransactionID(1), productID: "book.one", contentID: "text",
                version: "1", state: state, bytesReceived: 1000 - left, bytesExpected: 1000,
                bytesPerSecond: rate)
        }
    }

    @Test(
        "the time left is that of all packages at one speed, once each that runs has one [A9]",
        arguments: [
            ([Package(.active, 500, 100)], 5),
            ([Package(.active, 500, 100), Package(.active, 900, 100)], 7),
            ([Package(.finished, 0), Package(.active, 200, 100)], 2),
            ([Package(.active, 500, 100), Package(.waiting, 1000)], 15),
            ([Package(.active, 500, 100), Package(.paused, 1000)], 5),
            ([Package(.active, 500, 100), Package(.failed, 1000)], nil),
            ([Package(.active, 500, 100), Package(.active, 1000)], nil),
            ([Package(.active, 500, 0)], nil), ([Package(.finished, 0)], nil),
        ] as [([Package], Double?)])
    func timeLeft(packages: [Package], seconds: Double?) {
        let begun = ProductDownload(packages.map(\.download), at: .zero)
        #expect(begun.secondsRemaining == nil, "in the first two seconds")
        let later = ProductDownload(packages.map(\.download), at: .seconds(2))
        #expect(later.steady(after: begun).secondsRemaining == seconds)
    }

    @Test("the time left of a product never grows when one of its packages ends [A9]")
    func timeLeftWherePackagesEnd() {
        // Both share 200 bytes a second; what is left of the pair goes to the second one alone. A
        // package's own rate is measured over five seconds, so that the second one's lags behind.
        var earlier: ProductDownload?
        var before = Double.infinity
        for half in 0...36 {
            let seconds = Double(half) / 2
            let first = min(1000, Int64(seconds * 100))
            let second = Int64(seconds * 200) - first
            var one = Package(first == 1000 ? .finished : .active, 1000 - first, 100).download
            var two = Package(.active, 1000 - second, 100).download
            one.contentID = "one"
            two.bytesReceived = second
            two.bytesExpected = 3000
            let now = ProductDownload([one, two], at: .milliseconds(half * 500))
                .steady(after: earlier)
            if let left = now.secondsRemaining {
                #expect(left <= before + 0.001, "after \(seconds) s")
                before = left
            }
            earlier = now
        }
        #expect(before < 3)
    }

    @Test("the time without bytes is told from five seconds on, in whole seconds")
    func silence() {
        var window = RateWindow()
        #expect(window.silentSeconds(at: .seconds(60)) == nil)
        window.add(0, at: .zero)
        for (milliseconds, seconds) in [
            (0, nil), (4_999, nil), (5_000, 5), (12_345, 12),
        ] as [(Int, Int?)] {
            #expect(
                window.silentSeconds(at: .milliseconds(milliseconds)) == seconds,
                "\(milliseconds) ms")
        }
        // No new bytes are no movement; fewer are a download that begins anew.
        for (at, bytes, silentAt20) in [(1, 10, 19), (9, 10, 19), (11, 12, 9), (14, 2, 6)] {
            window.add(Int64(bytes), at: .seconds(at))
            #expect(window.silentSeconds(at: .seconds(20)) == silentAt20)
        }
    }

    private static func package(_ state: Download.State) -> Download {
        Download(
            transactionID: TransactionID(1), productID: "book.one", contentID: "text",
            version: "1", state: state, bytesReceived: 50, bytesExpected: 100)
    }

    private static func name(_ status: ProductStatus) -> String {
        switch status {
        case .buyable: "buyable"
        case .purchasing: "purchasing"
        case .waitingForAnswer: "waitingForAnswer"
        case .failed: "failed"
        case .downloading: "downloading"
        case .paused: "paused"
        case .downloadFailed: "downloadFailed"
        case .notDownloaded: "notDownloaded"
        case .owned: "owned"
        case .included: "included"
        case .ownedElsewhere: "ownedElsewhere"
        case .current: "current"
        case .plan: "plan"
        case .planned: "planned"
        case .change: "change"
        case .timed: "timed"
        case .groupTaken: "groupTaken"
        }
    }

    @Test("the products are asked for again when a date of theirs has passed, without any key [B7]")
    func productsChangeByTime() throws {
        var state = SampleShop.full()
        let change = SampleShop.now.advanced(byMilliseconds: 60_000)
        state.take([
            .productsArrived(
                ProductsResponse(
                    products: state.productList.products, invalidProductIDs: [],
                    catalogRevision: state.productList.revision ?? 1, changesAt: change))
        ])
        #expect(state.deadlines.nextEnd == change)
        let early = state.take([.timePassed], now: change.advanced(byMilliseconds: -1))
        #expect(!early.contains(.loadProducts))
        let asked = state.take([.timePassed], now: change)
        #expect(asked.contains(.loadProducts))
        #expect(try #require(state.deadlines.nextEnd) > change)
    }

    @Test("subscriptions end on an open screen without any key [D4]")
    func subscriptionsEndOnAnOpenScreen() throws {
        var state = SampleShop.full()
        let pass = try #require(state.productList.product("pass.season"))
        guard case .timed(let until) = state.status(of: pass) else {
            Issue.record("\(state.status(of: pass))")
            return
        }
        // The subscription ends first; the store knows the end, so the shop queries the account.
        let planEnd = SampleShop.now.advanced(byMilliseconds: 30 * 86_400_000)
        #expect(state.deadlines.nextEnd == planEnd)
        let asked = state.take([.timePassed], now: planEnd)
        #expect(asked == [.refreshAccount])
        state.take([.accountFailed(StoreError(.systemError))], now: planEnd)
        #expect(try #require(state.deadlines.nextEnd) <= until)

        var last = planEnd
        while let end = state.deadlines.nextEnd {
            #expect(end > last, "no end comes twice")
            last = end
            state.take([.timePassed], now: end.advanced(byMilliseconds: -1))
            if end == until { #expect(state.status(of: pass) == .timed(until: until)) }
            state.take([.timePassed], now: end)
        }
        #expect(last >= until)
        #expect(state.status(of: pass) == .buyable(isFree: false))
    }
}
