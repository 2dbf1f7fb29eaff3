import Basics
import Foundation
import StoreModel
import Testing

/// What Apple's libraries (API 1.21) read of a notification and of the texts signed in it: a member of
/// another name is lost to them, and one of another type refused. For where they cannot be had.
enum NotificationShape {
    /// A part, a type, and the members of that type; `!` where a part always has the member.
    private static let table = """
        notification text notificationType! subtype notificationUUID! version!
        notification integer signedDate!
        data text bundleId! bundleVersion environment! consumptionRequestReason
        data integer appAppleId status
        summary text requestIdentifier! environment! bundleId! productId!
        summary integer appAppleId succeededCount! failedCount!
        summary list storefrontCountryCodes
        appData text bundleId! environment!
        appData integer appAppleId
        transaction text transactionId! originalTransactionId! webOrderLineItemId appTransactionId!
        transaction text bundleId! productId! subscriptionGroupIdentifier type! appAccountToken
        transaction text inAppOwnershipType! transactionReason! revocationType environment!
        transaction text storefront! storefrontId! currency! offerIdentifier offerDiscountType
        transaction text offerPeriod billingPlanType
        transaction integer purchaseDate! originalPurchaseDate! expiresDate signedDate! quantity!
        transaction integer price! revocationDate revocationReason revocationPercentage offerType
        transaction flag isUpgraded
        renewal text originalTransactionId! productId! autoRenewProductId! environment! currency
        renewal text offerIdentifier offerDiscountType offerPeriod appAccountToken
        renewal text appTransactionId! renewalBillingPlanType
        renewal integer autoRenewStatus! expirationIntent gracePeriodExpiresDate renewalDate
        renewal integer priceIncreaseStatus offerType renewalPrice signedDate!
        renewal integer recentSubscriptionStartDate!
        renewal flag isInBillingRetryPeriod
        renewal list eligibleWinBackOfferIds
        app text receiptType! environment bundleId! applicationVersion! appTransactionId!
        app text originalApplicationVersion!
        app integer appAppleId receiptCreationDate! originalPurchaseDate!
        """

    /// The part that a member is.
    private static let parts = [
        "data": "data", "summary": "summary", "appData": "appData",
        "signedTransactionInfo": "transaction", "signedRenewalInfo": "renewal",
        "signedAppTransactionInfo": "app",
    ]

    private struct Member: Hashable {
        var part: String
        var name: String
    }

    private static let rows = table.split(separator: "\n").map {
        $0.split(separator: " ").map(String.init)
    }
    private static let types: [Member: String] = Dictionary(
        uniqueKeysWithValues: rows.flatMap { row in
            row.dropFirst(2).map {
                (Member(part: row[0], name: $0.replacing("!", with: "")), row[1])
            }
        })
    private static let always: Set<Member> = Set(
        rows.flatMap { row in
            row.dropFirst(2).filter { $0.hasSuffix("!") }.map {
                Member(part: row[0], name: String($0.dropLast()))
            }
        })

    /// Every member that is unknown, of another type, or missing.
    static func problems(of signed: Signed<NotificationPayload>) throws -> [String] {
        let notification = try members(of: signed.rawValue)
        var found: [Member: String] = [:]
        try read("notification", notification, into: &found)
        let seen = Set(found.keys.map(\.part))
        let missing = always.filter { seen.contains($0.part) && found[$0] == nil }
        let wrong = found.filter { types[$0.key] != $0.value }
        let contents = notification.keys.filter { parts[$0] != nil }
        return missing.map { "\($0.part) has no \($0.name)" }
            + wrong.map { "\($0.key.part) has the \($0.value) \($0.key.name)" }
            + (contents.count == 1 ? [] : ["it has \(contents.count) parts: \(contents)"])
    }

    private static func read(
        _ part: String, _ members: [String: AnyJSON], into found: inout [Member: String]
    ) throws {
        for (name, value) in members {
            guard let inner = parts[name] else {
                found[Member(part: part, name: name)] = typeName(value)
                continue
            }
            let contents = try value.text.map { try Self.members(of: $0) } ?? value.members
            try read(inner, contents, into: &found)
        }
    }

    private static func typeName(_ value: AnyJSON) -> String {
        switch value {
        case .text: "text"
        case .integer: "integer"
        case .number: "number"
        case .flag: "flag"
        case .list: "list"
        case .object: "object"
        case .null: "null"
        }
    }

    /// The payload of a compact JWS.
    private static func members(of text: String) throws -> [String: AnyJSON] {
        let parts = text.split(separator: ".")
        try #require(parts.count == 3)
        var middle = parts[1].replacing("-", with: "+").replacing("_", with: "/")
        middle += String(repeating: "=", count: (4 - middle.count % 4) % 4)
        let payload = try #require(Data(base64Encoded: String(middle)))
        return try JSONDecoder().decode(AnyJSON.self, from: payload).members
    }
}
