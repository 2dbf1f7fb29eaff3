/// A small value of the app that follows the account to its other devices (Foundation:
/// `NSUbiquitousKeyValueStore`), such as a theme or a reading place.
///
/// The last writer wins: of two changes of a key the one with the later position in the ledger.
package struct AccountValue: Codable, Hashable, Sendable {
    package var key: String
    /// Nil for a value that was removed.
    package var value: String?

    package init(key: String, value: String?) {
        self.key = key
        self.value = value
    }

    /// Of the theme that the app is drawn with: the id that unlocks it.
    package static let themeKey = "theme"
    /// Of the language of the app's words, as `--language` names it.
    package static let languageKey = "language"
    /// Of the place in a product that was read last (`ReadingPlace` as JSON).
    package static func readingKey(_ product: ProductID) -> String { "reading.\(product)" }

    /// Of the event from which trials are counted anew (`TrialHistory`): the number of the device's
    /// newest log entry, a space, and a UUID, which makes the value new. Any other value of the key
    /// is an app's own.
    package static let trialsKey = "trials"

    /// The keys that an account may have.
    package static let countMax = 1_024
    /// The bytes of all values of an account: 1 MB.
    package static let bytesMax = 1_000_000
    /// The bytes that a key may have, as UTF-8.
    package static let keyBytes = 1...64

    /// An account's values by key after this change.
    package func applied(to values: [String: String]) -> [String: String] {
        var values = values
        values[key] = value
        return values
    }

    /// Throws `invalidName` for a key that is not allowed, and `valuesFull` if the account's values
    /// would be too many or too large after this change. A removal always fits.
    package func check(in values: [String: String]) throws(StoreError) {
        guard Self.keyBytes.contains(key.utf8.count) else {
            throw StoreError(
                .invalidName, subject: "key", found: key, expected: "1 to 64 bytes")
        }
        let after = value == nil ? [:] : applied(to: values)
        let bytes = after.values.reduce(0) { $0 + $1.utf8.count }
        for (subject, found, limit) in [
            ("keys", after.count, Self.countMax), ("bytes", bytes, Self.bytesMax),
        ] where found > limit {
            throw StoreError(.valuesFull, subject: subject, found: found, expected: limit)
        }
    }
}
