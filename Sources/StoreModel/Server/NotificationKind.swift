/// The types of notifications (App Store Server Notifications V2: `notificationType`). The raw value
/// is the field's.
package enum NotificationType: String, Codable, Hashable, Sendable, CaseIterable {
    case subscribed = "SUBSCRIBED"
    case didRenew = "DID_RENEW"
    case didChangeRenewalPref = "DID_CHANGE_RENEWAL_PREF"
    case didChangeRenewalStatus = "DID_CHANGE_RENEWAL_STATUS"
    case offerRedeemed = "OFFER_REDEEMED"
    case didFailToRenew = "DID_FAIL_TO_RENEW"
    case gracePeriodExpired = "GRACE_PERIOD_EXPIRED"
    case expired = "EXPIRED"
    case priceIncrease = "PRICE_INCREASE"
    case oneTimeCharge = "ONE_TIME_CHARGE"
    case consumptionRequest = "CONSUMPTION_REQUEST"
    case refund = "REFUND"
    case refundDeclined = "REFUND_DECLINED"
    case refundReversed = "REFUND_REVERSED"
    case revoke = "REVOKE"
    case renewalExtended = "RENEWAL_EXTENDED"
    case renewalExtension = "RENEWAL_EXTENSION"
    case test = "TEST"
    /// A parent took back the consent to the app for a child.
    case rescindConsent = "RESCIND_CONSENT"
    /// Of Apple's Advanced Commerce, like the next two.
    case priceChange = "PRICE_CHANGE"
    case metadataUpdate = "METADATA_UPDATE"
    case migration = "MIGRATION"
    /// Of purchases outside the App Store.
    case externalPurchaseToken = "EXTERNAL_PURCHASE_TOKEN"
}

/// What a type of notification tells more closely (App Store Server Notifications V2: `subtype`).
/// The raw value is the field's.
package enum NotificationSubtype: String, Codable, Hashable, Sendable, CaseIterable {
    case initialBuy = "INITIAL_BUY"
    case resubscribe = "RESUBSCRIBE"
    case billingRecovery = "BILLING_RECOVERY"
    case upgrade = "UPGRADE"
    case downgrade = "DOWNGRADE"
    case autoRenewEnabled = "AUTO_RENEW_ENABLED"
    case autoRenewDisabled = "AUTO_RENEW_DISABLED"
    case gracePeriod = "GRACE_PERIOD"
    case voluntary = "VOLUNTARY"
    case billingRetry = "BILLING_RETRY"
    case priceIncrease = "PRICE_INCREASE"
    case productNotForSale = "PRODUCT_NOT_FOR_SALE"
    case pending = "PENDING"
    case accepted = "ACCEPTED"
    case summary = "SUMMARY"
    case failure = "FAILURE"
}

/// A type of notification with its subtype, such as `DID_RENEW.BILLING_RECOVERY`.
package struct NotificationKind: Codable, Hashable, Sendable, CustomStringConvertible {
    package var type: NotificationType
    /// Nil for none.
    package var subtype: NotificationSubtype?

    package init(_ type: NotificationType, _ subtype: NotificationSubtype? = nil) {
        self.type = type
        self.subtype = subtype
    }

    /// Nil for a text that names no type, or another subtype than its type's.
    package init?(_ text: String) {
        let kind = Self.all.first { $0.description == text.uppercased() }
        guard let kind else { return nil }
        self = kind
    }

    package var description: String {
        subtype.map { "\(type.rawValue).\($0.rawValue)" } ?? type.rawValue
    }

    /// Every type with every subtype that it has, in the order of the types.
    package static let all: [NotificationKind] = NotificationType.allCases.flatMap { type in
        type.subtypes.map { NotificationKind(type, $0) }
    }
}

extension NotificationType {
    /// In the order of the field's documentation; nil stands for no subtype.
    package var subtypes: [NotificationSubtype?] {
        switch self {
        case .subscribed: [.initialBuy, .resubscribe]
        case .didRenew: [nil, .billingRecovery]
        case .didChangeRenewalPref: [nil, .upgrade, .downgrade]
        case .didChangeRenewalStatus: [.autoRenewEnabled, .autoRenewDisabled]
        case .offerRedeemed: [nil, .upgrade, .downgrade]
        case .didFailToRenew: [nil, .gracePeriod]
        case .expired: [.voluntary, .billingRetry, .priceIncrease, .productNotForSale, nil]
        case .priceIncrease: [.pending, .accepted]
        case .renewalExtension: [.summary, .failure]
        case .gracePeriodExpired, .oneTimeCharge, .consumptionRequest, .refund, .refundDeclined,
            .refundReversed, .revoke, .renewalExtended, .test, .rescindConsent, .priceChange,
            .metadataUpdate, .migration, .externalPurchaseToken:
            [nil]
        }
    }

    /// Whether the store never sends it: nothing happens in it that the type tells of.
    package var isNeverSent: Bool {
        switch self {
        case .priceChange, .metadataUpdate, .migration, .externalPurchaseToken: true
        default: false
        }
    }
}

/// How an attempt to send a notification ended (App Store Server API: `sendAttemptResult`). The raw
/// value is the field's.
package enum SendAttemptResult: String, Codable, Hashable, Sendable, CaseIterable {
    case success = "SUCCESS"
    /// No answer within the time that the store waits.
    case timedOut = "TIMED_OUT"
    case tlsIssue = "TLS_ISSUE"
    case circularRedirect = "CIRCULAR_REDIRECT"
    /// The server closed the connection without an answer.
    case noResponse = "NO_RESPONSE"
    /// There was no connection.
    case socketIssue = "SOCKET_ISSUE"
    case unsupportedCharset = "UNSUPPORTED_CHARSET"
    /// The answer was not HTTP, or too long.
    case invalidResponse = "INVALID_RESPONSE"
    /// The server closed the connection within its answer.
    case prematureClose = "PREMATURE_CLOSE"
    /// Another status than 200 to 206.
    case unsuccessfulStatus = "UNSUCCESSFUL_HTTP_RESPONSE_CODE"
    case other = "OTHER"
}

/// Why a customer asks for a refund (App Store Server Notifications V2:
/// `consumptionRequestReason`). The raw value is the field's.
package enum ConsumptionRequestReason: String, Codable, Hashable, Sendable {
    case unintendedPurchase = "UNINTENDED_PURCHASE"
    case fulfillmentIssue = "FULFILLMENT_ISSUE"
    case unsatisfied = "UNSATISFIED_WITH_PURCHASE"
    case other = "OTHER"

    package init(_ reason: RefundReason) {
        self =
            switch reason {
            case .unintended: .unintendedPurchase
            case .broken: .fulfillmentIssue
            case .unsatisfied: .unsatisfied
            case .other: .other
            }
    }
}

/// What the catalog of a store lacks for a notification to be caused on purpose.
package enum TriggerNeed: String, Error, Hashable, Sendable, CaseIterable {
    /// One that renews.
    case subscription
    /// Of one group, and of two levels.
    case twoPlans
    /// One that is charged once.
    case otherProduct
    case shareableProduct
    /// A promotional one, or one with codes.
    case offer
}
