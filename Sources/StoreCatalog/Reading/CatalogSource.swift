/// The text of a catalog file as a store keeps it: whole, but without private keys.
enum CatalogSource {
    /// Keys whose values are private, in lower case and without separators. Xcode keeps the pair
    /// that signs promotional offers in a configuration (`subscriptionOffersKeyPair`).
    private static let privateKeys: Set<String> = ["subscriptionofferskeypair", "privatekey"]

    /// Nil if it has none. Members with a private key are removed with their contents; a text that
    /// holds a key in PEM becomes empty. All other bytes stay.
    static func withoutPrivateKeys(_ document: JSONDocument) -> [UInt8]? {
        guard mayHoldKeys(document.bytes) else { return nil }
        var editor = JSONEditor(document)
        var keys: [String: Bool] = [:]
        cut(document.root, &editor, &keys)
        return editor.hasChanges ? editor.bytes : nil
    }

    /// Most files hold no word that a private key comes with, and are not searched value by value.
    /// A key may be written with escapes, such as \u0050.
    private static func mayHoldKeys(_ bytes: [UInt8]) -> Bool {
        [Array("private".utf8), Array("keypair".utf8), Array("\\u".utf8)].contains { word in
            bytes.containsIgnoringCase(word)
        }
    }

    /// - Parameter keys: the keys of objects seen so far, and whether they are private. A file has
    ///   few different keys, and repeats them in every product.
    private static func cut(
        _ value: JSONValue, _ editor: inout JSONEditor, _ keys: inout [String: Bool]
    ) {
        switch value.kind {
        case .object:
            var members: [JSONValue] = []
            var hasPrivate = false
            value.forEachMember { key, content in
                if isPrivate(key.text, &keys) { hasPrivate = true } else { members.append(content) }
            }
            if hasPrivate {
                editor.removeMembers(of: value) { key, _ in isPrivate(key, &keys) }
            }
            for member in members { cut(member, &editor, &keys) }
        case .array: value.forEachElement { cut($0, &editor, &keys) }
        case .string, .escapedString:
            if holdsKey(value.text) { editor.replace(value, by: "\"\"") }
        case .number, .true, .false, .null: break
        }
    }

    private static func isPrivate(_ key: String, _ keys: inout [String: Bool]) -> Bool {
        if let known = keys[key] { return known }
        let isPrivate = privateKeys.contains(key.lowercased().filter { $0.isLetter })
        keys[key] = isPrivate
        return isPrivate
    }

    /// Compares bytes first: searching a text by its characters takes longer than reading the file.
    private static func holdsKey(_ text: String) -> Bool {
        Array(text.utf8).containsIgnoringCase(pemLabel) && text.contains("PRIVATE KEY-----")
    }

    private static let pemLabel = Array("PRIVATE KEY-----".utf8)
}

extension [UInt8] {
    /// For a word of ASCII letters. It ignores bit 5 of every byte, so it may also find words of
    /// other characters.
    fileprivate func containsIgnoringCase(_ word: [UInt8]) -> Bool {
        guard let first = word.first, count >= word.count else { return false }
        return withUnsafeBufferPointer { bytes in
            (0...bytes.count - word.count).contains { start in
                guard bytes[start] | 0x20 == first | 0x20 else { return false }
                return word.indices.allSatisfy { bytes[start + $0] | 0x20 == word[$0] | 0x20 }
            }
        }
    }
}
