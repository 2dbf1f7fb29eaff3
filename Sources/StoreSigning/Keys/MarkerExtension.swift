import SwiftASN1
import X509

/// The extensions by which verifiers of App Store signatures recognize the purpose of a
/// certificate. Only their presence counts; the value is NULL.
enum MarkerExtension {
    /// On the leaf: its key signs transactions.
    static let receiptSigning: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 11, 1]
    /// On the intermediate: it issues leaves with `receiptSigning`.
    static let receiptSigningIssuer: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 2, 1]

    static func make(_ identifier: ASN1ObjectIdentifier) -> Certificate.Extension {
        Certificate.Extension(oid: identifier, critical: false, value: [0x05, 0x00])
    }
}
