@testable import Shop
import ShopText
import StoreModel
import Testing

/// What a shop tells and asks because of the app's own backend.
@Suite struct AppBackendTests {
    @Test("a backend that fails is announced, and left to the device to log")
    func failing() {
        var probe = ShopProbe()
        let error = StoreError(
            .backendFailed, subject: "127.0.0.1:3000",
            found: ContentServerFailure.unreachable.rawValue)
        probe.send(.updateArrived(.trouble(error, in: .backend, ended: false))) {
            $0.announces(.trouble(error))
        }
        let line = Strings.english[StatusText.trouble(error)]
        #expect(
            line == "The app's backend at 127.0.0.1:3000 does not answer. Purchases arrive all the "
                + "same; what it was not told waits for it.")
    }

    @Test("another backend may list other products, which are asked for at once")
    func listed() {
        var probe = ShopProbe()
        var snapshot = AccountSnapshot()
        snapshot.settings.backend = AppBackend("http://127.0.0.1:3000")
        #expect(probe.happen(.accountArrived(snapshot)).contains(.loadProducts))
        probe.happen(.productsArrived(SampleShop.response()))
        #expect(!probe.happen(.accountArrived(snapshot)).contains(.loadProducts))
        snapshot.settings.backend = nil
        #expect(probe.happen(.accountArrived(snapshot)).contains(.loadProducts))
    }
}
