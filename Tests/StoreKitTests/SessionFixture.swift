import Foundation
import StoreKitTest

/// Runs a test with a session that only its task sees, so that tests run side by side.
enum SessionFixture {
    static let coins = "test.coins"
    static let theme = "test.theme"
    static let pass = "test.pass"
    static let monthly = "test.monthly"
    static let yearly = "test.yearly"
    static let group = "C0FFEE02"

    static func with(_ body: (SKTestSession) async throws -> Void) async throws {
        let file = try ConfigurationFixture(configuration)
        let session = try SKTestSession(
            contentsOf: URL(filePath: file.path), isProcesses: false)
        try await StoreKitHost.with(session) { try await body(session) }
        await session.close()
    }

    static func product(_ id: String) async throws -> Product {
        guard let found = try await Product.products(for: [id]).first else {
            throw CancellationError()
        }
        return found
    }

    @discardableResult
    static func buy(_ id: String) async throws -> Transaction {
        guard case .success(.verified(let transaction)) = try await product(id).purchase() else {
            throw CancellationError()
        }
        return transaction
    }

    static func isPending(_ id: String) async throws -> Bool {
        if case .pending = try await product(id).purchase() { true } else { false }
    }

    static func list(_ transactions: Transaction.Transactions) async -> [String] {
        var found: [String] = []
        for await result in transactions { found.append(result.unsafePayloadValue.productID) }
        return found
    }

    /// Of the account's only subscription.
    static func state() async throws -> SubscriptionRenewalState? {
        try await Product.SubscriptionInfo.status(for: group).first?.state
    }

    static let configuration = """
        {
          "identifier": "5C0F1A2C",
          "version": {"major": 4, "minor": 0},
          "settings": {},
          "products": [
            {"type": "Consumable", "productID": "test.coins", "referenceName": "coins",
             "internalID": "20000001", "displayPrice": "0.99", "familyShareable": false,
             "localizations": [
               {"locale": "en_US", "displayName": "Coins", "description": "Ten"},
               {"locale": "ja", "displayName": "コイン", "description": "10"}]},
            {"type": "NonConsumable", "productID": "test.theme", "referenceName": "theme",
             "internalID": "20000002", "displayPrice": "2.99", "familyShareable": true,
             "localizations": [{"locale": "en_US", "displayName": "Theme", "description": "Sepia"}]}
          ],
          "nonRenewingSubscriptions": [
            {"type": "NonRenewingSubscription", "productID": "test.pass", "referenceName": "pass",
             "internalID": "20000003", "displayPrice": "9.99", "familyShareable": false,
             "localizations": [{"locale": "en_US", "displayName": "Pass", "description": "Day"}]}
          ],
          "subscriptionGroups": [
            {"id": "C0FFEE02", "name": "Club", "localizations": [], "subscriptions": [
              {"type": "RecurringSubscription", "productID": "test.yearly",
               "referenceName": "yearly", "internalID": "20000004", "displayPrice": "49.99",
               "subscriptionGroupID": "C0FFEE02", "groupNumber": 1, "familyShareable": false,
               "recurringSubscriptionPeriod": "P1Y", "adHocOffers": [], "codeOffers": [],
               "introductoryOffer": {"internalID": "20000005", "paymentMode": "free",
                                     "subscriptionPeriod": "P1W"},
               "localizations": [
                 {"locale": "en_US", "displayName": "Yearly", "description": "Club"}]},
              {"type": "RecurringSubscription", "productID": "test.monthly",
               "referenceName": "monthly", "internalID": "20000006", "displayPrice": "4.99",
               "subscriptionGroupID": "C0FFEE02", "groupNumber": 2, "familyShareable": false,
               "recurringSubscriptionPeriod": "P1M",
               "adHocOffers": [
                 {"offerID": "half", "internalID": "20000007", "referenceName": "Half",
                  "paymentMode": "payAsYouGo", "subscriptionPeriod": "P1M",
                  "numberOfPeriods": 2, "displayPrice": "2.49"}],
               "codeOffers": [
                 {"internalID": "20000008", "referenceName": "Spring", "isStackable": false,
                  "eligibility": ["new", "existing", "expired"], "paymentMode": "free",
                  "subscriptionPeriod": "P1M"}],
               "introductoryOffer": null,
               "localizations": [
                 {"locale": "en_US", "displayName": "Monthly", "description": "Club"}]}
            ]}
          ]
        }
        """
}
