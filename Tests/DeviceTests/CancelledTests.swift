import StoreDevice
import StoreModel
import StoreTestSupport
import Testing

/// The store records an event, from which a developer learns how many purchases are given up.
@Suite("cancelled before paying") struct CancelledTests {
    private let home: Home

    init() async throws { home = try await Home() }

    @Test("it is an event of the account, told once, and no transaction [C8]")
    func itIsAnEvent() async throws {
        let device = try await home.open()
        try await device.log(.purchaseCancelled(SampleCatalog.theme))
        let events = try await home.store.session().events(
            before: nil, filter: HistoryFilter(kinds: [.purchaseCancelled]), limit: 10
        ).events
        #expect(events.map(\.productID) == [SampleCatalog.theme])
        #expect(events.map(\.transactionID) == [nil])
        #expect(try await device.logEntries(before: nil, limit: 10).isEmpty)
        #expect(try await home.salesCount() == 0)
    }
}
