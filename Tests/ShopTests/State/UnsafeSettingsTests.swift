@testable import Shop
import Testing

@Suite struct UnsafeSettingsTests {
    @Test("an unsafe setting of the store's database is counted as a mode; an audience sees none")
    func counted() {
        var state = SampleShop.empty()
        #expect(state.modesSet == 0)
        state.shop.unsafeSettings = ["fsync", "synchronous_commit"]
        #expect(state.modesSet == 2)
        state.shop.isPresenting = true
        #expect(state.modesSet == 0)
    }
}
