@testable import Shop
import ShopText
import StoreModel
import Testing

/// The screen of the device's receipt.
@Suite struct ReceiptScreenTests {
    @Test("it opens over the library, reads once at a time, and shows what arrives [A6]")
    func opens() {
        var probe = ShopProbe(SampleShop.full())
        let effects = probe.happen(.receipt(.opened))
        #expect(effects.contains(.readReceipt(refreshes: false)))
        #expect(probe.state.navigation.view == .library && probe.state.screen == .receipt)
        #expect(probe.happen(.receipt(.refreshed)).isEmpty, "one reading is under way")
        probe.happen(.receipt(.arrived(SampleShop.receipt, SampleShop.appTransaction)))
        #expect(probe.state.receipt.receipt == SampleShop.receipt)
        #expect(probe.happen(.receipt(.refreshed)) == [.readReceipt(refreshes: true)])
        #expect(probe.happen(.receipt(.copied)).contains(.copy(.receipt("a.b.c"))))
        probe.happen(.wentBack)
        #expect(probe.state.screen == .library)
    }

    @Test("a refresh that fails keeps the receipt and says why")
    func fails() {
        var probe = ShopProbe(SampleShop.full())
        probe.happen(.receipt(.opened))
        probe.happen(.receipt(.arrived(SampleShop.receipt, SampleShop.appTransaction)))
        probe.happen(.receipt(.refreshed))
        let error = StoreError(.networkError)
        probe.happen(.receipt(.failed(error)))
        #expect(probe.state.receipt.error == error)
        #expect(probe.state.receipt.receipt == SampleShop.receipt)
        #expect(probe.state.statusMessage?.what == .trouble(error))
        #expect(!probe.state.receipt.isReading)
    }

    @Test("without a receipt nothing is copied; before the store is open nothing is read")
    func nothing() {
        var probe = ShopProbe(SampleShop.full())
        #expect(probe.happen(.receipt(.copied)).isEmpty)
        #expect(probe.state.statusMessage?.what == .refused(.nothingToCopy))
        var early = ShopProbe(ShopState(shop: SampleShop.identity(locale: "en_US")))
        #expect(early.happen(.receipt(.opened)).isEmpty)
        #expect(early.state.statusMessage?.what == .refused(.stillOpening))
    }
}
