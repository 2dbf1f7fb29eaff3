package import Basics
import Foundation

/// Every purchase writes these values. They are encoded without `Codable` for speed, in the form
/// that `Codable` decodes.
extension Payment {
    fileprivate func writeMembers(to json: inout JSONObjectWriter) {
        json.member("id", id.description)
        json.member("productID", productID.rawValue)
        json.member("quantity", quantity)
        json.object("shownPrice") { shownPrice.writeMembers(to: &$0) }
        json.member("appAccountToken", appAccountToken?.uuidString)
        json.member("applicationUsernameHash", applicationUsernameHash)
        if let offer { json.object("offer") { offer.writeMembers(to: &$0) } }
        json.member("billingPlan", billingPlan?.rawValue)
        json.member("introductoryEligibility", introductoryEligibility)
    }
}

extension PaymentOffer {
    /// As `Codable` writes them.
    package func writeMembers(to json: inout JSONObjectWriter) {
        json.member("kind", kind.rawValue)
        json.member("id", id.rawValue)
        json.member("code", code)
        json.member("signature", signature?.text)
    }
}

extension Money {
    package func writeMembers(to json: inout JSONObjectWriter) {
        json.member("milliunits", milliunits)
        json.member("currency", currency)
    }
}

extension QueuedPayment {
    /// As `Codable` decodes it.
    package func jsonBytes() -> [UInt8] {
        var json = JSONObjectWriter(capacity: 512)
        json.object("payment") { payment.writeMembers(to: &$0) }
        json.member("state", state.rawValue)
        json.member("queuedAt", queuedAt.milliseconds)
        json.member("request", request?.description)
        json.member("reason", reason?.rawValue)
        return json.finished()
    }
}

extension FeedCursor {
    /// As `Codable` decodes the cursor, with the mark that a device keeps beside it.
    package func jsonBytes(mark: FeedMark? = nil) -> [UInt8] {
        var json = JSONObjectWriter(capacity: 128)
        json.member("epoch", epoch)
        json.member("position", position)
        json.member("mark", mark?.rawValue)
        return json.finished()
    }
}
