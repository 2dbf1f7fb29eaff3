@testable import Shop
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10))) struct UnsafeSettingsTests {
    @Test("an unsafe setting of the store's database is counted as a mode; an audience sees none")
    func counted() {
        var state = SampleShop.empty()
        #expect(state.modesSet == 0)
        state.snapshot.unsafeSettings = ["fsync", "synchronous_commit"]
        #expect(state.modesSet == 2)
        state.shop.isPresenting = true
        #expect(state.modesSet == 0)
    }

    @Test("the settings are those of the server that the store is on when the account is read")
    func newest() async {
        let known = Mutex<[String]>([])
        let (stream, posting) = AsyncStream.makeStream(of: ShopAction.self)
        var actions = stream.makeAsyncIterator()
        let store = FakeStore()
        let worker = ShopWorker(
            store: store, device: store, storeOperator: store, offerSigner: store,
            unsafeSettings: { known.withLock { $0 } }, elapsed: ContinuousClock(),
            post: { posting.yield($0) })
        for settings in [["fsync"], []] {
            known.withLock { $0 = settings }
            worker.perform(.refreshAccount)
            let action = await actions.next(isolation: #isolation)
            guard case .accountArrived(let snapshot)? = action else {
                Issue.record("the account was not read: \(String(describing: action))")
                return
            }
            #expect(snapshot.unsafeSettings == settings)
        }
    }
}
