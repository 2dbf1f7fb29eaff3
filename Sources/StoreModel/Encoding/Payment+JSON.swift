import Foundation

/// The values that are written for every purchase, as `Codable` would write and does read them.
extension Payment {
    package func writeMembers(to json: inout JSONObjectWriter) {
        json.member("id", id.description)
        json.member("productID", productID.rawValue)
        json.member("quantity", quantity)
        json.object("shownPrice") { shownPrice.writeMembers(to: &$0) }
        json.member("appAccountToken", appAccountToken?.uuidString)
    }
}

extension Money {
    package func writeMembers(to json: inout JSONObjectWriter) {
        json.member("milliunits", milliunits)
        json.member("currency", currency)
    }
}

extension QueuedPayment {
    package func jsonBytes() -> [UInt8] {
        var json = JSONObjectWriter(capacity: 512)
        json.object("payment") { payment.writeMembers(to: &$0) }
        json.member("state", state.rawValue)
        json.member("queuedAt", queuedAt.milliseconds)
        json.member("request", request?.description)
        return json.finished()
    }
}

extension FeedCursor {
    package func jsonBytes() -> [UInt8] {
        var json = JSONObjectWriter(capacity: 64)
        json.member("epoch", epoch)
        json.member("position", position)
        return json.finished()
    }
}
