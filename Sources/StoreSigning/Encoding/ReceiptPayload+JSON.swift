import Foundation
import StoreModel

extension ReceiptPayload {
    /// The payload as JSON, members in alphabetical order, in the form of `TransactionPayload`'s.
    func jsonBytes() -> [UInt8] {
        var json = JSONObjectWriter(capacity: 1024 * (inApp.count + 1))
        json.member("bundleId", bundleId)
        json.member("deviceVerification", deviceVerification)
        json.member(
            "deviceVerificationNonce", deviceVerificationNonce?.uuidString.lowercased())
        json.member("environment", environment.rawValue)
        json.member("expirationDate", expirationDate?.milliseconds)
        json.member("inApp", objects: inApp.map { $0.jsonBytes() })
        json.member("receiptCreationDate", receiptCreationDate.milliseconds)
        json.member("receiptType", receiptType)
        json.member("revocationDate", revocationDate?.milliseconds)
        return json.finished()
    }
}

extension AppTransactionPayload {
    /// The payload as JSON, members in alphabetical order, in the form of `TransactionPayload`'s.
    func jsonBytes() -> [UInt8] {
        var json = JSONObjectWriter(capacity: 512)
        json.member("appAppleId", appAppleId)
        json.member("appTransactionId", appTransactionId)
        json.member("applicationVersion", applicationVersion)
        json.member("bundleId", bundleId)
        json.member("deviceVerification", deviceVerification)
        json.member(
            "deviceVerificationNonce", deviceVerificationNonce?.uuidString.lowercased())
        json.member("environment", environment.rawValue)
        json.member("originalApplicationVersion", originalApplicationVersion)
        json.member("originalPurchaseDate", originalPurchaseDate.milliseconds)
        json.member("receiptCreationDate", receiptCreationDate.milliseconds)
        json.member("receiptType", receiptType)
        return json.finished()
    }
}

extension RevocationListPayload {
    /// The payload as JSON, members in alphabetical order.
    func jsonBytes() -> [UInt8] {
        var json = JSONObjectWriter(capacity: 128)
        json.member("revokedSerials", revokedSerials)
        json.member("signedDate", signedDate.milliseconds)
        return json.finished()
    }
}
