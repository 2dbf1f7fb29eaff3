import Foundation
import StoreEngine
import StoreModel
import StoreTestSupport
import Testing

/// An extension for all subscribers with an identifier (App Store Server API: `requestIdentifier`).
@Suite("extensions for all") struct ExtensionForAllTests {
    @Test("a request extends each subscription once, however many periods have passed since")
    func once() async throws {
        let shop = try await SubscriptionStore()
        let request = OperatorAction.extendAll(SampleCatalog.monthly, days: 3, id: UUID())
        try await shop.perform(request)
        let extended = try await shop.periods().last?.expiresDate
        try await shop.perform(request)
        #expect(try await shop.periods().last?.expiresDate == extended)
        try await shop.perform(
            .clock(.advance(.calendar(SubscriptionPeriod(unit: .month, value: 5)))))
        let end = try await shop.periods().last?.expiresDate
        try await shop.perform(request)
        #expect(try await shop.periods().last?.expiresDate == end, "five periods later")
        // Another request is another extension.
        try await shop.perform(.extendAll(SampleCatalog.monthly, days: 3, id: UUID()))
        #expect(
            try await shop.periods().last?.expiresDate
                == end?.advanced(byMilliseconds: 3 * 86_400_000))
    }
}
