import ContentServer
import Foundation
import StoreModel

/// An error of the App Store Server API, by its seven digits. The first three are the status of the
/// answer.
package struct APIError: Error, Hashable, Sendable {
    package let code: Int
    /// For the developer of the backend.
    package let message: String
    /// When the request may be sent again; nil where that is not said.
    private var retryAfter: Timestamp?

    private init(_ code: Int, _ message: String) {
        self.code = code
        self.message = message
    }

    /// One that the operator has set.
    init(onPurpose code: Int, at now: Timestamp) {
        self.init(code, "On purpose: storefront operator failures.")
        if status == 429 { retryAfter = now.advanced(byMilliseconds: 60_000) }
    }

    package var status: Int { code / 10_000 }

    /// The body is read by official clients only if the content type is exactly this.
    package static let contentType = "application/json"

    private struct Body: Encodable {
        var errorCode: Int
        var errorMessage: String
    }

    var answer: ContentAnswer {
        var answer = ContentAnswer(
            status, json: Body(errorCode: code, errorMessage: message),
            retryAfter.map { [(name: "Retry-After", value: "\($0.milliseconds)")] } ?? [])
        answer.errorCode = code
        return answer
    }
}

extension APIError {
    package static let generalBadRequest = Self(4_000_000, "Bad request.")
    package static let invalidRequestRevision = Self(
        4_000_005, "Invalid request revision: it is of another query, of another store, or changed."
    )
    package static let invalidTransactionID = Self(4_000_006, "Invalid transaction id.")
    package static let invalidOriginalTransactionID = Self(
        4_000_008, "Invalid original transaction id.")
    package static let invalidExtendByDays = Self(
        4_000_009, "Invalid extend by days value: a whole number from 1 to 90.")
    package static let invalidExtendReasonCode = Self(
        4_000_010, "Invalid extend reason code: 0 to 3.")
    package static let invalidRequestIdentifier = Self(
        4_000_011, "Invalid request identifier: 1 to 128 characters, of no other request.")
    package static let startDateTooFarInPast = Self(
        4_000_012, "Invalid request: the start date is more than 180 days ago.")
    package static let startDateAfterEndDate = Self(
        4_000_013, "Invalid request: the start date is after the end date.")
    package static let invalidPaginationToken = Self(
        4_000_014, "Invalid pagination token: it is of another query or store, or changed.")
    package static let invalidStartDate = Self(4_000_015, "Invalid start date.")
    package static let invalidEndDate = Self(4_000_016, "Invalid end date.")
    package static let invalidNotificationType = Self(
        4_000_018, "Invalid notification type or subtype.")
    package static let multipleFiltersSupplied = Self(
        4_000_019, "Invalid request: a transaction id or a notification type, not both.")
    package static let invalidTestNotificationToken = Self(
        4_000_020, "Invalid test notification token.")
    package static let invalidSort = Self(4_000_021, "Invalid sort: ASCENDING or DESCENDING.")
    package static let invalidProductType = Self(
        4_000_022,
        "Invalid product type: AUTO_RENEWABLE, NON_RENEWABLE, CONSUMABLE or NON_CONSUMABLE.")
    package static let invalidProductID = Self(4_000_023, "Invalid product id.")
    package static let invalidSubscriptionGroupIdentifier = Self(
        4_000_024, "Invalid subscription group identifier.")
    package static let invalidExcludeRevoked = Self(
        4_000_025, "Invalid exclude revoked: true or false.")
    package static let invalidInAppOwnershipType = Self(
        4_000_026, "Invalid in-app ownership type: FAMILY_SHARED or PURCHASED.")
    package static let invalidEmptyStorefrontCountryCodeList = Self(
        4_000_027, "Invalid request: the list of storefront country codes is empty.")
    package static let invalidStorefrontCountryCode = Self(
        4_000_028, "Invalid storefront country code: ISO 3166-1 alpha-3, such as USA.")
    package static let invalidRevoked = Self(4_000_030, "Invalid revoked: true or false.")
    package static let invalidStatus = Self(4_000_031, "Invalid status: 1 to 5.")
    package static let invalidAccountTenure = Self(4_000_032, "Invalid account tenure: 0 to 7.")
    package static let invalidAppAccountToken = Self(
        4_000_033, "Invalid app account token: a UUID, or empty.")
    package static let invalidConsumptionStatus = Self(
        4_000_034, "Invalid consumption status: 0 to 3.")
    package static let invalidCustomerConsented = Self(
        4_000_035, "Invalid customer consented: true, or nothing may be sent.")
    package static let invalidDeliveryStatus = Self(4_000_036, "Invalid delivery status.")
    package static let invalidLifetimeDollarsPurchased = Self(
        4_000_037, "Invalid lifetime dollars purchased: 0 to 7.")
    package static let invalidLifetimeDollarsRefunded = Self(
        4_000_038, "Invalid lifetime dollars refunded: 0 to 7.")
    package static let invalidPlatform = Self(4_000_039, "Invalid platform: 0 to 2.")
    package static let invalidPlayTime = Self(4_000_040, "Invalid play time: 0 to 7.")
    package static let invalidSampleContentProvided = Self(
        4_000_041, "Invalid sample content provided: true or false.")
    package static let invalidUserStatus = Self(4_000_042, "Invalid user status: 0 to 4.")
    package static let invalidTransactionNotConsumable = Self(
        4_000_043, "Invalid request: the transaction is of no consumable or subscription.")
    package static let appTransactionIDNotSupported = Self(
        4_000_048, "Invalid request: an app transaction id is not supported here.")
    package static let invalidAppAccountTokenUUID = Self(
        4_000_183, "Invalid app account token: a UUID.")
    package static let familyTransactionNotSupported = Self(
        4_000_185, "Invalid request: a family member's share is not supported.")
    package static let transactionIDIsNotOriginal = Self(
        4_000_187, "Invalid request: the transaction id is not an original transaction id.")
    package static let subscriptionExtensionIneligible = Self(
        4_030_004, "Forbidden: the subscription is not active, or is in billing retry.")
    package static let subscriptionMaxExtension = Self(
        4_030_005, "Forbidden: the subscription was extended twice in 365 days.")
    package static let familySharedSubscriptionExtensionIneligible = Self(
        4_030_007, "Forbidden: a family member's share cannot be extended.")
    package static let originalTransactionIDNotFound = Self(
        4_040_005, "Original transaction id not found.")
    package static let serverNotificationURLNotFound = Self(
        4_040_007, "No address for notifications is set: storefront operator notifications url.")
    package static let testNotificationNotFound = Self(
        4_040_008, "No test notification has this token.")
    package static let statusRequestNotFound = Self(
        4_040_009, "No extension was asked for with this identifier and product.")
    package static let transactionIDNotFound = Self(4_040_010, "Transaction id not found.")
    package static let generalInternal = Self(
        5_000_000, "The store cannot be read by this program.")
    package static let storeGone = Self(
        5_000_000, "The store of this server was deleted, moved or replaced.")
    package static let generalInternalRetryable = Self(
        5_000_001, "The store could not be read or written. Try again.")
}
