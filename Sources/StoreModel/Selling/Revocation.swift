import Basics

/// How much of a sale was revoked, and the money returned for it (App Store Server API:
/// `revocationDate`, `revocationReason`, `revocationPercentage`, `revocationType`).
package struct Revocation: Codable, Hashable, Sendable {
    /// Of the first refund or revocation.
    package var date: Timestamp
    /// Of the latest refund or revocation.
    package var reason: RevocationReason
    package var takenBack: Share
    /// The part of the price that was returned; none for a revocation without money.
    package var refunded: Share
    /// The money returned so far, in milliunits of the sale's currency.
    package var refundedMilliunits: Int64

    package init(
        date: Timestamp, reason: RevocationReason, takenBack: Share, refunded: Share,
        refundedMilliunits: Int64
    ) {
        self.date = date
        self.reason = reason
        self.takenBack = takenBack
        self.refunded = refunded
        self.refundedMilliunits = refundedMilliunits
    }
}

/// Why a sale was revoked. The raw value is the number in Apple's payloads (StoreKit:
/// `Transaction.RevocationReason`).
package enum RevocationReason: Int, Codable, Sendable, CaseIterable {
    case other = 0
    /// An actual or perceived issue with the app (StoreKit: `developerIssue`).
    case app = 1
}

/// A part of a whole, from none to all, in thousandths of a percent: 100,000 is all (App Store
/// Server API: `revocationPercentage`). Encoded as that number.
package struct Share: Codable, Hashable, Sendable, Comparable {
    /// 0 to 100,000.
    package let millipercent: Int

    /// Cuts the number to 0 to 100,000.
    package init(millipercent: Int) { self.millipercent = min(max(millipercent, 0), 100_000) }

    /// Cuts the number to 0 to 100.
    package init(percent: Int) { self.init(millipercent: min(max(percent, 0), 100) * 1_000) }

    package static let all = Share(millipercent: 100_000)
    package static let none = Share(millipercent: 0)

    /// This part of an amount, rounded down; of a negative amount 0. Does not overflow.
    package func of(_ amount: Int64) -> Int64 {
        let product = Int64(100_000).dividingFullWidth(
            max(amount, 0).multipliedFullWidth(by: Int64(millipercent)))
        return product.quotient
    }

    /// This part of a price, rounded to the smallest amount that can be paid in its currency (ISO
    /// 4217); never more than the price.
    package func refund(of price: Money) -> Money {
        guard self != .all else { return price }
        let smallest = CurrencyDecimals.smallestMilliunits(of: price.currency)
        let rounded = of(price.milliunits).addingClamped(smallest / 2) / smallest * smallest
        return Money(milliunits: min(rounded, price.milliunits), currency: price.currency)
    }

    package var rest: Share { Share(millipercent: 100_000 - millipercent) }

    package static func < (left: Share, right: Share) -> Bool {
        left.millipercent < right.millipercent
    }

    package init(from decoder: any Decoder) throws {
        self.init(millipercent: try decoder.singleValueContainer().decode(Int.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(millipercent)
    }

    /// Such as `50 %`, `33.333 %`.
    package var percentText: String {
        let part = millipercent % 1_000
        guard part != 0 else { return "\(millipercent / 1_000) %" }
        var digits = String(1_000 + part).dropFirst()
        while digits.last == "0" { digits = digits.dropLast() }
        return "\(millipercent / 1_000).\(digits) %"
    }
}
