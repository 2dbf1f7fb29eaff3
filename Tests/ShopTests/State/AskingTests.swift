@testable import Shop
import ShopText
import StoreModel
import Terminal
import Testing

/// What apps in other processes of the device ask the person to confirm.
@Suite("purchases that apps ask to have confirmed")
struct AskingTests {
    private static let coins = payment(1, "coins.10", quantity: 3)
    private static let sepia = payment(2, "theme.sepia")

    private static func payment(
        _ number: Int, _ product: ProductID, quantity: Int = 1
    ) -> Payment {
        Payment(
            id: SampleShop.payment(number), productID: product, quantity: quantity,
            shownPrice: Money(milliunits: 990, currency: "USD"))
    }

    private func asked(_ payments: Payment...) -> ShopProbe {
        var probe = ShopProbe()
        probe.refresh { $0.asked = payments }
        return probe
    }

    private func open(_ probe: ShopProbe) -> Payment? { probe.state.paymentSheet?.asked }

    @Test("the sheet opens where the person is, says who asks, and Cancel is chosen")
    func opens() throws {
        let probe = asked(Self.coins, Self.sepia)
        let sheet = try #require(probe.state.paymentSheet)
        #expect(sheet.asked == Self.coins && sheet.quantity == 3 && !sheet.isConfirmChosen)
        #expect(probe.state.screen == .list)
        #expect(probe.state.purchasing.underWay.isEmpty)
    }

    @Test("Buy answers the app, which sends its own payment, and the next one is asked")
    func confirmed() {
        var probe = asked(Self.coins, Self.sepia)
        probe.happen(.choiceMoved(1))
        let effects = probe.happen(.confirmed)
        #expect(effects.contains(.answer(Self.coins.id, .confirmed)) && effects.payments.isEmpty)
        #expect(open(probe) == Self.sepia)
        // Read before the answer was written.
        probe.happen(.wentBack)
        probe.refresh { $0.asked = [Self.coins, Self.sepia] }
        #expect(probe.state.sheet == nil)
    }

    @Test("Cancel and Esc answer that the purchase is cancelled", arguments: [true, false])
    func cancelled(byEsc: Bool) {
        var probe = asked(Self.sepia)
        let effects = probe.happen(byEsc ? .wentBack : .confirmed)
        #expect(effects == [.answer(Self.sepia.id, .cancelled)])
        #expect(probe.state.statusMessage?.what == .cancelled(name: "Sepia"))
        #expect(probe.state.sheet == nil)
    }

    @Test("the person changes nothing of it")
    func fixed() {
        var probe = asked(Self.coins)
        for action in [PaymentSheetAction.quantityChanged(1), .digitTyped(7), .digitErased] {
            probe.happen(.paymentSheet(action))
        }
        #expect(probe.state.paymentSheet?.quantity == 3)
    }

    @Test("a busy person is told, and the sheet waits")
    func busy() {
        var probe = ShopProbe()
        probe.happen(.palette(.opened))
        let before = probe.state.sheet
        probe.refresh { $0.asked = [Self.sepia] }
        #expect(probe.state.sheet == before)
        #expect(probe.state.statusMessage?.what == .appAsks(name: "Sepia"))
        probe.happen(.wentBack)
        #expect(open(probe) == Self.sepia)
    }

    @Test("the sheet of an app that asks no more closes")
    func gaveUp() {
        var probe = asked(Self.sepia)
        probe.refresh { $0.asked = [] }
        #expect(probe.state.sheet == nil)
        #expect(probe.state.statusMessage?.what == .appGaveUp(name: "Sepia"))
    }

    @Test("what the shop cannot show is asked somewhere else")
    func passed() {
        let unknown = Self.payment(3, "no.such")
        var probe = ShopProbe()
        let effects = probe.refresh { $0.asked = [unknown, Self.sepia] }
        #expect(effects.contains(.answer(unknown.id, .passed)))
        #expect(probe.state.sheet == nil)
        probe.happen(.resized)
        #expect(open(probe) == Self.sepia)
    }

    @Test("the frame says who asks, and how many", arguments: ["en_US", "ja_JP"])
    func frame(locale: String) {
        var shop = SampleShop.empty(locale: locale)
        for size in [Screens.smallest, Screens.usual, Screens.large] {
            var snapshot = shop.snapshot
            snapshot.asked = [Self.coins]
            shop.take([.resized, .accountArrived(snapshot)], on: size)
            let rows = Screens.draw(shop, size).text.split(separator: "\n")
            let asks = rows.first { $0.contains(locale == "en_US" ? "Asked by" : "依頼元") }
            let who = locale == "en_US" ? "an app on this device" : "このデバイスのアプリ"
            #expect(asks?.contains(who) == true, "\(size)")
            #expect(rows.contains { $0.contains("3 ×") || $0.contains("× 3") }, "\(size)")
            #expect(!rows.contains { $0.contains("‹ 3 ›") }, "\(size)")
        }
    }
}
