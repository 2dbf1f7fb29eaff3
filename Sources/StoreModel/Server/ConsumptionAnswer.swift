import Foundation

/// What the app's backend says about a purchase whose refund a customer asks for (App Store Server
/// API: `ConsumptionRequest`). It is weighed by whoever decides the refund.
package struct ConsumptionAnswer: Codable, Hashable, Sendable {
    /// Whether and how the product arrived. The raw value is the field's.
    package enum DeliveryStatus: String, Codable, Sendable, CaseIterable {
        case delivered = "DELIVERED"
        case qualityIssue = "UNDELIVERED_QUALITY_ISSUE"
        case wrongItem = "UNDELIVERED_WRONG_ITEM"
        case serverOutage = "UNDELIVERED_SERVER_OUTAGE"
        case other = "UNDELIVERED_OTHER"
    }

    /// What the backend would like to become of the refund. The raw value is the field's.
    package enum RefundPreference: String, Codable, Sendable, CaseIterable {
        case decline = "DECLINE"
        case grantFull = "GRANT_FULL"
        case grantProrated = "GRANT_PRORATED"
    }

    package var transactionID: TransactionID
    package var productID: ProductID
    /// In store time.
    package var answeredAt: Timestamp
    package var deliveryStatus: DeliveryStatus
    package var sampleContentProvided: Bool
    /// How much of it was used, in thousandths of a percent; nil if it was not said.
    package var consumptionPercentage: Int?
    /// Nil if the backend has none.
    package var refundPreference: RefundPreference?
    /// The numbers that only the first form of the request has, by the field's names; nil for an
    /// answer in the second form.
    package var firstForm: [String: Int]?

    package init(
        transactionID: TransactionID, productID: ProductID, answeredAt: Timestamp,
        deliveryStatus: DeliveryStatus, sampleContentProvided: Bool,
        consumptionPercentage: Int? = nil, refundPreference: RefundPreference? = nil,
        firstForm: [String: Int]? = nil
    ) {
        self.transactionID = transactionID
        self.productID = productID
        self.answeredAt = answeredAt
        self.deliveryStatus = deliveryStatus
        self.sampleContentProvided = sampleContentProvided
        self.consumptionPercentage = consumptionPercentage
        self.refundPreference = refundPreference
        self.firstForm = firstForm
    }
}
