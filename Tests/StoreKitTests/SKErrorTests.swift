import Foundation
import StoreKit
import StoreModel
import Testing

@Suite struct SKErrorTests {
    @Test("an error of SKErrorDomain is an SKError, and the other way round")
    func bridged() {
        let error: any Error = NSError(
            domain: SKErrorDomain, code: 2, userInfo: [NSLocalizedDescriptionKey: "No."])
        #expect((error as? SKError)?.code == .paymentCancelled)
        #expect((error as? SKError)?.localizedDescription == "No.")
        do { throw error } catch SKError.paymentCancelled {} catch { Issue.record(error) }
        #expect(NSError(domain: "Other", code: 2) as? SKError == nil)
        let made: any Error = SKError(.paymentNotAllowed)
        #expect((made as NSError).domain == SKErrorDomain && (made as NSError).code == 4)
    }

    @Test("an error of the store has its number of StoreKit 1 [H2]")
    func ofTheStore() {
        #expect(SKError(StoreError(.purchaseNotAllowed)).code == .paymentNotAllowed)
        #expect(SKError(StoreError(.invalidOfferSignature)).code == .invalidSignature)
        #expect(SKError(StoreError(.storeBusy)).code == .unknown)
    }
}
