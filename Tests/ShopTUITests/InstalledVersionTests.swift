@testable import ShopCore
import ShopTestSupport
import ShopTUI
import StoreModel
import Terminal
import Testing

@Suite struct InstalledVersionTests {
    @Test("the page shows the version on this device, even if the store has a newer one")
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
}
