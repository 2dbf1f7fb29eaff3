import Basics
import Foundation
package import StoreModel

/// A payload that the store signs and a verifier verifies. Its properties are declared in
/// alphabetical order, in which they are signed.
package protocol SignedPayload: Codable, Sendable {
    /// The date at which the certificates must be valid.
    var chainDate: Timestamp { get }
    /// The JSON member that holds `chainDate`.
    static var chainDateMember: String { get }
    /// Nil if the payload is not about an app.
    var signedBundleID: String? { get }
    /// Nil if it is not about one environment.
    var signedEnvironment: StoreEnvironment? { get }
    /// Nil if the payload is for no device.
    var signedDevice: SignedDevice? { get }
    /// The greatest length of a signed text that a verifier reads, in bytes.
    static var byteCountMax: Int { get }
}

/// The device verification of a payload; both members are nil if it was signed for the operator.
package struct SignedDevice {
    let digest: String?
    let nonce: UUID?
}

extension SignedPayload {
    package static var byteCountMax: Int { CompactJWS.transactionByteCountMax }

    /// The payload as JSON: members in alphabetical order, dates in whole milliseconds, prices in
    /// milliunits, nil members left out, UUIDs in lower case. Equal payloads give equal bytes.
    package func jsonBytes() throws(StoreError) -> [UInt8] {
        do { return try JSONWriter.bytes(of: self) } catch {
            throw StoreError(.systemError, subject: "payload", cause: "\(error)")
        }
    }
}

extension TransactionPayload: SignedPayload {
    package var chainDate: Timestamp { signedDate }
    package static var chainDateMember: String { "signedDate" }
    package var signedBundleID: String? { bundleId }
    package var signedEnvironment: StoreEnvironment? { environment }
    package var signedDevice: SignedDevice? {
        SignedDevice(digest: deviceVerification, nonce: deviceVerificationNonce)
    }
}

extension ReceiptPayload: SignedPayload {
    package var chainDate: Timestamp { receiptCreationDate }
    package static var chainDateMember: String { "receiptCreationDate" }
    package var signedBundleID: String? { bundleId }
    package var signedEnvironment: StoreEnvironment? { environment }
    package var signedDevice: SignedDevice? {
        SignedDevice(digest: deviceVerification, nonce: deviceVerificationNonce)
    }
    package static var byteCountMax: Int { CompactJWS.receiptByteCountMax }
}

extension AppTransactionPayload: SignedPayload {
    package var chainDate: Timestamp { receiptCreationDate }
    package static var chainDateMember: String { "receiptCreationDate" }
    package var signedBundleID: String? { bundleId }
    package var signedEnvironment: StoreEnvironment? { environment }
    package var signedDevice: SignedDevice? {
        SignedDevice(digest: deviceVerification, nonce: deviceVerificationNonce)
    }
}

extension RenewalInfoPayload: SignedPayload {
    package var chainDate: Timestamp { signedDate }
    package static var chainDateMember: String { "signedDate" }
    /// Apple's renewal info names no app.
    package var signedBundleID: String? { nil }
    package var signedEnvironment: StoreEnvironment? { environment }
    package var signedDevice: SignedDevice? {
        SignedDevice(digest: deviceVerification, nonce: deviceVerificationNonce)
    }
}

extension NotificationPayload: SignedPayload {
    package var chainDate: Timestamp { signedDate }
    package static var chainDateMember: String { "signedDate" }
    package var signedBundleID: String? {
        data?.bundleId ?? summary?.bundleId ?? appData?.bundleId
    }
    package var signedEnvironment: StoreEnvironment? {
        data?.environment ?? summary?.environment ?? appData?.environment
    }
    package var signedDevice: SignedDevice? { nil }
}

extension ManifestPayload: SignedPayload {
    package var chainDate: Timestamp { signedDate }
    package static var chainDateMember: String { "signedDate" }
    package var signedBundleID: String? { bundleId }
    package var signedEnvironment: StoreEnvironment? { environment }
    /// A package is the same for every device.
    package var signedDevice: SignedDevice? { nil }
}

extension RevocationListPayload: SignedPayload {
    package var chainDate: Timestamp { signedDate }
    package static var chainDateMember: String { "signedDate" }
    package var signedBundleID: String? { nil }
    package var signedEnvironment: StoreEnvironment? { nil }
    package var signedDevice: SignedDevice? { nil }
}

/// The payload of a signed text, as far as it can be decoded. Untrusted.
struct PayloadContents<Payload: SignedPayload> {
    /// Nil if a required property is missing or malformed.
    let payload: Payload?
    /// The date at which the certificates must be valid; set even if other properties cannot be
    /// decoded.
    let chainDate: Timestamp?

    /// Nil unless the bytes are a JSON object. Unknown members are ignored.
    init?(_ bytes: [UInt8]) {
        let data = Data(bytes)
        if let payload = try? payloadDecoder.decode(Payload.self, from: data) {
            self.payload = payload
            chainDate = payload.chainDate
        } else if let date = try? payloadDecoder.decode(ChainDate<Payload>.self, from: data) {
            payload = nil
            chainDate = date.value
        } else {
            return nil
        }
    }
}

private let payloadDecoder = JSONDecoder()

/// Decodes the chain date of any JSON object; nil for an object without one.
private struct ChainDate<Payload: SignedPayload>: Decodable {
    let value: Timestamp?

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: MemberName.self)
        let name = MemberName(stringValue: Payload.chainDateMember)
        if let date = try? container.decode(Timestamp.self, forKey: name) {
            value = date
        } else if let milliseconds = try? container.decode(Double.self, forKey: name),
            let whole = Int64(exactly: milliseconds.rounded())
        {
            // Xcode signs fractions of milliseconds. They are rounded, so that the chain is checked
            // and a text of another store is not reported as incomplete.
            value = Timestamp(milliseconds: whole)
        } else {
            value = nil
        }
    }
}

/// The name of any JSON member.
private struct MemberName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
