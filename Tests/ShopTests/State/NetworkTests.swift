@testable import Shop
import ShopText
@testable import StoreModel
import Testing

/// The device's network in the shop.
@Suite struct NetworkTests {
    @Test("the key asks before it cuts the network, and restores it at once when it is off")
    func toggled() {
        var probe = ShopProbe(SampleShop.full())
        #expect(probe.happen(.network(.turnedOn)) == [])
        #expect(probe.happen(.network(.toggled)) == [])
        #expect(probe.state.sheet == .question(QuestionSheet(.cutNetwork)))
        let cutting = probe.happen(.questionSheet(.pressed(button: 1)))
        #expect(cutting == [.setNetwork(.off(milliseconds: nil))])
        let effects = probe.refresh { $0.whyOffline = .networkIsOff }
        #expect(probe.state.statusMessage?.what == .network(isOn: false))
        // Only the shop that holds the lease adds the change to the device's log.
        #expect(effects.contains(.log(.network(isOn: false))) == probe.state.holdsLease)
        #expect(probe.state.holdsLease)
        let restoring = probe.happen(.network(.toggled))
        #expect(restoring == [.setNetwork(.on)])
        #expect(probe.happen(.network(.turnedOn)) == [.setNetwork(.on)])
    }

    @Test("a network that was off when the shop opened is announced, and not logged again")
    func offAtOpening() {
        var state = SampleShop.full()
        state.isAccountLoaded = false
        var probe = ShopProbe(state)
        var snapshot = SampleShop.snapshot
        snapshot.whyOffline = .networkIsOff
        let effects = probe.happen(.accountArrived(snapshot))
        #expect(probe.state.statusMessage?.what == .network(isOn: false))
        #expect(!effects.contains(.log(.network(isOn: false))))
    }

    @Test("a server that is away is told as that, and no key turns it on")
    func serverAway() {
        var probe = ShopProbe(SampleShop.full())
        let away = StoreError(.storeUnreachable)
        let effects = probe.refresh { $0.whyOffline = away }
        #expect(probe.state.statusMessage?.what == .trouble(away))
        #expect(!effects.contains(.log(.network(isOn: false))))
        #expect(probe.happen(.network(.turnedOn)) == [])
        #expect(probe.happen(.network(.toggled)) == [])
        #expect(probe.state.sheet == .question(QuestionSheet(.cutNetwork)))
        probe.happen(.questionSheet(.pressed(button: 0)))
        probe.happen(.redeemSheet(.opened))
        #expect(probe.state.sheet == nil && probe.state.statusMessage?.what == .trouble(away))
        let back = probe.refresh { $0.whyOffline = nil }
        #expect(probe.state.statusMessage?.what == .network(isOn: true))
        #expect(back.contains(.loadProducts) && !back.contains(.log(.network(isOn: true))))
    }

    @Test("before the store is open the key says why it does nothing")
    func tooEarly() {
        var probe = ShopProbe(ShopState(shop: SampleShop.identity(locale: "en_US")))
        let effects = probe.happen(.network(.toggled))
        #expect(effects.isEmpty)
        #expect(probe.state.statusMessage?.what == .refused(.stillOpening))
    }

    @Test("a network that is back reads the products again; one that stays off reads nothing")
    func back() {
        var probe = ShopProbe(SampleShop.full())
        var snapshot = probe.state.snapshot
        snapshot.whyOffline = .networkIsOff
        for _ in 0..<2 {
            let effects = probe.happen(.accountArrived(snapshot))
            #expect(!effects.contains(.loadProducts))
        }
        snapshot.whyOffline = nil
        let effects = probe.happen(.accountArrived(snapshot))
        #expect(effects.contains(.loadProducts) && effects.contains(.refreshConsole))
        #expect(probe.state.statusMessage?.what == .network(isOn: true))
    }

    @Test("a slow network is turned on and off, and says so [C9]")
    func slow() {
        var probe = ShopProbe(SampleShop.full())
        #expect(probe.happen(.network(.slowed)) == [.setNetwork(.slow(milliseconds: 3_000))])
        var snapshot = probe.state.snapshot
        snapshot.networkDelay = 3_000
        _ = probe.happen(.accountArrived(snapshot))
        #expect(probe.state.statusMessage?.what == .networkDelay(3_000))
        #expect(probe.happen(.network(.slowed)) == [.setNetwork(.on)])
        snapshot.networkDelay = nil
        _ = probe.happen(.accountArrived(snapshot))
        #expect(probe.state.statusMessage?.what == .networkDelay(nil))
    }

    @Test("the network is cut for a while, or during the next purchase")
    func cutLater() {
        var probe = ShopProbe(SampleShop.full())
        #expect(
            probe.happen(.network(.cutForAWhile)) == [.setNetwork(.off(milliseconds: 30_000))])
        #expect(
            probe.happen(.network(.cutDuringPurchase))
                == [.setNetwork(.offAfterPayment(milliseconds: nil))])
        #expect(probe.state.statusMessage?.what == .networkCutsNext)
        probe = ShopProbe(ShopState(shop: SampleShop.identity(locale: "en_US")))
        for action in [NetworkAction.cutForAWhile, .cutDuringPurchase] {
            #expect(probe.happen(.network(action)).isEmpty)
            #expect(probe.state.statusMessage?.what == .refused(.stillOpening))
        }
    }

    @Test("the refusal of a cut network is forgotten when it is back, every other one stays")
    func refusalsAreForgotten() throws {
        var state = SampleShop.full()
        state.purchasing.failures = [
            "coins.10": .networkIsOff, "coins.100": StoreError(.networkError),
        ]
        var probe = ShopProbe(state)
        var snapshot = state.snapshot
        snapshot.whyOffline = .networkIsOff
        probe.happen(.accountArrived(snapshot))
        #expect(try probe.state.status("coins.10") == .failed(.networkIsOff))
        snapshot.whyOffline = nil
        probe.happen(.accountArrived(snapshot))
        #expect(try probe.state.status("coins.10") == .buyable(isFree: false))
        #expect(try probe.state.status("coins.100") == .failed(StoreError(.networkError)))
    }

    @Test("without a network, products and account have an age [F4]")
    func ages() {
        var probe = ShopProbe(SampleShop.full())
        var snapshot = probe.state.snapshot
        snapshot.asOf = SampleShop.now
        probe.happen(.accountArrived(snapshot))
        #expect(probe.state.productsAsOf == nil && probe.state.accountAsOf == nil)
        snapshot.whyOffline = .networkIsOff
        probe.happen(.accountArrived(snapshot))
        #expect(probe.state.productsAsOf == SampleShop.now)
        #expect(probe.state.accountAsOf == SampleShop.now)
        // The device's copy of the products may be older than its last contact with the store.
        let earlier = SampleShop.now.advanced(byMilliseconds: -9_000)
        probe.happen(.productsArrived(SampleShop.response(), asOf: earlier))
        #expect(probe.state.productsAsOf == earlier)
        #expect(probe.state.accountAsOf == SampleShop.now)
        probe.happen(.productsArrived(SampleShop.response()))
        #expect(probe.state.productsAsOf == SampleShop.now)
    }

    @Test("a download without a network waits for it, and has not failed")
    func waitingDownloads() throws {
        for (state, error, isOffline, name, waits) in [
            (.waiting, StoreError.networkIsOff, true, "downloading", true),
            (.waiting, StoreError.networkIsOff, false, "downloading", true),
            (.active, nil, false, "downloading", false),
            // A shop without the lease gets no error of the download.
            (.active, nil, true, "downloading", true),
            (.waiting, StoreError(.deviceFull), false, "downloadFailed", false),
            (.failed, StoreError(.networkError), false, "downloadFailed", false),
        ] as [(Download.State, StoreError?, Bool, String, Bool)] {
            var shop = SampleShop.full()
            let row = Download(
                transactionID: TransactionID(1_000_002), productID: "book.two", contentID: "text",
                version: "1.2", state: state, bytesReceived: 800_000, bytesExpected: 3_200_000,
                error: error)
            shop.snapshot.downloads["book.two"] = ProductDownload([row], at: .zero)
            shop.snapshot.whyOffline = isOffline ? .networkIsOff : nil
            let status = try shop.status("book.two")
            #expect("\(status)".hasPrefix(name), "\(status)")
            let download = try #require(status.download)
            #expect(shop.waitsForNetwork(download) == waits, "\(state) \(isOffline)")
        }
    }
}
