import StoreModel
import X509

/// The time in which all certificates of a chain are valid, both ends included (RFC 5280 §4.1.2.5).
struct ValidityWindow {
    private let first: Timestamp
    private let last: Timestamp

    /// `certificates` must not be empty.
    init(of certificates: [Certificate]) {
        first = certificates.map { Timestamp($0.notValidBefore) }.max() ?? .latest
        last = certificates.map { Timestamp($0.notValidAfter) }.min() ?? .earliest
    }

    func contains(_ date: Timestamp) -> Bool { first <= date && date <= last }
}
