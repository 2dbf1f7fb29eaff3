@testable import Shop
import ShopText
@testable import StoreModel
import Testing

/// The account's family in the shop, and the actions that change it.
@Suite("the family in the shop")
struct FamilyTests {
    private static let family: Family = {
        var family = Family(organizer: "aoi")
        family.members.append(.init(account: "kai", role: .child))
        return family
    }()

    private func offers(_ state: ShopState) -> [FamilyAction] {
        state.operatorOffers().compactMap { offer in
            if case .family(let action) = offer { action } else { nil }
        }
    }

    @Test("without a family the palette offers to found one")
    func founding() {
        let state = SampleShop.full()
        #expect(offers(state) == [.create(organizer: state.shop.account)])
    }

    @Test("an organizer is offered what can be done to its members")
    func organizing() {
        var probe = ShopProbe(SampleShop.full())
        var family = Self.family
        family.organizer = probe.state.shop.account
        family.members[0].account = probe.state.shop.account
        let me = probe.state.shop.account
        let arrived = ShopAction.console(.accountsArrived(family, []))
        probe.happen(arrived)
        let offered = offers(probe.state)
        #expect(offered.contains(.setRole("kai", .adult)) && offered.contains(.leave("kai")))
        #expect(offered.contains(.setSharing(me, nil, false)))
        #expect(offered.last == .leave(me))
        #expect(!offered.contains(.create(organizer: me)))
    }

    @Test("a shared product says who shares it, also while the family cannot be read")
    func sharedBy() {
        var probe = ShopProbe(SampleShop.full())
        let id = TransactionID(77)
        var snapshot = AccountSnapshot(
            queued: [], deliveries: [], balances: [], downloads: [],
            entitlements: [
                Entitlement(
                    transaction: "a.b.c", transactionID: id, productID: "book.one",
                    type: .nonConsumable)
            ], at: .zero)
        snapshot.family = FamilyStatus(
            family: Self.family,
            shares: [.init(transactionID: id, productID: "book.one", owner: "kai")])
        probe.happen(.accountArrived(snapshot))
        #expect(probe.state.sharedBy("book.one") == "kai")
        #expect(probe.state.sharedBy("book.two") == nil)
        snapshot.family = nil
        probe.happen(.accountArrived(snapshot))
        #expect(probe.state.sharedBy("book.one") == "kai")
    }

    @Test("a change of the family is announced, and read")
    func changes() {
        var probe = ShopProbe(SampleShop.full())
        let change = FamilyChange(
            what: .joined("kai", .child), organizer: "aoi", family: Self.family)
        let effects = probe.happen(.updateArrived(.event(.familyChanged(change))))
        #expect(effects.contains(.refreshAccount))
        #expect(probe.state.statusMessage?.what == .familyChanged(change, name: nil))
    }
}
