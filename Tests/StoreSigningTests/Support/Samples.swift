import Foundation
@testable import StoreModel
import TestBasics

enum Samples {
    static let bundleID = "com.example.lantern"

    /// A subscription renewal with most members present.
    static let renewal = TransactionPayload(
        appAccountToken: UUID(uuidString: "7E3FB20B-4CDB-47CC-936D-99D65F608138"),
        appTransactionId: "704346128316374122", bundleId: bundleID, currency: "JPY",
        environment: .sandbox, expiresDate: Timestamp(milliseconds: 1_766_690_000_000),
        isUpgraded: false, originalPurchaseDate: Timestamp(milliseconds: 1_753_690_000_000),
        originalTransactionId: TransactionID(2_000_000_001), price: 480_000,
        productId: ProductID("lantern.plus.monthly"),
        purchaseDate: Timestamp(milliseconds: 1_763_690_000_000), quantity: 1,
        signedDate: Timestamp(milliseconds: 1_763_690_000_123), storefront: "JPN",
        storefrontId: "143462", subscriptionGroupIdentifier: SubscriptionGroupID("21482456"),
        transactionId: TransactionID(2_000_000_123), transactionReason: .renewal,
        type: .autoRenewable, webOrderLineItemId: "2000000077")

    /// A consumable with only the required members.
    static let consumable = TransactionPayload(
        transactionId: TransactionID(7), originalTransactionId: TransactionID(7),
        bundleId: bundleID, productId: ProductID("lantern.coins"), type: .consumable,
        purchaseDate: Timestamp(milliseconds: 1_763_690_000_000),
        originalPurchaseDate: Timestamp(milliseconds: 1_763_690_000_000), quantity: 3,
        environment: .sandbox, storefront: "USA", storefrontId: "143441", price: 2_970,
        currency: "USD", signedDate: Timestamp(milliseconds: 1_763_690_000_123))

    static func changed(
        _ payload: TransactionPayload = renewal, _ change: (inout TransactionPayload) -> Void
    ) -> TransactionPayload {
        var payload = payload
        change(&payload)
        return payload
    }

    /// Payloads of every shape; the same seed gives the same payloads.
    static func random(count: Int, seed: UInt64) -> [TransactionPayload] {
        var random = SplitMix64(seed: seed)
        return (0..<count).map { _ in payload(&random) }
    }

    private static func payload(_ random: inout SplitMix64) -> TransactionPayload {
        func maybe<Value>(_ value: Value) -> Value? { Bool.random(using: &random) ? value : nil }
        func date() -> Timestamp {
            Timestamp(
                milliseconds: .random(
                    in: (Timestamp.earliest.milliseconds)...(Timestamp.latest.milliseconds),
                    using: &random))
        }
        func text() -> String {
            String(
                (0..<Int.random(in: 0...12, using: &random)).compactMap { _ in
                    characters.randomElement(using: &random)
                })
        }
        return TransactionPayload(
            appAccountToken: maybe(uuid(&random)), appTransactionId: maybe(text()),
            applicationUsernameHash: maybe(text()), bundleId: text(), currency: text(),
            environment: StoreEnvironment(text()), expiresDate: maybe(date()),
            inAppOwnershipType: maybe(.familyShared) ?? .purchased, isUpgraded: maybe(true),
            offerDiscountType: maybe("FREE_TRIAL"), offerIdentifier: maybe(text()),
            offerPeriod: maybe("P1M"), offerType: maybe(.random(in: 1...4, using: &random)),
            originalPurchaseDate: date(),
            originalTransactionId: TransactionID(.random(in: 0...9, using: &random)),
            price: .random(in: .min ... .max, using: &random), productId: ProductID(text()),
            purchaseDate: date(), quantity: .random(in: 1...10, using: &random),
            revocationDate: maybe(date()),
            revocationReason: maybe(.random(in: 0...1, using: &random)), signedDate: date(),
            storefront: text(), storefrontId: text(),
            subscriptionGroupIdentifier: maybe(SubscriptionGroupID(text())),
            transactionId: TransactionID(.random(in: 0 ... .max, using: &random)),
            transactionReason: maybe(.renewal) ?? .purchase,
            type: ProductType.allCases.randomElement(using: &random) ?? .consumable,
            webOrderLineItemId: maybe(text()))
    }

    private static func uuid(_ random: inout SplitMix64) -> UUID {
        var bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
        return bytes.withUnsafeMutableBytes { $0.load(as: UUID.self) }
    }

    /// Characters that JSON escapes, characters it must not escape, and UTF-8 of one to four bytes.
    private static let characters: [Character] =
        (0..<0x20).map { Character(UnicodeScalar($0)) } + [
            "\"", "\\", "/", "\u{7F}", "\u{85}", "\u{2028}", "\r\n", "a", "Z", "0", " ", "<", "&",
            "é", "e\u{301}", "あ", "💎", "👩‍👧", "\u{FEFF}", "\u{FFFF}", "{", "}", "[", ",", ":",
        ]
}
