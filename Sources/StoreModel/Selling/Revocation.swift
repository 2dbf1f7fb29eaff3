/// What was taken back of a sale, and the money that was given back for it (App Store Server API:
/// `revocationDate`, `revocationReason`, `revocationPercentage`, `revocationType`).
package struct Revocation: Codable, Hashable, Sendable {
    /// When it was first taken back.
    package var date: Timestamp
    package var reason: RevocationReason
    /// How much of what was sold is taken back.
    package var takenBack: Share
    /// How much of the price was given back; nothing for a revocation without money.
    package var refunded: Share
    /// The money given back so far, in milliunits of the sale's currency.
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

/// Why a sale was taken back; the raw value is the number in Apple's payloads (StoreKit:
/// `Transaction.RevocationReason`).
package enum RevocationReason: Int, Codable, Sendable, CaseIterable {
    case other = 0
    /// An issue with the app (StoreKit: `developerIssue`).
    case app = 1
}

/// A part of a whole, in thousandths of a percent: 100 000 is all of it (App Store Server API:
/// `revocationPercentage`). From none to all.
package struct Share: Codable, Hashable, Sendable, Comparable {
    package let millipercent: Int

    package init(millipercent: Int) { self.millipercent = min(max(millipercent, 0), 100_000) }

    package init(percent: Int) { self.init(millipercent: min(max(percent, 0), 100) * 1_000) }

    package static let all = Share(millipercent: 100_000)
    package static let none = Share(millipercent: 0)

    /// So much of an amount that is not negative, rounded down.
    package func of(_ amount: Int64) -> Int64 {
        let product = Int64(100_000).dividingFullWidth(
            max(amount, 0).multipliedFullWidth(by: Int64(millipercent)))
        return product.quotient
    }

    /// What is left of the whole.
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

    /// `50 %`, `33.333 %`.
    package var percentText: String {
        let part = millipercent % 1_000
        guard part != 0 else { return "\(millipercent / 1_000) %" }
        var digits = String(1_000 + part).dropFirst()
        while digits.last == "0" { digits = digits.dropLast() }
        return "\(millipercent / 1_000).\(digits) %"
    }
}
