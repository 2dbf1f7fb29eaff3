@testable import Shop
import ShopText
import StoreModel
import Terminal
import Testing

/// The library of the account's purchases: sections, selection, purse and themes.
@Suite struct LibraryTests {
    private func library(_ state: ShopState = SampleShop.full()) -> ShopProbe {
        var probe = ShopProbe(state)
        probe.happen(.viewChosen(.library))
        return probe
    }

    @Test("the library lists what is owned by where it is")
    func theLibraryListsWhatIsOwned() {
        let state = library().state
        #expect(
            state.libraryRows == [
                .heading(.here), .product("book.one"), .product("theme.night"), .gap,
                .heading(.downloads), .product("book.two"), .product("book.four"),
                .product("book.five"), .gap,
                .heading(.elsewhere), .product("book.six"), .product("theme.paper"), .gap,
                .heading(.timed), .product("plus.month"), .product("pass.season"), .gap,
                .heading(.appearance), .theme(nil), .theme("theme.sepia"),
                .theme("theme.high-contrast"), .theme("theme.night"),
            ])
        #expect(state.ownedCount == 9)
        #expect(library(SampleShop.empty()).state.ownedCount == 0)
    }

    @Test("a product stays selected when others come before it")
    func aProductStaysSelected() {
        var probe = library()
        probe.happen(.selectionMoved(.down))
        probe.happen(.selectionMoved(.down))
        #expect(probe.state.selectedProduct?.id == "book.two")
        var snapshot = probe.state.snapshot
        snapshot.delivered.insert("theme.paper")
        snapshot.downloads["book.one"] = nil
        probe.happen(.accountArrived(snapshot))
        #expect(probe.state.selectedProduct?.id == "book.two")
        snapshot.delivered.remove("book.two")
        snapshot.entitlements["book.two"] = nil
        probe.happen(.accountArrived(snapshot))
        #expect(probe.state.selectedProduct?.id == "book.four")
    }

    @Test("Enter opens the product's page in the library, and the arrows go through what is owned")
    func enterOpensThePage() {
        var probe = library()
        probe.happen(.confirmed)
        #expect(probe.state.screen == .product("book.one"))
        #expect(probe.state.navigation.view == .library)
        #expect(probe.state.choices.first == .read)
        #expect(probe.state.neighbour(step: 1)?.id == "theme.night")
        probe.happen(.selectionMoved(.last))
        probe.happen(.wentBack)
        #expect(probe.state.screen == .library)
        #expect(probe.state.list == SampleShop.full().list)
    }

    @Test("the neighbours of a page that was taken back skip no product")
    func neighboursOfWhatIsGone() {
        var probe = library()
        probe.happen(.selectionMoved(.down))
        probe.happen(.selectionMoved(.down))
        probe.happen(.confirmed)
        #expect(probe.state.screen == .product("book.two"))
        let (above, below) = (
            probe.state.neighbour(step: -1)?.id, probe.state.neighbour(step: 1)?.id
        )
        #expect(above == "theme.night")
        probe.refresh {
            $0.delivered.remove("book.two")
            $0.entitlements["book.two"] = nil
        }
        #expect(probe.state.neighbour(step: -1)?.id == above)
        #expect(probe.state.neighbour(step: 1)?.id == below)
        probe.happen(.selectionMoved(.down))
        #expect(probe.state.selectedProduct?.id == below)
    }

    @Test("where a theme is forced, a chosen one is kept for later, and the screen says so")
    func aForcedThemeKeepsTheChoice() {
        for isForced in [false, true] {
            let before = library()
            var state = before.state
            state.own.hiding[.theme] = isForced ? .line(1) : nil
            var probe = ShopProbe(state, viewport: before.viewport)
            probe.happen(.selectionMoved(.last))
            // The last theme may be locked; the standard theme never is.
            for _ in 0..<20
            where probe.state.libraryRows[probe.state.selectedLibraryRow ?? 0] != .theme(nil) {
                probe.happen(.selectionMoved(.up))
            }
            probe.refresh { $0.settings.theme = "theme.sepia" }
            let effects = probe.happen(.confirmed)
            #expect(effects == [.setValue(AccountValue(key: AccountValue.themeKey, value: nil))])
            #expect(
                (probe.state.statusMessage?.what == .settings(.keptForAccount(.line(1))))
                    == isForced)
            // Another device may have chosen another one, of which this one has not heard.
            #expect(probe.happen(.confirmed) == effects)
        }
    }

    @Test("what is taken back leaves the library")
    func whatIsTakenBackLeaves() {
        var probe = library()
        probe.refresh {
            $0.entitlements["plus.month"] = nil
            $0.entitlements["book.one"] = nil
            $0.delivered.remove("book.one")
        }
        #expect(!probe.state.libraryRows.contains(.product("book.one")))
        #expect(!probe.state.libraryRows.contains(.product("plus.month")))
        #expect(probe.state.ownedCount == 7)
    }

    @Test(
        "a subscription whose payment fails counts as owned while it has access, shared or not [D6]",
        arguments: [
            (RenewalState.inGracePeriod, false, 1), (.inGracePeriod, true, 1),
            (.inBillingRetryPeriod, false, 0), (.expired, false, 0),
        ])
    func grace(state: RenewalState, isShared: Bool, count: Int) {
        var probe = library(SampleShop.empty())
        var snapshot = SampleShop.full().snapshot
        snapshot.delivered = []
        snapshot.latestDelivered = [:]
        snapshot.timed = [:]
        snapshot.entitlements = snapshot.entitlements.filter { $0.key == "plus.month" }
        let failing = SampleShop.subscription(
            state, problem: .billingFailed, isShared: isShared)
        var shop = probe.state
        shop.snapshot = snapshot
        probe.happen(.accountArrived(SampleShop.snapshot(with: failing, of: shop)))
        #expect(probe.state.ownedCount == count)
    }

    // MARK: - The purse

    @Test("a balance that grows counts up for a second, and nothing is due after it")
    func aBalanceCountsUp() {
        var probe = library()
        #expect(probe.state.deadlines.nextCount == nil)
        var snapshot = probe.state.snapshot
        snapshot.balances = [Balance(unit: "coins", amount: 130)]
        probe.elapsed = .seconds(10)
        probe.happen(.accountArrived(snapshot))
        #expect(probe.state.shownBalances.map(\.amount) == [30])
        #expect(probe.state.deadlines.nextCount == .seconds(10) + .milliseconds(50))
        probe.elapsed = .milliseconds(10_500)
        probe.happen(.library(.counted))
        #expect(probe.state.shownBalances.map(\.amount) == [80])
        probe.elapsed = .seconds(11)
        probe.happen(.library(.counted))
        #expect(probe.state.shownBalances.map(\.amount) == [130])
        #expect(probe.state.deadlines.nextCount == nil)
    }

    @Test("a balance that shrinks is shown at once")
    func aBalanceThatShrinksIsShownAtOnce() {
        var probe = library()
        probe.refresh { $0.balances = [Balance(unit: "coins", amount: -5)] }
        #expect(probe.state.shownBalances.map(\.amount) == [-5])
        #expect(probe.state.deadlines.nextCount == nil)
    }

    // MARK: - Themes

    @Test("an owned theme is used from its page, and the standard one again")
    func anOwnedThemeIsUsed() {
        var probe = ShopProbe(SampleShop.full())
        probe.open("theme.night")
        probe.send(
            .confirmed,
            [.setValue(AccountValue(key: AccountValue.themeKey, value: "theme.night"))]
        ) {
            $0.page.choice = .use
            $0.snapshot.settings.theme = "theme.night"
        }
        #expect(probe.state.theme == "theme.night")
        #expect(probe.state.choices == [.stopUsing, .back, .receipt, .requestRefund])
        probe.happen(.confirmed)
        #expect(probe.state.theme == nil)
    }

    @Test("a refund ends the theme at once, and its reversal brings it back [A7]")
    func aRefundEndsTheTheme() {
        var probe = ShopProbe(SampleShop.full())
        var snapshot = probe.state.snapshot
        snapshot.settings.theme = "theme.night"
        probe.happen(.accountArrived(snapshot))
        #expect(probe.state.theme == "theme.night")
        var refunded = snapshot
        refunded.delivered.remove("theme.night")
        refunded.entitlements["theme.night"] = nil
        probe.happen(.accountArrived(refunded))
        #expect(probe.state.theme == nil)
        probe.happen(.accountArrived(snapshot))
        #expect(probe.state.theme == "theme.night")
    }

    @Test("a locked theme opens the page that sells it, and an unknown unlock is no theme [B10]")
    func aLockedThemeOpensItsPage() {
        var probe = library()
        probe.happen(.selectionMoved(.last))
        probe.happen(.selectionMoved(.up))
        #expect(probe.state.selectedProduct?.id == "theme.contrast")
        probe.send(.confirmed) { $0.navigation.open(.product("theme.contrast")) }
        var settings = probe.state.snapshot
        settings.settings.theme = "theme.sea"
        probe.happen(.accountArrived(settings))
        #expect(probe.state.theme == nil)
    }

    @Test(
        "a pass that has ended stands under ENDED with its dates, and is not owned",
        arguments: [
            ("en_US", "ENDED", "ended "), ("ja_JP", "終了", "に終了"),
        ])
    func endedPass(locale: String, heading: String, ended: String) {
        var state = SampleShop.full(locale: locale)
        var snapshot = state.snapshot
        let bought = state.now.advanced(byMilliseconds: -400 * 86_400_000)
        snapshot.timed["pass.season"] = [TimedAccess.Purchase(at: bought, quantity: 1)]
        state.take([.accountArrived(snapshot), .viewChosen(.library)], on: Screens.large)
        #expect(state.librarySection(of: "pass.season") == .ended)
        #expect(!state.isOwned("pass.season"))
        let lines = Screens.draw(state, Screens.large).lines
        let name = state.name(of: "pass.season")
        let title = lines.firstIndex { $0.contains(heading) } ?? .max
        let row = lines.firstIndex { $0.contains(name) && $0.contains(ended) } ?? -1
        #expect(row > title, "\(lines)")
    }
}
