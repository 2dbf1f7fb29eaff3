@testable import Shop
import ShopText
@testable import StoreModel
import Terminal
import Testing

/// Payments whose sender has ended: an open shop marks them, and sends or drops them by key.
@Suite struct HeldPaymentTests {
    private static let held = QueuedPayment(
        payment: Payment(
            id: SampleShop.payment(7), productID: "coins.10", quantity: 1,
            shownPrice: Money(milliunits: 990, currency: "USD")),
        state: .held, queuedAt: SampleShop.now)

    private static func probe() -> ShopProbe {
        var probe = ShopProbe()
        probe.refresh { $0.held = [held] }
        return probe
    }

    @Test("the account's held payments are kept apart from those under way")
    func apart() {
        var other = Self.held
        other.payment = Payment(
            id: SampleShop.payment(8), productID: "coins.10", quantity: 1,
            shownPrice: other.payment.shownPrice)
        other.state = .purchasing
        let snapshot = AccountSnapshot(
            queued: [Self.held, other], deliveries: [], balances: [], downloads: [],
            entitlements: [], at: .zero)
        #expect(snapshot.held == [Self.held])
        #expect(snapshot.queued == ["coins.10": other])
    }

    @Test("a held payment is sent with its own id, and only after a question")
    func sent() {
        var probe = Self.probe()
        #expect(probe.happen(.heldPurchase(.continued)).isEmpty)
        #expect(probe.state.sheet == .question(QuestionSheet(.sendHeld(Self.held))))
        probe.happen(.confirmed)
        #expect(probe.state.sheet == nil && probe.state.purchasing.underWay.isEmpty, "Back")
        probe.happen(.heldPurchase(.continued))
        probe.happen(.choiceMoved(1))
        #expect(probe.happen(.confirmed) == [.purchase(Self.held.payment)])
        #expect(probe.state.purchasing.underWay["coins.10"]?.payment == Self.held.payment.id)
        #expect(probe.state.heldPayment == nil)
    }

    @Test("a held payment is dropped, and what became of it is told")
    func dropped() {
        var probe = Self.probe()
        #expect(probe.happen(.heldPurchase(.dropped)) == [.dropPayment(Self.held.payment)])
        #expect(probe.happen(.heldPurchase(.dropped)).isEmpty)
        #expect(probe.state.statusMessage?.what == .refused(.nothingHeld))
        probe.happen(.heldPurchase(.paymentDropped(Self.held.payment)))
        let name = probe.state.item(of: Self.held.payment)
        #expect(probe.state.statusMessage?.what == .heldDropped(name: name))
    }

    @Test("a sale of an earlier process is announced with the account's records, not before them")
    func arrival() {
        var probe = ShopProbe()
        var queued = Self.held
        queued.state = .purchasing
        probe.refresh { $0.queued = ["coins.10": queued] }
        probe.happen(.arrived("coins.10", 7))
        #expect(probe.state.statusMessage == nil)
        probe.refresh { _ in }
        #expect(probe.state.statusMessage == nil, "read before the delivery")
        probe.refresh { $0.queued = [:] }
        guard case .bought(let bought)? = probe.state.statusMessage?.what else {
            Issue.record("no purchase is announced")
            return
        }
        #expect(bought.isUnasked && bought.transaction == TransactionID(7))
    }

    @Test("the question closes when another process has sent or dropped the payment")
    func gone() {
        var probe = Self.probe()
        probe.happen(.heldPurchase(.continued))
        probe.refresh { $0.held = [] }
        #expect(probe.state.sheet == nil)
    }

    @Test("the keys act on the selected product's purchase, whichever kind is held")
    func selected() {
        var probe = Self.probe()
        probe.refresh {
            $0.promoted = [PromotedPurchase(productID: "theme.sepia", begunAt: SampleShop.now)]
        }
        probe.open("theme.sepia")
        #expect(probe.state.heldPayment == nil)
        #expect(probe.happen(.heldPurchase(.dropped)).contains(.dropPromoted("theme.sepia")))
        #expect(probe.state.heldPayment == Self.held)
    }

    @Test("the row and the page mark it, the message and the palette name the keys")
    func marked() {
        for (locale, words) in [
            ("en_US", ["not sent", "u sends it, U drops it", "send", "Send held payment"]),
            ("ja_JP", ["未送信", "u で送信", "を送信", "未送信の支払いを送信"]),
        ] {
            var state = SampleScreen.list.state(locale: locale, size: Screens.large)
            var snapshot = state.snapshot
            snapshot.held = [Self.held]
            state.take([.accountArrived(snapshot)], on: Screens.large)
            #expect(Screens.draw(state, Screens.large).text.contains(words[0]))
            state.take([.updateArrived(.held(Self.held))], on: Screens.large)
            #expect(Screens.draw(state, Screens.large).text.contains(words[1]))
            state.take([.palette(.opened), .palette(.typed(words[2]))], on: Screens.large)
            #expect(Screens.draw(state, Screens.large).text.contains(words[3]))
        }
    }
}
