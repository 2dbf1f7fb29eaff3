@testable import ShopCore
import ShopTestSupport
import StoreModel
import Testing

/// The downloads part of the library: totals, newer versions, consent, a full disk.
@Suite struct DownloadsPartTests {
    /// The library of the sample shop, after a change of the account.
    private func library(_ change: (inout AccountSnapshot) -> Void = { _ in }) -> ShopProbe {
        var probe = ShopProbe(SampleShop.full())
        var snapshot = probe.state.snapshot
        change(&snapshot)
        probe.happen(.accountArrived(snapshot))
        probe.happen(.viewChosen(.library))
        return probe
    }

    /// Selects a product's row.
    private func select(_ id: ProductID, in probe: inout ShopProbe) {
        probe.happen(.selectionMoved(.first))
        for _ in 0..<30 where probe.state.selectedProduct?.id != id {
            probe.happen(.selectionMoved(.down))
        }
        #expect(probe.state.selectedProduct?.id == id)
    }

    @Test("the totals count what is under way or was held up, and give one speed and time")
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
        let none = library { $0.downloads = [:] }.state.downloadTotals
        #expect(none.count == 0 && none.rate == nil && none.secondsRemaining == nil)
    }

    @Test("a newer version is announced once, listed among the downloads, and fetched by the key")
    func update() throws {
        var probe = library { $0.downloads["book.one"]?.installed = ["text": "1.0"] }
        let state = probe.state
        #expect(state.librarySection(of: "book.one") == .downloads)
        let product = try #require(state.productList.product("book.one"))
        #expect(state.updates(of: product).map(\.installedVersion) == ["1.0"])
        #expect(state.pageButtons(for: product).prefix(2) == [.read, .update])
        guard case .updatesFound(_, let update, 1) = state.statusMessage?.what else {
            Issue.record("not announced: \(String(describing: state.statusMessage?.what))")
            return
        }
        #expect(update.productID == "book.one")
        probe.elapsed = .seconds(60)
        probe.happen(.messageFaded)
        probe.happen(.accountArrived(probe.state.snapshot))
        #expect(probe.state.statusMessage == nil)
        select("book.one", in: &probe)
        #expect(probe.happen(.downloadToggled) == [.resumeDownload("book.one")])
        // A version that is being fetched is not offered.
        var snapshot = probe.state.snapshot
        snapshot.downloads["book.one"]?.state = .active
        probe.happen(.accountArrived(snapshot))
        #expect(probe.state.updates(of: product).isEmpty)
    }

    @Test("an update that was cancelled is not called downloaded: the version that stays is named")
    func cancelledUpdate() {
        var package = Download(
            transactionID: TransactionID(1), productID: "book.one", contentID: "text",
            version: "1.0", state: .finished, bytesReceived: 100, bytesExpected: 100)
        package.installedVersion = "1.0"
        var probe = library { $0.downloads["book.one"] = ProductDownload([package], at: .zero) }
        let arrive = { (probe: inout ShopProbe, package: Download) in
            var snapshot = probe.state.snapshot
            snapshot.downloads["book.one"] = ProductDownload([package], at: .zero)
            probe.happen(.accountArrived(snapshot))
        }
        let name = probe.state.name(of: "book.one")
        var update = package
        update.version = "2.0"
        update.state = .active
        update.bytesReceived = 10
        arrive(&probe, update)
        select("book.one", in: &probe)
        probe.happen(.downloadCancelled)
        probe.happen(.choiceMoved(1))
        #expect(probe.happen(.confirmed) == [.cancelDownload("book.one")])
        let said = StatusMessage.What.updateCancelled(name: name, version: "1.0")
        #expect(probe.state.statusMessage?.what == said)
        arrive(&probe, package)
        #expect(probe.state.statusMessage?.what == said)
        // Cancelled by another process.
        arrive(&probe, update)
        probe.elapsed = .seconds(60)
        probe.happen(.messageFaded)
        arrive(&probe, package)
        #expect(probe.state.statusMessage?.what == said)
        // In place, but not recorded yet, and then recorded.
        update.installedVersion = "2.0"
        arrive(&probe, update)
        update.state = .finished
        arrive(&probe, update)
        #expect(probe.state.statusMessage?.what == .downloaded(name: name))
    }

    @Test("what is on this device in the offered version is no download")
    func upToDate() {
        #expect(library().state.librarySection(of: "book.one") == .here)
    }

    @Test("a full disk asks whether room should be made; no is chosen, and yes makes room")
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
        #expect(probe.happen(.confirmed) == [.makeRoom("book.five")])
        #expect(
            probe.state.statusMessage?.what == .makingRoom(name: probe.state.name(of: "book.five")))
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
            #expect(effects == (asks ? [] : [.resumeDownload("book.six")]))
            guard asks else { continue }
            probe.happen(.choiceMoved(1))
            #expect(probe.happen(.confirmed) == [.consentToDownload("book.six")])
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
        #expect(probe.happen(.confirmed) == [.consentToDownload("book.four")])
    }

    @Test("M says that the connection is metered, and keeps the other choices")
    func toggled() {
        var probe = library { $0.settings.theme = "theme.night" }
        var settings = DeviceSettings(theme: "theme.night")
        settings.isMetered = true
        #expect(probe.happen(.network(.meteredToggled)) == [.saveSettings(settings)])
    }
}
