import Basics
import Foundation
import StoreEngine
import StoreModel

extension Sale {
    /// The same JSON as `JSONEncoder` writes, at a tenth of the cost; every purchase writes one
    /// (`make bench`: "store purchase (decide, one commit)").
    func jsonBytes() -> [UInt8] {
        var json = JSONObjectWriter(capacity: 768)
        json.object("cause") { cause.writeMembers(to: &$0) }
        json.member("productID", productID.rawValue)
        json.member("quantity", quantity)
        json.member("appAccountToken", appAccountToken?.uuidString)
        json.member("type", type.rawValue)
        json.member("groupID", groupID?.rawValue)
        if let original {
            json.object("original") { json in
                json.member("id", original.id.description)
                json.member("purchaseDate", original.purchaseDate.milliseconds)
            }
        }
        json.member("purchaseDate", purchaseDate.milliseconds)
        json.member("expiresDate", expiresDate?.milliseconds)
        json.member("storefront", storefront)
        json.object("price") { price.writeMembers(to: &$0) }
        if let grant {
            json.object("grant") { json in
                json.member("unit", grant.unit)
                json.member("amount", grant.amount)
            }
        }
        json.member("isHosted", isHosted)
        if let term {
            json.object("term") { json in
                json.object("period") { term.period.writeMembers(to: &$0) }
                json.member("rate", term.rate.rawValue)
                json.member("anchor", term.anchor.milliseconds)
                json.member("index", term.index)
                json.member("ordinal", term.ordinal)
                json.member("anchorIndex", term.anchorIndex)
                json.member("seriesStart", term.seriesStart?.milliseconds)
            }
        }
        json.member("brokenSignature", brokenSignature?.rawValue)
        json.member("applicationUsernameHash", applicationUsernameHash)
        if let share {
            json.object("share") { json in
                json.member("owner", share.owner.rawValue)
                json.member("chain", share.chain?.description)
                json.member("isRenewal", share.isRenewal)
            }
        }
        if let offer { json.object("offer") { offer.writeMembers(to: &$0) } }
        if let nextOffer { json.object("nextOffer") { nextOffer.writeMembers(to: &$0) } }
        if let ordinaryPeriod {
            json.object("ordinaryPeriod") { ordinaryPeriod.writeMembers(to: &$0) }
        }
        if let askedOffer { json.object("askedOffer") { askedOffer.writeMembers(to: &$0) } }
        json.member("billingPlan", billingPlan?.rawValue)
        if let commitment {
            json.object("commitment") { json in
                json.member("number", commitment.number)
                json.member("count", commitment.count)
                json.object("price") { commitment.price.writeMembers(to: &$0) }
                json.object("payment") { commitment.payment.writeMembers(to: &$0) }
            }
        }
        if let afterCommitment {
            json.object("afterCommitment") { json in
                json.member("offReason", afterCommitment.offReason?.rawValue)
                json.member("productID", afterCommitment.productID?.rawValue)
                json.member("billingPlan", afterCommitment.billingPlan?.rawValue)
                if let offer = afterCommitment.offer {
                    json.object("offer") { offer.writeMembers(to: &$0) }
                }
                if let offer = afterCommitment.offerAside {
                    json.object("offerAside") { offer.writeMembers(to: &$0) }
                }
            }
        }
        json.member("askedBillingPlan", askedBillingPlan?.rawValue)
        json.member("introductoryEligibility", introductoryEligibility)
        if let extendedBy { json.member("extendedBy", extendedBy.map(\.uuidString)) }
        return json.finished()
    }
}

extension SubscriptionPeriod {
    fileprivate func writeMembers(to json: inout JSONObjectWriter) {
        json.member("unit", unit.rawValue)
        json.member("value", value)
    }
}

extension SoldOffer {
    /// As `Codable` writes them.
    fileprivate func writeMembers(to json: inout JSONObjectWriter) {
        json.member("kind", kind.rawValue)
        json.member("id", id?.rawValue)
        json.member("mode", mode.rawValue)
        json.object("period") { period.writeMembers(to: &$0) }
        json.object("price") { price.writeMembers(to: &$0) }
        json.member("periodsLeft", periodsLeft)
        json.member("code", code)
        json.member("nonce", nonce?.uuidString)
        json.member("payment", payment?.description)
    }
}

extension Sale.Cause {
    /// Writes the members as `Codable` writes an enum: one member named by the case, with the
    /// values inside.
    fileprivate func writeMembers(to json: inout JSONObjectWriter) {
        switch self {
        case .payment(let id, let shownPrice):
            json.object("payment") { json in
                json.member("_0", id.description)
                json.object("shownPrice") { shownPrice.writeMembers(to: &$0) }
            }
        case .renewal: json.object("renewal") { _ in }
        case .familyShare(let id):
            json.object("familyShare") { $0.member("of", id.description) }
        case .outsideApp: json.object("outsideApp") { _ in }
        }
    }
}
