import Foundation
import StoreKit
import StoreModel
import Testing

@Suite(.timeLimit(.minutes(5))) struct TransactionDetailTests {
    @Test("a purchase by monthly payments names plan and commitment, and so does its renewal")
    func commitment() async throws {
        try await DetailSession.with { _ in
            let bought = try await DetailSession.buy(
                DetailSession.yearly, [.billingPlanType(.monthly)])
            #expect(bought.billingPlanType == .monthly && bought.price == Decimal(string: "5.99"))
            let commitment = try #require(bought.commitmentInfo)
            #expect(commitment.billingPeriodNumber == 1 && commitment.totalBillingPeriods == 12)
            #expect(commitment.price == Decimal(string: "71.88"))
            let end = try #require(bought.expirationDate)
            #expect(commitment.expirationDate > end)
            let info = try await DetailSession.status().renewalInfo.payloadValue
            #expect(info.renewalBillingPlanType == .monthly)
            let next = try #require(info.commitmentInfo)
            #expect(next.willAutoRenew && next.autoRenewPreference == DetailSession.yearly)
            #expect(next.renewalDate == commitment.expirationDate)
            #expect(next.renewalPrice == Decimal(string: "5.99"))
        }
    }

    @Test("payments of a commitment go on although nothing renews after it")
    func commitmentWithoutRenewal() async throws {
        try await DetailSession.with { session in
            let bought = try await DetailSession.buy(
                DetailSession.yearly, [.billingPlanType(.monthly)])
            try await session.perform(.setAutoRenew(TransactionID(bought.id), false))
            let info = try await DetailSession.status().renewalInfo.payloadValue
            let next = try #require(info.commitmentInfo)
            #expect(!next.willAutoRenew && next.renewalPrice == 0)
            #expect(next.renewalDate == info.renewalDate ?? info.signedDate)
        }
    }

    @Test("a refund tells its kind and share; a purchase without one has neither")
    func revocation() async throws {
        try await DetailSession.with { session in
            let coins = try await DetailSession.buy(DetailSession.coins)
            #expect(coins.revocationType == nil && coins.revocationPercentage == nil)
            try await session.perform(
                .refund(TransactionID(coins.id), .percent(50), reason: .other))
            let half = try #require(await Transaction.latest(for: DetailSession.coins))
                .payloadValue
            #expect(half.revocationPercentage == 50)
            try await session.perform(.refund(TransactionID(coins.id), .rest, reason: .app))
            let all = try #require(await Transaction.latest(for: DetailSession.coins))
                .payloadValue
            #expect(all.revocationType == .fullRefund && all.revocationPercentage == 100)
            #expect(all.advancedCommerceInfo == nil)
        }
    }

    @Test("a request for a refund is given at once in the Xcode environment, and only once")
    func refund() async throws {
        try await DetailSession.with { _ in
            var updates = Transaction.updates.makeAsyncIterator()
            let coins = try await DetailSession.buy(DetailSession.coins)
            #expect(try await coins.beginRefundRequest() == .success)
            let update = try #require(await updates.next()).payloadValue
            #expect(update.id == coins.id && update.revocationReason == .other)
            await #expect(throws: Transaction.RefundRequestError.duplicateRequest) {
                try await coins.beginRefundRequest()
            }
            await #expect(throws: Transaction.RefundRequestError.failed) {
                try await Transaction.beginRefundRequest(for: 999_999)
            }
        }
    }

    @Test(
        "a failure of refund requests is the error that StoreKit throws",
        arguments: [Transaction.RefundRequestError.duplicateRequest, .failed])
    func refundFailure(_ error: Transaction.RefundRequestError) async throws {
        try await DetailSession.with { session in
            let coins = try await DetailSession.buy(DetailSession.coins)
            try await session.perform(
                .failNext(.refundRequest, error: StoreError.Code(error), count: 1))
            await #expect(throws: error) { try await coins.beginRefundRequest() }
            #expect(error.errorDescription != nil && error.recoverySuggestion != nil)
        }
    }

    @Test("deprecated members say what the present ones say")
    func deprecated() async throws {
        try await DetailSession.with { _ in
            let bought = try await DetailSession.buy(DetailSession.yearly)
            let old: any DeprecatedOffer = bought
            #expect(old.offerType == .introductory && old.offerID == nil)
            #expect(old.offerPaymentModeStringRepresentation == "FREE_TRIAL")
            #expect(old.offerPeriodStringRepresentation == "P1W")
            #expect(old.environmentStringRepresentation == "Xcode" && old.currencyCode == "USD")
            let older: any DeprecatedTransaction = bought
            #expect(older.reasonStringRepresentation == "PURCHASE")
            #expect(older.storefrontCountryCode == bought.storefront.countryCode)
            #expect(older.revocationTypeStringRepresentation == nil)
            let info: any DeprecatedOffer = try await DetailSession.status().renewalInfo
                .payloadValue
            #expect(info.offerType == nil && info.currencyCode == "USD")
        }
    }

    @Test("kinds have words")
    func words() {
        #expect(Transaction.OfferType.code.localizedDescription == "Offer Code")
        #expect(Transaction.OwnershipType.familyShared.localizedDescription == "Family Shared")
        typealias Info = SubscriptionInfo.RenewalInfo
        #expect(Info.ExpirationReason.billingError.localizedDescription == "Billing Error")
        #expect(Info.PriceIncreaseStatus.agreed.localizedDescription == "Agreed")
    }
}

/// Through a protocol, whose witnesses may be deprecated without a warning.
private protocol DeprecatedOffer {
    var offerID: String? { get }
    var offerType: Transaction.OfferType? { get }
    var offerPaymentModeStringRepresentation: String? { get }
    var offerPeriodStringRepresentation: String? { get }
    var environmentStringRepresentation: String { get }
    var currencyCode: String? { get }
}
extension Transaction: DeprecatedOffer {}
extension Product.SubscriptionInfo.RenewalInfo: DeprecatedOffer {}

private protocol DeprecatedTransaction {
    var reasonStringRepresentation: String { get }
    var storefrontCountryCode: String { get }
    var revocationTypeStringRepresentation: String? { get }
}
extension Transaction: DeprecatedTransaction {}
