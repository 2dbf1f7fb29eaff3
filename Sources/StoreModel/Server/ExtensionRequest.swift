package import Foundation

/// An extension for all subscriptions of a product (App Store Server API:
/// `MassExtendRenewalDateRequest`).
package struct ExtensionRequest: Codable, Hashable, Sendable {
    /// Identifies the extension (`requestIdentifier`). Each account that subscribed at the
    /// identifier's first use is extended once.
    package var id: UUID
    package var productID: ProductID
    package var days: Int
    /// The identifier as it was sent, if it is no UUID; `id` is derived from it then.
    package var name: String?
    /// Only subscriptions that were bought in these (ISO 3166-1 alpha-3); nil for all.
    package var storefronts: [String]?
    /// `extendReasonCode`, 0 to 3; nil for an operator's extension.
    package var reason: Int?

    /// Whether the app's backend asks, not the operator.
    package var isOfBackend: Bool { reason != nil }

    /// Whether another request, with the same identifier, asks for the same.
    package func asks(asIn other: ExtensionRequest) -> Bool {
        productID == other.productID && days == other.days && reason == other.reason
            && storefronts.map { Set($0) } == other.storefronts.map { Set($0) }
    }

    package init(
        id: UUID, productID: ProductID, days: Int, name: String? = nil,
        storefronts: [String]? = nil, reason: Int? = nil
    ) {
        self.id = id
        self.productID = productID
        self.days = days
        self.name = name
        self.storefronts = storefronts
        self.reason = reason
    }
}

/// The result of an extension for all (App Store Server API: `MassExtendRenewalDateStatusResponse`).
package struct ExtensionOutcome: Codable, Hashable, Sendable {
    package var request: ExtensionRequest
    /// Subscriptions that are extended by it, family shares not counted.
    package var succeeded: Int
    /// Subscriptions of the product that could not be extended: their payment is owed, or the
    /// backend that asked has extended them as often as it may in a year.
    package var failed: Int
    /// The first ones of those, by their first transaction, at most `failuresMax`.
    package var failures: [TransactionID]
    /// In store time.
    package var completedAt: Timestamp

    package static let failuresMax = 1_000

    package init(
        request: ExtensionRequest, succeeded: Int, failed: Int, failures: [TransactionID],
        completedAt: Timestamp
    ) {
        self.request = request
        self.succeeded = succeeded
        self.failed = failed
        self.failures = failures
        self.completedAt = completedAt
    }
}
