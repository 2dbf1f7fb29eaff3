@testable import Shop
@testable import StoreModel
import Terminal
import Testing

@Suite struct InstalledVersionTests {
    @Test("the page shows the version on this device, even if the store has a newer one [E3]")
    func installed() throws {
        var state = SampleShop.full()
        state.navigation.open(.product("book.one"))
        let content = try #require(state.productList.product("book.one")?.hostedContent.first)
        let size = Screens.large
        let line = "\(content.id) \(content.version)"
        #expect(Screens.draw(state, size).lines.contains { $0.contains(line) })
        state.snapshot.downloads["book.one"]?.installed = [content.id: "0.9"]
        let lines = Screens.draw(state, size).lines
        #expect(lines.contains { $0.contains("\(content.id) 0.9") })
        #expect(!lines.contains { $0.contains(line) })
    }

    @Test("while an update runs, its version is on its way, and no other is called available")
    func updateRuns() throws {
        var state = SampleShop.full()
        state.navigation.open(.product("book.one"))
        let content = try #require(state.productList.product("book.one")?.hostedContent.first)
        var package = Download(
            transactionID: TransactionID(1), productID: "book.one", contentID: content.id,
            version: "0.95", state: .active, bytesReceived: 10, bytesExpected: 100)
        package.installedVersion = "0.9"
        // The catalog offers a later version than the one that is being downloaded.
        for (downloadState, isComing) in [
            (Download.State.active, true), (.paused, true), (.finished, false),
        ] {
            package.state = downloadState
            state.snapshot.downloads["book.one"] = ProductDownload([package], at: .zero)
            let lines = Screens.draw(state, Screens.large).lines
            #expect(lines.contains { $0.contains("\(content.id) 0.9") })
            #expect(
                lines.contains { $0.contains("version 0.95 on its way") } == isComing,
                "\(downloadState)")
            #expect(lines.contains { $0.contains("available") } != isComing, "\(downloadState)")
        }
    }
}
