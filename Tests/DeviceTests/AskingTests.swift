import StoreDevice
import StoreEngine
import StoreModel
import StoreTestSupport
import Testing

/// An app and a shop are two processes of one device.
@Suite("what an app asks the person at a shop", .timeLimit(.minutes(10)))
struct AskingTests {
    private let home: Home

    init() async throws { home = try await Home() }

    private func openShop() async throws -> Device {
        let shop = try await home.launch()
        shop.openShop()
        return shop
    }

    @Test(
        "the app gets the shop's answer, and nothing is queued or sent for it",
        arguments: [
            (AskedPayment.Answer.confirmed, true), (.cancelled, false), (.passed, nil),
        ] as [(AskedPayment.Answer, Bool?)])
    func answered(_ answer: AskedPayment.Answer, expected: Bool?) async throws {
        let shop = try await openShop()
        let app = try await home.open()
        let payment = Payment.of(SampleCatalog.theme)
        async let asked = app.ask(payment)
        try await home.until(shop) { try await shop.askedPayments() == [payment] }
        #expect(try await shop.queuedPayments().isEmpty)
        try await shop.answer(payment.id, answer)
        #expect(try await asked == expected)
        #expect(try await shop.askedPayments().isEmpty)
        #expect(try await home.salesCount() == 0)
        // An answer to an app that asks no more is none to the next payment.
        try await shop.answer(payment.id, .confirmed)
        let next = Payment.of(SampleCatalog.coins)
        async let nextAsked = app.ask(next)
        try await home.until(shop) { try await shop.askedPayments() == [next] }
        try await shop.answer(next.id, .cancelled)
        #expect(try await nextAsked == false)
    }

    @Test("an app asks nobody where no shop is open, or where none is left")
    func nobody() async throws {
        let app = try await home.open()
        let payment = Payment.of(SampleCatalog.theme)
        #expect(try await app.ask(payment) == nil)
        let shop = try await openShop()
        async let asked = app.ask(payment)
        try await home.until(shop) { try await shop.askedPayments() == [payment] }
        await shop.suspend()
        #expect(try await asked == nil)
        try await shop.launch()
        async let again = app.ask(payment)
        try await home.until(shop) { try await shop.askedPayments() == [payment] }
        await shop.close()
        #expect(try await again == nil)
    }

    @Test("what an app asks no more, since its task or the app has ended, is not shown")
    func ended() async throws {
        let shop = try await openShop()
        let app = try await home.open()
        let payment = Payment.of(SampleCatalog.theme)
        let asking = Task { try await app.ask(payment) }
        try await home.until(shop) { try await shop.askedPayments() == [payment] }
        asking.cancel()
        #expect(try await asking.value == false)
        #expect(try await shop.askedPayments().isEmpty)
    }

    @Test("what cannot be sent is refused before anybody is asked")
    func refused() async throws {
        let shop = try await openShop()
        let app = try await home.open()
        try await app.setSignedIn(false)
        let error = await #expect(throws: StoreError.self) {
            try await app.ask(.of(SampleCatalog.theme))
        }
        #expect(error?.code == .notSignedIn)
        #expect(try await shop.askedPayments().isEmpty)
    }

    @Test("while an app is there, its transactions are finished by nobody else")
    func finishing() async throws {
        let shop = try await home.launch()
        let app = try await Device(
            store: home.session(), storeFolder: home.folder.path, clock: home.store.engine.clock,
            elapsed: ContinuousClock(),
            pacer: BandwidthPacer(bytesPerSecond: nil, clock: ContinuousClock()),
            leavesFinishing: true)
        let updates = shop.updates()
        #expect(try await app.buy(.of(SampleCatalog.theme)).isPurchased)
        let last = try #require(try await app.buy(.of(SampleCatalog.coins)).number)
        // The observer handles one sale after the other.
        _ = await updates.first { $0.arrived == last ? last : nil }
        try await home.untilDelivered(2, on: shop)
        #expect(try await home.store.ledger.unfinished(of: "aoi").count == 2)
        _ = try await app.finish(last)
        await app.close()
        await shop.close()
        #expect(try await home.store.ledger.unfinished(of: "aoi").count == 1)
        let next = try await home.launch()
        try await home.untilFinished()
        await next.close()
    }
}
