@testable import Shop
import ShopText
import StoreModel
import Terminal
import Testing

/// The texts for the records of a device without a network, and for a withdrawn request.
@Suite struct OfflineTextTests {
    /// The sample shop in a view, an hour after its network was cut.
    private static func offline(_ view: ShopView, locale: String, size: Size) -> ShopState {
        var state = (view == .history ? SampleScreen.history : .list)
            .state(locale: locale, size: size)
        state.take([.viewChosen(view)], on: size)
        state.statusMessage = nil
        state.snapshot.whyOffline = .networkIsOff
        state.snapshot.asOf = SampleShop.now.advanced(byMilliseconds: -3_600_000)
        return state
    }

    private static func age(_ state: ShopState) -> String {
        var strings = Strings(locale: state.shop.locale, formatters: Screens.formatters)
        strings.now = SampleShop.now
        return strings[.offlineAsOf(state.snapshot.asOf.map { strings.instant($0) } ?? "?")]
    }

    @Test(
        "the list, the library and the history say as of when, only without a network",
        arguments: ["en_US", "ja_JP"], [Screens.smallest, Screens.usual])
    func ages(locale: String, size: Size) {
        for view in [ShopView.shop, .library, .history] {
            var state = Self.offline(view, locale: locale, size: size)
            let age = Self.age(state)
            let text = Screens.draw(state, size).text
            #expect(text.contains(age), "\(view): \(text)")
            state.snapshot.whyOffline = nil
            #expect(!Screens.draw(state, size).text.contains(age), "\(view)")
        }
    }

    @Test(
        "without a network the footer names the key that turns it on among the first",
        arguments: [Screens.smallest, Screens.usual])
    func networkKey(size: Size) {
        for view in [ShopView.shop, .library] {
            let state = Self.offline(view, locale: "en_US", size: size)
            let footer = Screens.draw(state, size).lines[size.rows - 1]
            #expect(footer.contains("N network on"), "\(view): \(footer)")
        }
        let page = SampleScreen.offline.state(locale: "en_US", size: Screens.usual)
        #expect(Screens.draw(page, Screens.usual).lines[23].contains("N network on"))
    }

    @Test("a restore without a network names the cause at once")
    func restoreOffline() {
        var strings = Strings(locale: "en_US", formatters: Screens.formatters)
        strings.now = SampleShop.now
        let text = strings[StatusText.restoreFailed(.networkIsOff)]
        #expect(text.hasPrefix("Restore failed. This device is offline"), "\(text)")
        let other = strings[StatusText.restoreFailed(StoreError(.systemError))]
        #expect(other.hasPrefix("Restore failed; what came back so far stays."), "\(other)")
    }

    @Test("a filtered history still says as of when")
    func filteredAge() {
        for size in [Screens.smallest, Screens.usual] {
            var state = Self.offline(.history, locale: "en_US", size: size)
            state.take([ShopAction.searchOpened, .eventLog(.filterTyped("dune"))], on: size)
            let text = Screens.draw(state, size).text
            #expect(text.contains("/dune") && text.contains(Self.age(state)), "\(text)")
        }
    }

    @Test("the age, the note on payments and the search are above the list, and hide none of it")
    func rowsAbove() {
        var state = Self.offline(.shop, locale: "en_US", size: Screens.usual)
        state.settings?.canMakePayments = false
        state.take([.searchOpened], on: Screens.usual)
        let lines = Screens.draw(state, Screens.usual).lines
        #expect(lines[2].contains(Self.age(state)))
        #expect(lines[3].contains("Payments are off"))
        #expect(lines[4].hasPrefix(" /"))
    }

    @Test("a request that was withdrawn has words of its own")
    func takenBack() {
        for (locale, words) in [
            ("en_US", "withdrawn; not charged"), ("ja_JP", "取り下げ済み、請求なし"),
        ] {
            var strings = Strings(locale: locale, formatters: Screens.formatters)
            strings.now = SampleShop.now
            let error = StoreError(.requestWithdrawn)
            #expect(strings.failureNote(error) == words)
            #expect(strings.status(.failed(error)).first?.hasSuffix(words) == true)
        }
    }

    @Test("the palette cuts the network for a while and during a purchase, but not for customers")
    func palette() {
        for (locale, lines) in [
            (
                "en_US",
                [
                    "network off for 30 s",
                    "cut the network when the store has recorded the next purchase",
                ]
            ),
            ("ja_JP", ["ネットワークを30秒間オフ", "次の購入がストアに記録されたらネットワークをオフ"]),
        ] {
            for (isForCustomers, size) in [
                (false, Screens.usual), (false, Screens.smallest), (true, Screens.usual),
            ] {
                for line in lines {
                    var state = SampleShop.full(locale: locale)
                    state.shop.hasConsole = !isForCustomers
                    state.take([ShopAction.palette(.opened), .palette(.typed(line))], on: size)
                    let count = Screens.viewport(size, in: state).entries.count
                    #expect((count == 1) != isForCustomers, "\(line): \(count)")
                }
            }
        }
    }
}
