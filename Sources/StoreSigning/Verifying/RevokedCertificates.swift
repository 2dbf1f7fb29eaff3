import StoreModel
import Synchronization
import X509

/// A certificate's serial number as revocation lists and openssl write it: upper-case hexadecimal.
struct CertificateSerial: Hashable, Sendable {
    let text: String

    init(_ number: Certificate.SerialNumber) {
        // The bytes of an ASN.1 integer may begin with a zero that openssl does not print.
        let bytes = number.bytes.drop { $0 == 0 }
        text = bytes.map { byte in
            let digits = String(byte, radix: 16, uppercase: true)
            return byte < 16 ? "0" + digits : digits
        }.joined()
    }

    init(_ text: String) { self.text = text.uppercased() }
}

/// The revoked certificates that a verifier knows, from the newest list that it has verified. Safe
/// from any task; shared by the copies of a verifier.
final class RevokedCertificates: Sendable {
    private struct List {
        var serials: Set<CertificateSerial>
        var date: Timestamp
    }
    private let list = Mutex<List?>(nil)

    func contains(anyOf serials: [CertificateSerial]) -> Bool {
        list.withLock { list in
            guard let list, !list.serials.isEmpty else { return false }
            return serials.contains { list.serials.contains($0) }
        }
    }

    /// Only by a verified list that is newer, or that has the same date and more certificates:
    /// while the store's clock is stopped, all its lists have one date. Returns whether it was
    /// replaced.
    func replace(by payload: RevocationListPayload) -> Bool {
        let serials = Set(payload.revokedSerials.map { CertificateSerial($0) })
        return list.withLock { list in
            if let known = list {
                let isNewer = payload.signedDate > known.date
                let isMore =
                    payload.signedDate == known.date && serials.isStrictSuperset(of: known.serials)
                guard isNewer || isMore else { return false }
            }
            list = List(serials: serials, date: payload.signedDate)
            return true
        }
    }
}
