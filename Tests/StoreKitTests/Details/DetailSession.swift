import Foundation
import StoreKit
import StoreModel
import Testing

/// A store of one test with every kind of offer and both billing plans, bound to the test's task.
enum DetailSession {
    static let coins = "test.coins"
    static let yearly = "test.yearly"
    static let monthly = "test.monthly"
    static let group = "C0FFEE01"

    /// Runs a test with the session bound to its task.
    static func with<Value>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: (AppStoreSession) async throws -> Value
    ) async throws -> Value {
        let file = try ConfigurationFixture(configuration)
        let session = try await AppStoreSession.open(AppStoreSession.Choice(file: file.path))
        let value = try await AppStoreProcess.$bound.withValue(session) { try await body(session) }
        withExtendedLifetime(file) {}
        return value
    }

    static func product(_ id: String) async throws -> Product {
        try #require(try await Product.products(for: [id]).first)
    }

    @discardableResult
    static func buy(
        _ id: String, _ options: Set<Product.PurchaseOption> = []
    ) async throws -> Transaction {
        let result = try await product(id).purchase(options: options)
        guard case .success(.verified(let transaction)) = result else { throw CancellationError() }
        return transaction
    }

    /// The subscription's status; there is only one.
    static func status() async throws -> SubscriptionInfo.Status {
        try #require(try await SubscriptionInfo.status(for: group).first)
    }

    private static let configuration = """
        {
          "identifier": "5C0F1A2B",
          "version": {"major": 5, "minor": 0},
          "settings": {},
          "products": [
            {"type": "Consumable", "productID": "test.coins", "referenceName": "coins",
             "internalID": "10000001", "displayPrice": "0.99", "familyShareable": false,
             "localizations": [{"locale": "en_US", "displayName": "Coins", "description": "Ten"}]}
          ],
          "nonRenewingSubscriptions": [],
          "subscriptionGroups": [
            {"id": "C0FFEE01", "name": "Club", "localizations": [], "subscriptions": [
              {"type": "RecurringSubscription", "productID": "test.yearly",
               "referenceName": "yearly", "internalID": "10000002", "displayPrice": "59.99",
               "subscriptionGroupID": "C0FFEE01", "groupNumber": 1, "familyShareable": false,
               "recurringSubscriptionPeriod": "P1Y", "codeOffers": [], "adHocOffers": [],
               "introductoryOffers": [
                 {"internalID": "10000003", "paymentMode": "free", "subscriptionPeriod": "P1W",
                  "billingPlanType": "BILLED_UPFRONT"}],
               "winbackOffers": [],
               "billingPlans": [
                 {"internalID": "10000004", "billingPlanType": "BILLED_UPFRONT",
                  "displayPrice": "59.99", "isEnabled": true},
                 {"internalID": "10000005", "billingPlanType": "MONTHLY", "displayPrice": "5.99",
                  "commitmentDisplayPrice": "71.88", "isEnabled": true}],
               "localizations": [
                 {"locale": "en_US", "displayName": "Yearly", "description": "Club"}]},
              {"type": "RecurringSubscription", "productID": "test.monthly",
               "referenceName": "monthly", "internalID": "10000006", "displayPrice": "4.99",
               "subscriptionGroupID": "C0FFEE01", "groupNumber": 2, "familyShareable": false,
               "recurringSubscriptionPeriod": "P1M", "introductoryOffers": [],
               "adHocOffers": [
                 {"internalID": "10000007", "offerID": "half", "referenceName": "half",
                  "paymentMode": "payAsYouGo", "subscriptionPeriod": "P1M",
                  "numberOfPeriods": 3, "displayPrice": "2.49"}],
               "codeOffers": [
                 {"internalID": "10000008", "referenceName": "gift", "paymentMode": "free",
                  "subscriptionPeriod": "P1M", "displayPrice": "0",
                  "eligibility": ["new", "existing", "expired"], "isStackable": false}],
               "winbackOffers": [
                 {"internalID": "10000009", "offerID": "back", "referenceName": "back",
                  "paymentMode": "payUpFront", "subscriptionPeriod": "P3M",
                  "displayPrice": "7.99", "isEligible": true}],
               "localizations": [
                 {"locale": "en_US", "displayName": "Monthly", "description": "Club"}]}
            ]}
          ]
        }
        """
}
