@testable import Shop
import ShopText
import StoreModel
import Testing

/// Signing in to the App Store, in the shop.
@Suite struct SignInTests {
    private var signedOut: AccountSnapshot {
        var snapshot = SampleShop.snapshot
        snapshot.isSignedIn = false
        return snapshot
    }

    private var probe: ShopProbe {
        var probe = ShopProbe(SampleShop.full())
        probe.happen(.accountArrived(signedOut))
        return probe
    }

    @Test("the key asks before it signs out, and asks for the account when nobody is signed in")
    func toggled() {
        var probe = ShopProbe(SampleShop.full())
        #expect(probe.happen(.signIn(.toggled)).isEmpty)
        #expect(probe.state.sheet == .question(QuestionSheet(.signOut)))
        #expect(probe.happen(.questionSheet(.pressed(button: 1))) == [.setSignedIn(false)])
        probe.happen(.accountArrived(signedOut))
        #expect(probe.state.statusMessage?.what == .signedIn(as: nil))
        #expect(probe.happen(.signIn(.toggled)).isEmpty)
        #expect(probe.state.sheet == .question(QuestionSheet(.signIn(for: nil))))
        #expect(probe.happen(.questionSheet(.pressed(button: 1))) == [.setSignedIn(true)])
        probe.happen(.accountArrived(SampleShop.snapshot))
        #expect(
            probe.state.statusMessage?.what == .signedIn(as: probe.state.shop.account))
        #expect(probe.state.sheet == nil, "nothing was about to be bought")
    }

    @Test("buying asks for the account first, and the purchase goes on afterwards [C7]")
    func asksFirst() throws {
        var probe = probe
        let product = try #require(
            probe.state.productList.products.first {
                probe.state.refusal(toBuy: $0) == nil
            })
        probe.open(product.id)
        probe.happen(.buyChosen)
        #expect(probe.state.sheet == .question(QuestionSheet(.signIn(for: product.id))))
        let effects = probe.happen(.questionSheet(.pressed(button: 1)))
        #expect(effects == [.setSignedIn(true)] && probe.state.sheet == nil)
        probe.happen(.accountArrived(SampleShop.snapshot))
        guard case .payment(let sheet)? = probe.state.sheet else {
            Issue.record("no payment sheet")
            return
        }
        #expect(sheet.product.id == product.id && !sheet.isConfirmChosen)
    }

    @Test("who does not sign in buys nothing")
    func declined() throws {
        var probe = probe
        let product = try #require(
            probe.state.productList.products.first {
                probe.state.refusal(toBuy: $0) == nil
            })
        probe.open(product.id)
        probe.happen(.buyChosen)
        #expect(probe.happen(.confirmed).isEmpty, "cancel is chosen at first")
        #expect(probe.state.sheet == nil)
        probe.happen(.accountArrived(SampleShop.snapshot))
        #expect(probe.state.sheet == nil)
    }

    @Test("the reason of a refund is chosen in its question, in a circle")
    func reasons() {
        var probe = ShopProbe(SampleShop.full())
        probe.open("theme.night")
        guard let button = probe.state.choices.firstIndex(of: .requestRefund) else {
            Issue.record("no button")
            return
        }
        _ = probe.happen(.page(.pressed(button: button)))
        var seen: [RefundReason] = []
        for _ in RefundReason.allCases {
            guard case .question(let sheet)? = probe.state.sheet,
                case .requestRefund(_, _, let reason) = sheet.subject
            else { break }
            seen.append(reason)
            probe.happen(.questionSheet(.reasonChanged(1)))
        }
        #expect(seen == RefundReason.allCases)
        probe.happen(.questionSheet(.reasonChanged(-1)))
        guard
            case .requestRefund(_, .other)? = probe.happen(.questionSheet(.pressed(button: 1)))
                .first
        else {
            Issue.record("nothing was asked for")
            return
        }
    }
}
