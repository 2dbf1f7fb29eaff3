import StoreDevice
import StoreModel
import StoreTestSupport
import Testing

/// A sale that the operator has let the store sign wrongly: the device reports the reason, grants
/// nothing, and delivers the sale at the next launch, when the store signs it correctly.
@Suite("deliveries with a broken signature", .timeLimit(.minutes(10)))
struct BrokenDeliveryTests {
    private let home: Home

    init() async throws { home = try await Home() }

    @Test(
        "each of StoreKit's six reasons is told, nothing is granted, and the next launch delivers",
        arguments: Fault.Call.verification.errors)
    func aBrokenDelivery(_ code: StoreError.Code) async throws {
        let device = try await home.launch()
        _ = try await home.store.console.perform(
            .failNext(.verification, error: code, count: 1))
        let updates = device.updates()
        _ = try await device.buy(.of(SampleCatalog.theme))
        let reason = await updates.first { update -> VerificationError? in
            if case .transaction(.unverified(_, let reason), _, _) = update { reason } else { nil }
        }
        #expect(reason?.rawValue == code.rawValue)
        #expect(try await device.latestDeliveries().isEmpty)
        #expect(try await device.queuedPayments().isEmpty, "it is sold, not being sent")
        #expect(try await home.store.session().unfinished(allDevices: false).count == 1)
        #expect(try await home.store.console.faults().isEmpty, "used up")
        let logged = try await device.logEntries(before: nil, limit: 10)
            .compactMap { entry -> StoreError? in
                if case .trouble(let error) = entry.what { error } else { nil }
            }
        #expect(logged.map(\.code) == [.verificationFailed])
        #expect(logged.first?.found?.text == code.rawValue)
        #expect(logged.first?.productID == SampleCatalog.theme)
        await device.close()

        let later = try await home.launch()
        try await home.untilDelivered(1, on: later)
        #expect(try await later.latestDeliveries().map(\.productID) == [SampleCatalog.theme])
        try await home.untilFinished()
        #expect(try await home.salesCount() == 1, "charged once")
    }

    @Test("a sale that could not be verified is not reported as altered without a network")
    func notAltered() async throws {
        let device = try await home.launch()
        _ = try await home.store.console.perform(
            .failNext(.verification, error: .invalidEncoding, count: 1))
        _ = try await device.buy(.of(SampleCatalog.theme))
        #expect(try await device.entitlements().value.count == 1)
        try await device.setNetwork(.off(milliseconds: nil))
        #expect(try await device.entitlements().value.isEmpty)
        #expect(device.alteredRecords.isEmpty)
    }
}
