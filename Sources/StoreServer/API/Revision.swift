import Crypto
import Foundation
import StoreModel
import StoreSigning

/// Where a walk through a history is, as a text that a backend sends back for the next page.
struct Revision: Hashable {
    /// As in `ServedHistoryQuery`.
    var position: Int64
    /// As in `ServedHistoryQuery`; nil where it does not matter.
    var head: Int64?

    init(position: Int64, head: Int64?) {
        self.position = position
        self.head = head
    }

    /// Nil for a text of another place, and for one that was not made here.
    init?(_ text: String, at place: RevisionPlace) {
        guard text.utf8.count <= 64, let bytes = Base64URL.decode(Array(text.utf8).span),
            bytes.count == 16 + RevisionPlace.tagCount
        else { return nil }
        func number(_ start: Int) -> Int64 {
            bytes[start..<start + 8].reduce(0) { $0 << 8 | Int64($1) }
        }
        let (position, head) = (number(0), number(8))
        guard position >= 0, head >= -1, Array(bytes[16...]) == place.tag(Array(bytes[..<16]))
        else { return nil }
        self.init(position: position, head: head < 0 ? nil : head)
    }

    func text(at place: RevisionPlace) -> String {
        func bytes(_ number: Int64) -> [UInt8] {
            (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        }
        let numbers = bytes(position) + bytes(head ?? -1)
        return Base64URL.encode((numbers + place.tag(numbers)).span)
    }
}

/// The store, endpoint, account and filters that a revision or a token belongs to.
struct RevisionPlace {
    private let key: SymmetricKey

    static let tagCount = 8

    /// - Parameters:
    ///   - parts: account and filters.
    ///   - root: the store's certificate.
    init(_ parts: [String], endpoint: String, root: Data) {
        var hash = SHA256()
        hash.update(data: root)
        for part in [endpoint] + parts {
            hash.update(data: Data("\(part.utf8.count) \(part)".utf8))
        }
        key = SymmetricKey(data: Data(hash.finalize()))
    }

    func tag(_ bytes: [UInt8]) -> [UInt8] {
        Array(
            HMAC<SHA256>.authenticationCode(for: Data(bytes), using: key).prefix(Self.tagCount))
    }
}

extension ServedHistoryQuery {
    /// Everything that stays the same from page to page.
    var parts: [String] {
        var parts = [
            account.rawValue, "\(isDescending)", "\(leavesOutFinished)", ownership?.rawValue ?? "",
            isRevoked.map { "\($0)" } ?? "", since.map { "\($0.milliseconds)" } ?? "",
            until.map { "\($0.milliseconds)" } ?? "",
        ]
        parts += products.sorted().map { "product \($0)" }
        parts += types.map { "type \($0.rawValue)" }.sorted()
        parts += groups.sorted().map { "group \($0)" }
        return parts
    }
}
