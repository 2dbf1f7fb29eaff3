import Foundation
import StoreKit
import StoreModel
import Testing

// StoreModel has its own, which the package's tests see, too.
typealias Product = StoreKit.Product
typealias SubscriptionInfo = StoreKit.SubscriptionInfo

/// A store of one test, bound to its task.
struct TestSession {
    static let coins = "test.coins"
    static let theme = "test.theme"
    static let monthly = "test.monthly"
    static let group = "C0FFEE01"

    let session: AppStoreSession
    private let file: ConfigurationFixture?

    init() async throws {
        let file = try ConfigurationFixture(Self.configuration)
        self.file = file
        session = try await AppStoreSession.open(AppStoreSession.Choice(file: file.path))
    }

    init(_ choice: AppStoreSession.Choice) async throws {
        file = nil
        session = try await AppStoreSession.open(choice)
    }

    /// Runs a test with the session bound to its task.
    static func with<Value>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: (TestSession) async throws -> Value
    ) async throws -> Value {
        let test = try await TestSession()
        return try await AppStoreProcess.$bound.withValue(test.session) {
            try await body(test)
        }
    }

    private static let configuration = """
        {
          "identifier": "5C0F1A2B",
          "version": {"major": 4, "minor": 0},
          "settings": {},
          "products": [
            {"type": "Consumable", "productID": "test.coins", "referenceName": "coins",
             "internalID": "10000001", "displayPrice": "0.99", "familyShareable": false,
             "localizations": [{"locale": "en_US", "displayName": "Coins", "description": "Ten"}]},
            {"type": "NonConsumable", "productID": "test.theme", "referenceName": "theme",
             "internalID": "10000002", "displayPrice": "2.99", "familyShareable": true,
             "localizations": [{"locale": "en_US", "displayName": "Theme", "description": "Sepia"}]}
          ],
          "nonRenewingSubscriptions": [],
          "subscriptionGroups": [
            {"id": "C0FFEE01", "name": "Club", "localizations": [], "subscriptions": [
              {"type": "RecurringSubscription", "productID": "test.monthly",
               "referenceName": "monthly", "internalID": "10000003", "displayPrice": "4.99",
               "subscriptionGroupID": "C0FFEE01", "groupNumber": 1, "familyShareable": false,
               "recurringSubscriptionPeriod": "P1M", "adHocOffers": [], "codeOffers": [],
               "introductoryOffer": {"internalID": "10000004", "paymentMode": "free",
                                     "subscriptionPeriod": "P1W"},
               "localizations": [
                 {"locale": "en_US", "displayName": "Monthly", "description": "Club"}]}
            ]}
          ]
        }
        """
}

/// A StoreKit configuration in a file of its own.
final class ConfigurationFixture: Sendable {
    let path: String

    init(_ text: String) throws {
        let folder = FileManager.default.temporaryDirectory.path + "/storekit-test-\(UUID())"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        path = folder + "/Test.storekit"
        try Data(text.utf8).write(to: URL(filePath: path))
    }

    deinit {
        try? FileManager.default.removeItem(atPath: (path as NSString).deletingLastPathComponent)
    }
}
