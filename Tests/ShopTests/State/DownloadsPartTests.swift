@testable import Shop
import ShopText
@testable import StoreModel
import Terminal
import Testing

/// The downloads in the library: totals, newer versions, consent, a full disk.
@Suite struct DownloadsPartTests {
    private func library(_ change: (inout AccountSnapshot) -> Void = { _ in }) -> ShopProbe {
        var probe = ShopProbe(SampleShop.full())
        probe.refresh(change)
        probe.happen(.viewChosen(.library))
        return probe
    }

    private func select(_ id: ProductID, in probe: inout ShopProbe) {
        probe.happen(.selectionMoved(.first))
        for _ in 0..<30 where probe.state.selectedProduct?.id != id {
            probe.happen(.selectionMoved(.down))
        }
        #expect(probe.state.selectedProduct?.id == id)
    }

    @Test("the totals count what is under way or was held up, and give one speed and time [A9]")
    func totals() throws {
        let totals = library().state.downloadTotals
        #expect(totals.count == 3 && totals.running == 1)
        #expect(totals.expected == 9_600_000)
        #expect(totals.received == 1_728_000 + 1_000_000 + 800_000)
        #expect(totals.rate == 210_000)
        #expect(totals.secondsRemaining == Double(3_200_000 - 1_728_000) / 210_000)
        let full = library { snapshot in
            for id in snapshot.downloads.keys where snapshot.downloads[id]?.state == .active {
                snapshot.downloads[id]?.error = StoreError(.deviceFull)
            }
        }.state.downloadTotals
        #expect(full.running == 0 && full.waitingForRoom == 1 && full.rate == nil)
        let asking = library { snapshot in
            for id in snapshot.downloads.keys where snapshot.downloads[id]?.state == .active {
                snapshot.downloads[id]?.needsConsent = true
            }
        }.state.downloadTotals
        #expect(asking.count == 3 && asking.running == 0 && asking.rate == nil)
        // What waits for its turn shows no bar, and does not run.
        let queued = library { $0.downloads["book.four"]?.state = .waiting }.state.downloadTotals
        #expect(queued.count == 3 && queued.running == 1)
        #expect(queued.secondsRemaining == Double(3_200_000 - 1_728_000 + 2_200_000) / 210_000)
        let none = library { $0.downloads = [:] }.state.downloadTotals
        #expect(none.count == 0 && none.rate == nil && none.secondsRemaining == nil)
    }

    private static func told(_ id: ProductID, _ bytes: Int64) -> ShopAction {
        .library(
            .moved(
                [
                    DownloadProgress(
                        productID: id, contentID: "text", bytesReceived: bytes,
                        bytesPerSecond: 100_000)
                ], at: .seconds(4)))
    }

    @Test("bytes that arrive move the bar, the rate and the time left of an active download only")
    func moves() {
        var probe = library()
        #expect(probe.happen(Self.told("book.two", 2_000_000)).isEmpty)
        let moved = probe.state.snapshot.downloads["book.two"]
        #expect(moved?.received == 2_000_000 && moved?.rate == 100_000)
        #expect(moved?.secondsRemaining == Double(3_200_000 - 2_000_000) / 100_000)
        for id: ProductID in ["book.one", "book.four", "book.five", "book.unknown"] {
            let before = probe.state.snapshot.downloads[id]?.received
            #expect(probe.happen(Self.told(id, 1)).isEmpty)
            #expect(probe.state.snapshot.downloads[id]?.received == before)
        }
    }

    @Test("a snapshot that was read before the latest bytes arrived does not take them back")
    func staysMoved() {
        var probe = library()
        let older = probe.state.snapshot
        // The library asks for a snapshot when it is shown.
        probe.happen(Self.told("book.two", 2_000_000))
        probe.happen(.accountArrived(older))
        #expect(probe.state.snapshot.downloads["book.two"]?.received == 2_000_000)
        // The download began anew, and no bytes have arrived since.
        #expect(probe.happen(.deviceChanged) == [.refreshAccount])
        probe.happen(.accountArrived(older))
        #expect(probe.state.snapshot.downloads["book.two"]?.received == 1_728_000)
    }

    @Test("a download without bytes says for how long, until bytes come again [A9]")
    func standsStill() {
        var probe = library()
        probe.elapsed = .seconds(4)
        probe.happen(Self.told("book.two", 2_000_000))
        func text() -> String {
            let download = probe.state.snapshot.downloads["book.two"]
            let strings = Strings(locale: "en_US", formatters: Screens.formatters)
            return download.map { strings.progressLine($0, waitsForNetwork: false, isLong: true) }
                ?? ""
        }
        #expect(text().hasSuffix("left"))
        #expect(probe.state.deadlines.nextCountOrSilence == .seconds(5))
        probe.elapsed = .seconds(16)
        probe.happen(.library(.counted))
        #expect(text() == "2.0 of 3.2 MB, no data for 12 s")
        #expect(probe.state.deadlines.nextCountOrSilence == .seconds(17))
        #expect(probe.state.downloadTotals.running == 0)
        // A snapshot without new bytes does not begin the count anew.
        probe.happen(.accountArrived(probe.state.snapshot))
        #expect(text().hasSuffix("no data for 12 s"))
        probe.elapsed = .seconds(18)
        probe.happen(
            .library(
                .moved(
                    [
                        DownloadProgress(
                            productID: "book.two", contentID: "text", bytesReceived: 2_100_000,
                            bytesPerSecond: 100_000)
                    ], at: .seconds(18))))
        #expect(text().hasSuffix("left"))
    }

    /// The second part, of which one package is being fetched and the other one is paused.
    private func twoPackages() -> ShopProbe {
        library { snapshot in
            let rows = [("north", Download.State.active), ("south", .paused)].map { id, state in
                Download(
                    transactionID: TransactionID(1), productID: "book.two", contentID: id,
                    version: "1.2", state: state, bytesReceived: 100, bytesExpected: 1_000)
            }
            snapshot.downloads["book.two"] = ProductDownload(rows, at: .zero)
        }
    }

    @Test("each of several packages has a row, where keys pause, resume and cancel only it [E7]")
    func packages() {
        let id: ProductID = "book.two"
        var probe = twoPackages()
        let name = probe.state.name(of: id)
        select(id, in: &probe)
        #expect(probe.happen(.downloadToggled) == [.content(.pauseDownloads, id)])
        probe.happen(.selectionMoved(.down))
        #expect(probe.state.selectedPackage == "north" && probe.state.selectedProduct?.id == id)
        #expect(
            probe.happen(.downloadToggled) == [.content(.pauseDownloads, id, package: "north")])
        let paused = StatusText.content(.pauseDownloads, name: name + " (north)")
        #expect(probe.state.statusMessage?.what == paused)
        probe.happen(.selectionMoved(.down))
        #expect(
            probe.happen(.downloadToggled) == [.content(.resumeDownloads, id, package: "south")])
        probe.happen(.contentChosen(.cancelDownloads))
        #expect(
            probe.state.sheet == .question(QuestionSheet(.cancelDownload(id, package: "south"))))
        probe.happen(.choiceMoved(1))
        // While the question stands, the packages may end: it stays about the one it names.
        probe.refresh { snapshot in snapshot.settings.isMetered = false }
        #expect(
            probe.happen(.confirmed) == [.content(.cancelDownloads, id, package: "south")])
        probe.happen(.selectionMoved(.down))
        #expect(probe.state.selectedPackage == nil)
    }

    @Test("P on the page goes through the packages; its buttons are about the chosen one [E7]")
    func packagesOfPage() {
        let id: ProductID = "book.two"
        var probe = twoPackages()
        select(id, in: &probe)
        probe.happen(.confirmed)
        for (package, operation) in [
            (nil, ContentOperation.pauseDownloads), ("north", .pauseDownloads),
            ("south", .resumeDownloads), (nil, .pauseDownloads),
        ] as [(String?, ContentOperation)] {
            #expect(probe.state.selectedPackage == package)
            #expect(probe.happen(.confirmed) == [.content(operation, id, package: package)])
            probe.happen(.page(.packageChosen))
        }
        let lines = Screens.draw(probe.state, Screens.usual).lines
        #expect(lines.contains { $0.contains("▌") && $0.contains("north 1.2") })
        #expect(lines.contains { $0.contains("south 1.2") && $0.contains("paused") })
    }

    @Test(
        "a newer version is announced once, listed among the downloads, and fetched by the key [E3]"
    )
    func update() throws {
        var probe = library { $0.downloads["book.one"]?.installed = ["text": "1.0"] }
        let state = probe.state
        #expect(state.librarySection(of: "book.one") == .downloads)
        let product = try #require(state.productList.product("book.one"))
        #expect(state.updates(of: product).map(\.installedVersion) == ["1.0"])
        #expect(state.pageButtons(for: product).prefix(2) == [.read, .update])
        // The message of a purchase is shown for its full time.
        probe.elapsed = .seconds(30)
        probe.happen(.messageFaded)
        let message = probe.state.statusMessage?.what
        guard case .updatesFound(_, let update, 1) = message else {
            Issue.record("not announced: \(String(describing: message))")
            return
        }
        #expect(update.productID == "book.one")
        probe.elapsed = .seconds(60)
        probe.happen(.messageFaded)
        probe.happen(.accountArrived(probe.state.snapshot))
        #expect(probe.state.statusMessage == nil)
        select("book.one", in: &probe)
        #expect(probe.happen(.downloadToggled) == [.content(.resumeDownloads, "book.one")])
        // A version that is being downloaded is not offered.
        probe.refresh { $0.downloads["book.one"]?.state = .active }
        #expect(probe.state.updates(of: product).isEmpty)
    }

    @Test("an update that was cancelled is not called downloaded: the version that stays is named")
    func cancelledUpdate() {
        var package = Download(
            transactionID: TransactionID(1), productID: "book.one", contentID: "text",
            version: "1.0", state: .finished, bytesReceived: 100, bytesExpected: 100)
        package.installedVersion = "1.0"
        var probe = library { $0.downloads["book.one"] = ProductDownload([package], at: .zero) }
        func arrive(_ package: Download) {
            probe.refresh { $0.downloads["book.one"] = ProductDownload([package], at: .zero) }
        }
        let name = probe.state.name(of: "book.one")
        var update = package
        update.version = "2.0"
        update.state = .active
        update.bytesReceived = 10
        arrive(update)
        select("book.one", in: &probe)
        probe.happen(.contentChosen(.cancelDownloads))
        probe.happen(.choiceMoved(1))
        #expect(probe.happen(.confirmed) == [.content(.cancelDownloads, "book.one")])
        let said = StatusText.updateCancelled(name: name, version: "1.0")
        #expect(probe.state.statusMessage?.what == said)
        arrive(package)
        #expect(probe.state.statusMessage?.what == said)
        // Another process cancels the update.
        arrive(update)
        probe.elapsed = .seconds(60)
        probe.happen(.messageFaded)
        arrive(package)
        #expect(probe.state.statusMessage?.what == said)
        // The update is in place, but not recorded yet; then it is recorded.
        update.installedVersion = "2.0"
        arrive(update)
        update.state = .finished
        arrive(update)
        #expect(probe.state.statusMessage?.what == .downloaded(name: name))
    }

    @Test("what is on this device in the offered version is no download")
    func upToDate() {
        #expect(library().state.librarySection(of: "book.one") == .here)
    }

    @Test("a full disk asks whether room should be made; no is chosen, and yes makes room [A9]")
    func fullDisk() {
        var probe = library { $0.downloads["book.five"]?.error = StoreError(.deviceFull) }
        select("book.five", in: &probe)
        #expect(probe.happen(.downloadToggled).isEmpty)
        guard case .question(let sheet) = probe.state.sheet else {
            Issue.record("nothing was asked")
            return
        }
        #expect(sheet.subject == .makeRoom("book.five") && !sheet.isConfirmChosen)
        probe.happen(.choiceMoved(1))
        #expect(probe.happen(.confirmed) == [.content(.makeRoom, "book.five")])
        #expect(
            probe.state.statusMessage?.what
                == .content(.makeRoom, name: probe.state.name(of: "book.five")))
    }

    @Test("a metered connection asks before a large download, and not before a small one")
    func metered() {
        for (limit, asks) in [(Int64(1), true), (Int64.max, false)] {
            var probe = library {
                $0.settings.isMetered = true
                $0.settings.meteredBytes = limit
            }
            select("book.six", in: &probe)
            let effects = probe.happen(.downloadToggled)
            #expect(effects == (asks ? [] : [.content(.resumeDownloads, "book.six")]))
            guard asks else { continue }
            probe.happen(.choiceMoved(1))
            #expect(probe.happen(.confirmed) == [.content(.consentToDownload, "book.six")])
        }
    }

    @Test("a download that waits for consent is not paused by the key, but asked about")
    func waitsForConsent() {
        var probe = library {
            $0.downloads["book.four"]?.state = .waiting
            $0.downloads["book.four"]?.needsConsent = true
        }
        select("book.four", in: &probe)
        #expect(probe.happen(.downloadToggled).isEmpty)
        probe.happen(.choiceMoved(1))
        #expect(probe.happen(.confirmed) == [.content(.consentToDownload, "book.four")])
    }

    @Test("M says that the connection is metered, and keeps the other choices")
    func toggled() {
        var probe = library { $0.settings.theme = "theme.night" }
        var settings = DeviceSettings(theme: "theme.night")
        settings.isMetered = true
        #expect(probe.happen(.setting(.toggled(.isMetered))) == [.saveSettings(settings)])
    }

    private func arrive(
        _ id: ProductID, in probe: inout ShopProbe, _ change: (inout ProductDownload) -> Void
    ) {
        var snapshot = probe.state.snapshot
        if var download = snapshot.downloads[id] {
            change(&download)
            snapshot.downloads[id] = download
        }
        probe.happen(.accountArrived(snapshot))
    }

    private static let full = StoreError(.deviceFull, found: "2000", expected: "20000")

    @Test("room that was made in vain is asked about again, with what is needed and free")
    func roomInVain() {
        let id: ProductID = "book.five"
        var probe = library {
            $0.downloads[id]?.state = .waiting
            $0.downloads[id]?.error = Self.full
        }
        select(id, in: &probe)
        let name = probe.state.name(of: id)
        probe.happen(.downloadToggled)
        probe.happen(.choiceMoved(1))
        #expect(probe.happen(.confirmed) == [.content(.makeRoom, id)])
        probe.happen(.library(.roomMade(id, packages: 1, bytes: 500)))
        let made = StatusText.roomMade(name: name, packages: 1, bytes: 500)
        #expect(probe.state.statusMessage?.what == made)
        arrive(id, in: &probe) {
            $0.state = .active
            $0.error = nil
        }
        #expect(probe.state.sheet == nil && probe.state.statusMessage?.what == made)
        arrive(id, in: &probe) {
            $0.state = .waiting
            $0.error = Self.full
        }
        #expect(probe.state.sheet == .question(QuestionSheet(.makeRoom(id))))
        let figures = RoomFigures(Self.full)
        #expect(figures?.needed == 20_000 && figures?.free == 2_000)
        let waits = StatusText.downloadWaits(name: name, .room(figures))
        #expect(probe.state.statusMessage?.what == waits)
        // The device is asked once for each choice; other byte counts are no new reason to wait.
        probe.happen(.wentBack)
        arrive(id, in: &probe) {
            $0.error = StoreError(.deviceFull, found: "2100", expected: "20000")
        }
        #expect(probe.state.sheet == nil)
        #expect(probe.state.statusMessage?.what == waits)
    }

    @Test("a download that was asked for and fails as before says so again")
    func failsAgain() {
        let id: ProductID = "book.five"
        let lost = StoreError(.networkError)
        var probe = library {
            $0.downloads[id]?.state = .failed
            $0.downloads[id]?.error = lost
        }
        select(id, in: &probe)
        let name = probe.state.name(of: id)
        #expect(probe.happen(.downloadToggled) == [.content(.resumeDownloads, id)])
        #expect(probe.state.statusMessage?.what == .content(.resumeDownloads, name: name))
        // A snapshot from before the device was asked changes no message.
        arrive(id, in: &probe) { _ in }
        #expect(probe.state.statusMessage?.what == .content(.resumeDownloads, name: name))
        probe.happen(.library(.resumed(id)))
        arrive(id, in: &probe) { _ in }
        #expect(probe.state.statusMessage?.what == .downloadFailed(name: name, lost))
    }

    @Test("what waits for a person, room or the network is not called downloading")
    func waitsTold() {
        let id: ProductID = "book.four"
        var probe = library()
        let name = probe.state.name(of: id)
        arrive(id, in: &probe) {
            $0.state = .waiting
            $0.needsConsent = true
        }
        let bytes = probe.state.snapshot.downloads[id]?.expected ?? 0
        #expect(
            probe.state.statusMessage?.what == .downloadWaits(name: name, .consent(bytes: bytes)))
        arrive(id, in: &probe) {
            $0.needsConsent = false
            $0.error = Self.full
        }
        let room = DownloadObstacle.room(RoomFigures(Self.full))
        #expect(probe.state.statusMessage?.what == .downloadWaits(name: name, room))
        // A shop that opens with this state knows the obstacle, too.
        let begun = ShopProbe(probe.state)
        #expect(begun.state.snapshot.downloads[id]?.obstacle == room)
    }

    @Test(
        "c in the question about room asks about dropping; M in the one about metering turns it off"
    )
    func keysOfQuestions() {
        let id: ProductID = "book.five"
        var probe = library { $0.downloads[id]?.error = StoreError(.deviceFull) }
        select(id, in: &probe)
        probe.happen(.downloadToggled)
        probe.happen(.questionSheet(.meteredDenied))
        #expect(probe.state.sheet == .question(QuestionSheet(.makeRoom(id))))
        probe.happen(.questionSheet(.dropChosen))
        #expect(probe.state.sheet == .question(QuestionSheet(.cancelDownload(id))))
        probe = library {
            $0.settings.isMetered = true
            $0.settings.meteredBytes = 1
        }
        select("book.six", in: &probe)
        probe.happen(.downloadToggled)
        probe.happen(.questionSheet(.dropChosen))
        #expect(probe.state.sheet == .question(QuestionSheet(.downloadMetered("book.six"))))
        var settings = probe.state.snapshot.settings
        settings.isMetered = false
        #expect(
            probe.happen(.questionSheet(.meteredDenied))
                == [.saveSettings(settings), .content(.resumeDownloads, "book.six")])
        #expect(probe.state.sheet == nil)
    }

    @Test("a notice hides no other message, is not counted, and comes when the row is free")
    func noticesWait() {
        var probe = library()
        probe.elapsed = .seconds(60)
        probe.happen(.messageFaded)
        probe.happen(.catalogOpened(notice: "notice", remarks: []))
        #expect(probe.state.statusMessage?.what == .catalogNotice("notice"))
        // Another message hides the notice before its time.
        probe.happen(.setting(.toggled(.isMetered)))
        guard case .setting? = probe.state.statusMessage?.what else {
            Issue.record("the key is not answered")
            return
        }
        #expect(probe.state.statusMessage?.replaced == 0)
        // The same notice again is told once.
        probe.happen(.catalogOpened(notice: "notice", remarks: []))
        // A newer version is found; its notice waits as well.
        arrive("book.one", in: &probe) { $0.installed = ["text": "1.0"] }
        guard case .setting? = probe.state.statusMessage?.what else {
            Issue.record("a notice hides a message")
            return
        }
        probe.elapsed = .seconds(70)
        probe.happen(.messageFaded)
        #expect(probe.state.statusMessage?.what == .catalogNotice("notice"))
        // While the help covers the message row, a notice does not fade.
        probe.happen(.helpToggled)
        probe.elapsed = .seconds(77)
        probe.happen(.messageFaded)
        #expect(probe.state.statusMessage?.what == .catalogNotice("notice"))
        probe.happen(.helpToggled)
        probe.elapsed = .seconds(84)
        probe.happen(.messageFaded)
        guard case .updatesFound? = probe.state.statusMessage?.what else {
            Issue.record("the newer version is not announced")
            return
        }
        // Once the update is started, it is not announced again.
        probe.happen(.setting(.toggled(.isMetered)))
        arrive("book.one", in: &probe) { $0.state = .active }
        probe.elapsed = .seconds(100)
        probe.happen(.messageFaded)
        #expect(probe.state.statusMessage == nil)
    }
}
