import StoreDevice
import StoreModel
import StoreTestSupport
import Synchronization
import Testing

/// The store's server may be away: then a device does what it does without a network.
@Suite("a device whose store's server is away", .timeLimit(.minutes(10)))
struct UnreachableStoreTests {
    private let home: Home
    private let away = Away()

    private final class Away: Sendable {
        private let state = Atomic(false)
        var isSet: Bool { state.load(ordering: .acquiring) }
        func set(_ isSet: Bool) { state.store(isSet, ordering: .releasing) }
    }

    init() async throws { home = try await Home() }

    @Test("it shows what it knows with its age, sells nothing, and goes on when the server is back")
    func away() async throws {
        let device = try await home.launch { [away] in $0.isAway = { away.isSet } }
        #expect(try await device.buy(.of(SampleCatalog.theme)).isPurchased)
        try await home.untilDelivered(1, on: device)
        #expect(try await device.entitlements().isFresh)

        away.set(true)
        let known = try await device.entitlements()
        #expect(!known.isFresh && known.value.map(\.productID) == [SampleCatalog.theme])
        #expect(device.network().isOff)
        let payment = Payment.of(SampleCatalog.coins)
        let error = await #expect(throws: StoreError.self) { try await device.buy(payment) }
        #expect(error?.code == .storeUnreachable && error?.isRetryable == true)
        #expect(error?.subject == "postgresql://example.com/shop")
        #expect(try await device.queuedPayments().isEmpty)
        #expect(try await home.salesCount() == 1)

        away.set(false)
        await device.networkReturns()
        #expect(try await device.entitlements().isFresh)
        #expect(try await device.buy(payment).isPurchased)
        try await home.untilDelivered(2, on: device)
        #expect(try await home.salesCount() == 2)
    }

    @Test("what another device did meanwhile arrives when the server is back")
    func catchesUp() async throws {
        let device = try await home.launch { [away] in $0.isAway = { away.isSet } }
        away.set(true)
        _ = try? await device.entitlements()
        #expect(device.network().isOff)
        let other = try await home.launch("tablet")
        #expect(try await other.buy(.of(SampleCatalog.theme)).isPurchased)
        away.set(false)
        try await home.until(device) {
            try await device.entitlements().value.map(\.productID) == [SampleCatalog.theme]
        }
        #expect(try await device.entitlements().isFresh)
    }

    @Test("a payment whose outcome is not known stays queued, and is sold once")
    func lostAnswer() async throws {
        let calls = Tally()
        let device = try await home.launch { [away] script in
            script.isAway = { away.isSet }
            script.beforePurchase = { (_: Payment) async throws(StoreError) in
                guard calls.add() == 1 else { return }
                away.set(true)
                throw StoreError(.outcomeUnknown)
            }
        }
        let payment = Payment.of(SampleCatalog.coins)
        let error = await #expect(throws: StoreError.self) { try await device.buy(payment) }
        #expect(error?.code == .outcomeUnknown && error?.paymentID == payment.id)
        #expect(try await device.queuedPayments().map(\.payment) == [payment])
        #expect(device.network().isOff)
        away.set(false)
        try await home.untilDelivered(1, on: device)
        try await home.until(device) { try await device.queuedPayments().isEmpty }
        #expect(try await home.salesCount() == 1)
        #expect(try await device.balances().coins == 10)
    }
}
