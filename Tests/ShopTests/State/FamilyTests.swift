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

    @Test("without a family the palette offers to create one")
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
        let children = family.members.filter { $0.role == .child }.map(\.account)
        let rescinded = offered.filter { if case .rescindConsent = $0 { true } else { false } }
        #expect(rescinded == children.map { .rescindConsent($0) })
        #expect(offered.last == .leave(me))
        #expect(!offered.contains(.create(organizer: me)))
    }

    @Test("an account that is typed after \"join\" joins the family, or this account its own")
    func joining() throws {
        var state = SampleShop.full()
        let me = state.shop.account
        let family = Family(organizer: me)
        for (known, typed, action) in [
            (nil, "join kai", .join(me, organizer: "kai", role: .adult)),
            (family, "join kai", .join("kai", organizer: me, role: .adult)),
            (family, "join ../kai", nil), (family, "join", nil),
        ] as [(Family?, String, FamilyAction?)] {
            state.console.family = known
            state.sheet = nil
            state.take([.palette(.opened), .palette(.typed(typed))], on: Screens.usual)
            let entries = Screens.viewport(Screens.usual, in: state).entries
            let offered = entries.compactMap { entry -> FamilyAction? in
                if case .perform(.family(.join(let account, let organizer, let role))) = entry.id {
                    .join(account, organizer: organizer, role: role)
                } else {
                    nil
                }
            }
            #expect(offered.first == action, "\(typed)")
            #expect(offered.count == (action == nil ? 0 : FamilyRole.allCases.count))
        }
    }

    @Test("the page of what a family can share leads to the family, where a name joins it")
    func fromThePage() throws {
        var response = SampleShop.response()
        for index in response.products.indices where response.products[index].id == "plus.month" {
            response.products[index].isFamilyShareable = true
        }
        var state = SampleShop.empty(response: response)
        func buttons(_ id: ProductID) throws -> [PageButton] {
            state.pageButtons(for: try #require(state.productList.product(id)))
        }
        #expect(try !buttons("plus.year").contains(.family))
        let number = try #require(try buttons("plus.month").firstIndex(of: .family))
        state.openPage("plus.month")
        _ = state.press(
            number, ShopMoment(now: SampleShop.now, paymentID: SampleShop.payment(1)))
        guard case .palette(let palette)? = state.sheet else {
            Issue.record("no palette")
            return
        }
        #expect(palette.group == .family)
        state.take([.palette(.typed("kai"))], on: Screens.usual)
        let entries = Screens.viewport(Screens.usual, in: state).entries
        let offered = FamilyRole.allCases.map { role in
            Entry.ID.perform(
                .family(.join(state.shop.account, organizer: "kai", role: role)))
        }
        #expect(entries.map(\.id) == offered)
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
        let reader = probe.state.shop.account
        #expect(
            probe.state.statusMessage?.what == .familyChanged(change, name: nil, to: reader))
    }
}
