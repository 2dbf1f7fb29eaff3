@testable import ShopCore
import ShopTestSupport
import StoreModel
import Testing

/// Restoring, downloads, and looks.
@Suite struct OwningTests {
    // MARK: - Restoring

    @Test func restoringTwiceAsksOnce() {
        var probe = ShopProbe()
        probe.send(.restoreChosen, [.restore]) {
            $0.isRestoring = true
            $0.tells(.restoring)
        }
        probe.send(.restoreChosen) { $0.tells(.refused(.alreadyRestoring)) }
        probe.happen(.selectionMoved(.last))
        probe.send(.confirmed)
    }

    struct Restored: Sendable {
        var restored: [ProductID]
        var alreadyHere: [ProductID]
        var unverified: Int
        var count: Int
        var hereCount: Int
    }

    @Test(arguments: [
        Restored(
            restored: ["book.one", "theme.night", "book.one"], alreadyHere: ["theme.sepia"],
            unverified: 1, count: 2, hereCount: 1),
        Restored(restored: [], alreadyHere: ["book.one"], unverified: 0, count: 0, hereCount: 1),
        Restored(restored: [], alreadyHere: [], unverified: 0, count: 0, hereCount: 0),
    ])
    func restoringEndsWithItsCounts(_ row: Restored) {
        var probe = ShopProbe()
        probe.happen(.restoreChosen)
        let summary = RestoreSummary(
            restored: row.restored.map { SampleShop.payload($0, 1) },
            alreadyHere: row.alreadyHere.map { SampleShop.payload($0, 2) },
            unverifiedCount: row.unverified)
        probe.send(.restoreEnded(summary), [.lookAtStanding]) {
            $0.isRestoring = false
            $0.restored = Set(row.restored)
            $0.tells(
                .restored(
                    count: row.count, alreadyHere: row.hereCount, unverified: row.unverified))
        }
        probe.send(.restoreChosen, [.restore]) {
            $0.isRestoring = true
            $0.tells(.restoring)
        }
    }

    @Test func restoringThatFailsCanBeTriedAgain() {
        var probe = ShopProbe()
        probe.happen(.restoreChosen)
        let error = StoreError(.networkError)
        probe.send(.restoreFailed(error), [.lookAtStanding]) {
            $0.isRestoring = false
            $0.tells(.restoreFailed(error))
        }
        #expect(probe.happen(.restoreChosen) == [.restore])
    }

    @Test func theLastRowRestores() {
        var probe = ShopProbe()
        probe.happen(.selectionMoved(.last))
        probe.send(.confirmed, [.restore]) {
            $0.isRestoring = true
            $0.tells(.restoring)
        }
    }

    // MARK: - Downloads

    enum Press: Sendable { case toggle, cancel, delete }

    @Test(
        arguments: [
            ("book.one", Press.toggle, nil, .refused(.nothingDownloading)),
            ("book.two", .toggle, .pauseDownload("book.two"), .downloadPaused(name: "")),
            ("book.three", .toggle, nil, .refused(.nothingDownloading)),
            ("book.four", .toggle, .resumeDownload("book.four"), .downloadResumed(name: "")),
            ("book.five", .toggle, .resumeDownload("book.five"), .downloadResumed(name: "")),
            ("book.six", .toggle, .resumeDownload("book.six"), .downloadResumed(name: "")),
            ("book.one", .cancel, nil, .refused(.nothingToCancel)),
            ("book.two", .cancel, .cancelDownload("book.two"), .downloadCancelled(name: "")),
            ("book.four", .cancel, .cancelDownload("book.four"), .downloadCancelled(name: "")),
            ("book.five", .cancel, .cancelDownload("book.five"), .downloadCancelled(name: "")),
            ("book.six", .cancel, nil, .refused(.nothingToCancel)),
            ("book.one", .delete, .deleteContent("book.one"), .contentDeleted(name: "")),
            ("book.two", .delete, nil, .refused(.noContentHere)),
            ("book.six", .delete, nil, .refused(.noContentHere)),
            ("theme.night", .delete, nil, .refused(.noContentHere)),
        ] as [(ProductID, Press, ShopEffect?, News.What)])
    func whatAKeyDoesToADownload(
        _ product: ProductID, _ press: Press, _ effect: ShopEffect?, _ news: News.What
    ) throws {
        for isOnPage in [false, true] {
            var probe = ShopProbe(SampleShop.full())
            if isOnPage {
                probe.open(product)
            } else if let row = probe.state.shelf.row(of: product) {
                if row != probe.state.selectedRow { probe.happen(.rowPointed(row)) }
            }
            let name = try probe.state.product(product).displayName
            let action: ShopAction =
                switch press {
                case .toggle: .downloadToggled
                case .cancel: .downloadCancelled
                case .delete: .contentDeleted
                }
            probe.send(action, effect.map { [$0] } ?? []) {
                let told: News.What =
                    switch news {
                    case .downloadPaused: .downloadPaused(name: name)
                    case .downloadResumed: .downloadResumed(name: name)
                    case .downloadCancelled: .downloadCancelled(name: name)
                    case .contentDeleted: .contentDeleted(name: name)
                    default: news
                    }
                $0.tells(told)
            }
        }
    }

    @Test func theButtonsOfThePageDoTheSame() {
        for (product, button, effect) in [
            ("book.two", 0, ShopEffect.pauseDownload("book.two")),
            ("book.two", 1, .cancelDownload("book.two")),
            ("book.four", 0, .resumeDownload("book.four")),
            ("book.six", 0, .resumeDownload("book.six")),
            ("book.one", 1, .deleteContent("book.one")),
            ("theme.paper", 0, .restore),
        ] as [(ProductID, Int, ShopEffect)] {
            var probe = ShopProbe(SampleShop.full())
            probe.open(product)
            #expect(probe.happen(.buttonPointed(button)) == [effect], "\(product) \(button)")
        }
    }

    @Test("a download that waits for room is told, and can be resumed")
    func waitingForRoom() {
        var probe = ShopProbe(SampleShop.full())
        var standing = probe.state.standing
        standing.downloads["book.two"]?.state = .waiting
        standing.downloads["book.two"]?.error = StoreError(.deviceFull)
        probe.happen(.standingArrived(standing))
        let name = "The Lighthouse, part two"
        #expect(
            probe.state.news?.what == .downloadFailed(name: name, StoreError(.deviceFull)))
        probe.open("book.two")
        #expect(probe.happen(.buttonPointed(0)) == [.resumeDownload("book.two")])
    }

    @Test(arguments: [
        (Download.State.finished, News.What.downloaded(name: "The Lighthouse, part two")),
        (
            .failed,
            .downloadFailed(name: "The Lighthouse, part two", StoreError(.networkError))
        ),
    ])
    func theEndOfADownloadIsTold(_ end: Download.State, _ news: News.What) {
        var probe = ShopProbe(SampleShop.full())
        var standing = probe.state.standing
        standing.downloads["book.two"]?.state = end
        if end == .failed {
            standing.downloads["book.two"]?.error = StoreError(.networkError)
        }
        probe.happen(.standingArrived(standing))
        #expect(probe.state.news?.what == news)
        let told = probe.state.news
        probe.happen(.standingArrived(standing))
        #expect(probe.state.news == told)
    }

    @Test func whatWasFoundAtTheFirstLookIsNoNews() {
        var probe = ShopProbe()
        probe.happen(.standingArrived(SampleShop.standing))
        #expect(probe.state.news == nil)
    }

    // MARK: - Looks

    @Test func aThousandUpdatesAskForOneLook() {
        var probe = ShopProbe()
        var effects: [ShopEffect] = []
        for number in 0..<250 {
            effects += probe.happen(.deviceStirred)
            effects += probe.happen(.updateArrived(.finished(TransactionID(Int64(number)))))
            effects += probe.happen(.arrived("coins.10", Int64(number)))
            effects += probe.happen(
                .updateArrived(.claimed(TransactionID(Int64(number)), by: "tablet")))
        }
        #expect(effects == [.lookAtStanding])
        // What came meanwhile is looked at once, and then nothing more.
        probe.send(.standingArrived(Standing()), [.lookAtStanding]) { $0.standing = Standing() }
        probe.send(.standingArrived(Standing()))
        probe.send(.deviceStirred, [.lookAtStanding])
    }

    @Test(arguments: [ShopEffect.loadProducts, .lookAtStanding, .lookAtConsole])
    func aLookIsNotAskedForTwiceAndFollowsOnce(_ look: ShopEffect) {
        var looks = Looks()
        #expect(looks.ask(look) == [look])
        #expect(looks.ask(look) == [])
        #expect(looks.ask(look) == [])
        #expect(looks.ended(look) == [look])
        #expect(looks.ended(look) == [])
        #expect(looks == Looks())
        #expect(looks.ask(look) == [look])
    }

    @Test func aLookThatFailedIsToldAndCanBeAskedForAgain() {
        let error = StoreError(.storeBusy)
        for (ask, fail, look) in [
            (ShopAction.shown, ShopAction.productsFailed(error), ShopEffect.loadProducts),
            (.deviceStirred, .standingFailed(error), .lookAtStanding),
            (
                .faultWasSet(.init(id: 1, call: .purchase, error: .unknown, remaining: 1)),
                .consoleFailed(error), .lookAtConsole
            ),
        ] {
            var probe = ShopProbe()
            #expect(probe.happen(ask) == [look])
            probe.send(fail) { $0.tells(.trouble(error)) }
            #expect(probe.happen(ask) == [look])
        }
    }
}
