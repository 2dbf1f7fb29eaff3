import StoreDevice
import StoreModel
import StoreTestSupport
import Testing

/// A device on which no account is signed in to the App Store.
@Suite("a device that is signed out", .timeLimit(.minutes(10))) struct SignedOutTests {
    private let home: Home

    init() async throws { home = try await Home() }

    @Test(
        "what needs an account is refused before anything is sent or queued; later it works [C7]")
    func needsAnAccount() async throws {
        let device = try await home.launch()
        #expect(try await device.isSignedIn())
        #expect(try await device.buy(.of(SampleCatalog.theme)).isPurchased)
        try await home.untilDelivered(1, on: device)
        let owned = try #require(try await device.latestDeliveries().first)

        try await device.setSignedIn(false)
        let payment = Payment.of(SampleCatalog.coins)
        let error = await #expect(throws: StoreError.self) { try await device.buy(payment) }
        #expect(error?.code == .notSignedIn && error?.paymentID == payment.id)
        #expect(error?.subject == "aoi", "names the account")
        #expect(error?.found?.text == StoreEnvironment.sandbox.rawValue, "and the environment")
        let others: [() async throws -> Void] = [
            { _ = try await device.restore() },
            { try await device.claim(owned.transactionID) },
            { _ = try await device.requestRefund(of: owned.transactionID, reason: .other) },
            { _ = try await device.refreshReceipt(ReceiptOptions()) },
        ]
        for call in others {
            let error = await #expect(throws: StoreError.self) { try await call() }
            #expect(error?.code == .notSignedIn)
        }
        #expect(try await device.queuedPayments().isEmpty)
        #expect(try await home.salesCount() == 1)
        #expect(try await device.entitlements().value.map(\.productID) == [SampleCatalog.theme])

        try await device.setSignedIn(true)
        #expect(try await device.buy(payment).isPurchased)
        #expect(try await home.salesCount() == 2)
    }

    @Test("it stays signed out at the next launch, and other devices notice nothing [C7]")
    func stays() async throws {
        let device = try await home.launch()
        try await device.setSignedIn(false)
        await device.close()
        let next = try await home.launch()
        #expect(try await !next.isSignedIn())
        let tablet = try await home.launch("tablet")
        #expect(try await tablet.isSignedIn())
        #expect(try await tablet.buy(.of(SampleCatalog.coins)).isPurchased)
    }

    @Test("a payment that was sent before is still asked about")
    func sentBefore() async throws {
        let device = try await home.launch()
        try await device.setNetwork(.offAfterPayment(milliseconds: nil))
        let payment = Payment.of(SampleCatalog.coins)
        let lost = await #expect(throws: StoreError.self) { try await device.buy(payment) }
        #expect(lost?.code == .outcomeUnknown)
        try await device.setSignedIn(false)
        let asked = await #expect(throws: StoreError.self) { try await device.buy(payment) }
        #expect(asked?.code == .outcomeUnknown)
        try await device.setNetwork(.on)
        try await home.untilDelivered(1, on: device)
        #expect(try await home.salesCount() == 1)
    }
}
