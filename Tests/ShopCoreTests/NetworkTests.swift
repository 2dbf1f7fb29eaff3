@testable import ShopCore
import ShopTestSupport
import StoreModel
import Testing

/// The device's network, as the shop sees it.
@Suite struct NetworkTests {
    @Test("the key cuts the network, and restores it when it is off")
    func toggled() {
        var probe = ShopProbe(SampleShop.full())
        let cutting = probe.happen(.network(.toggled))
        #expect(cutting == [.setNetwork(isOn: false)])
        var snapshot = probe.state.snapshot
        snapshot.isOffline = true
        probe.happen(.accountArrived(snapshot))
        #expect(probe.state.statusMessage?.what == .network(isOn: false))
        let restoring = probe.happen(.network(.toggled))
        #expect(restoring == [.setNetwork(isOn: true)])
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
        snapshot.isOffline = true
        for _ in 0..<2 {
            let effects = probe.happen(.accountArrived(snapshot))
            #expect(!effects.contains(.loadProducts))
        }
        snapshot.isOffline = false
        let effects = probe.happen(.accountArrived(snapshot))
        #expect(effects.contains(.loadProducts) && effects.contains(.refreshConsole))
        #expect(probe.state.statusMessage?.what == .network(isOn: true))
    }

    @Test("a download without a network waits for it, and has not failed")
    func waitingDownloads() throws {
        for (state, error, isOffline, name, waits) in [
            (.waiting, StoreError.networkIsOff, true, "downloading", true),
            (.waiting, StoreError.networkIsOff, false, "downloading", true),
            (.active, nil, false, "downloading", false),
            // The window that only watches knows no error.
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
            shop.snapshot.isOffline = isOffline
            let status = try shop.status("book.two")
            #expect("\(status)".hasPrefix(name), "\(status)")
            let download = try #require(status.download)
            #expect(shop.waitsForNetwork(download) == waits, "\(state) \(isOffline)")
        }
    }
}
