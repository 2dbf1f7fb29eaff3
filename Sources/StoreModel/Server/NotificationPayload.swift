package import Foundation

/// The payload of a notification (App Store Server Notifications V2:
/// `ResponseBodyV2DecodedPayload`). Untrusted: the type does not prove a signature. Names and units
/// are Apple's; a nil field does not apply. It has `data`, `summary` or `appData`.
package struct NotificationPayload: Codable, Hashable, Sendable {
    package var appData: AppData?
    package var data: Contents?
    package var notificationType: NotificationType
    package var notificationUUID: UUID
    /// When the event happened, in store time. The certificates must be valid at this date.
    package var signedDate: Timestamp
    package var subtype: NotificationSubtype?
    package var summary: Summary?
    package var version: String

    /// What a notification tells of one account's transaction and subscription.
    package struct Contents: Codable, Hashable, Sendable {
        package var appAppleId: Int64?
        package var bundleId: String
        package var bundleVersion: String?
        package var consumptionRequestReason: ConsumptionRequestReason?
        package var environment: StoreEnvironment
        package var signedRenewalInfo: SignedRenewalInfo?
        package var signedTransactionInfo: SignedTransaction?
        /// Of the subscription; nil for other products.
        package var status: RenewalState?
    }

    /// What a notification tells of an account that has the app.
    package struct AppData: Codable, Hashable, Sendable {
        package var appAppleId: Int64?
        package var bundleId: String
        package var environment: StoreEnvironment
        package var signedAppTransactionInfo: SignedAppTransaction
    }

    /// The result of an extension for all subscribers of a product.
    package struct Summary: Codable, Hashable, Sendable {
        package var appAppleId: Int64?
        package var bundleId: String
        package var environment: StoreEnvironment
        package var failedCount: Int
        package var productId: ProductID
        /// As the request named itself.
        package var requestIdentifier: String
        package var storefrontCountryCodes: [String]?
        package var succeededCount: Int

        package init(_ outcome: ExtensionOutcome, of identity: AppIdentity) {
            appAppleId = identity.servedAppleID
            bundleId = identity.bundleID
            environment = identity.environment
            failedCount = outcome.failed
            productId = outcome.request.productID
            requestIdentifier =
                outcome.request.name ?? outcome.request.id.uuidString.lowercased()
            storefrontCountryCodes = outcome.request.storefronts
            succeededCount = outcome.succeeded
        }
    }
}

/// What a notification tells, before it is signed. The store keeps no signed text: all parts are
/// signed when the notification is sent.
package struct NotificationContents: Codable, Hashable, Sendable {
    package var transaction: TransactionPayload?
    package var renewalInfo: RenewalInfoPayload?
    package var status: RenewalState?
    package var consumptionRequestReason: ConsumptionRequestReason?
    package var summary: NotificationPayload.Summary?
    package var appTransaction: AppTransactionPayload?

    package init() {}
}

extension QueuedNotification {
    /// The payload with the parts that a signer has signed.
    ///
    /// - Parameter version: of the app.
    package func payload(
        _ identity: AppIdentity, version: String, transaction: SignedTransaction?,
        renewalInfo: SignedRenewalInfo?, appTransaction: SignedAppTransaction?
    ) -> NotificationPayload {
        var payload = NotificationPayload(
            notificationType: kind.type, notificationUUID: id, signedDate: at,
            subtype: kind.subtype, summary: contents.summary, version: "2.0")
        payload.summary?.appAppleId = identity.servedAppleID
        payload.summary?.bundleId = identity.bundleID
        payload.summary?.environment = identity.environment
        payload.appData = appTransaction.map {
            NotificationPayload.AppData(
                appAppleId: identity.servedAppleID, bundleId: identity.bundleID,
                environment: identity.environment, signedAppTransactionInfo: $0)
        }
        guard contents.summary == nil, appTransaction == nil else { return payload }
        payload.data = NotificationPayload.Contents(
            appAppleId: identity.servedAppleID, bundleId: identity.bundleID,
            bundleVersion: version,
            consumptionRequestReason: contents.consumptionRequestReason,
            environment: identity.environment, signedRenewalInfo: renewalInfo,
            signedTransactionInfo: transaction, status: contents.status)
        return payload
    }
}
