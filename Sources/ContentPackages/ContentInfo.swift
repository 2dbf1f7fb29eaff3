import Basics
package import StoreModel

/// A package's `ContentInfo.plist`: the product that the package belongs to, and its version.
///
/// Its own parser accepts one flat dictionary of strings in XML and no other property list: no
/// nesting that could exhaust the stack, no entities to expand, no binary form.
package struct ContentInfo: Codable, Hashable, Sendable {
    /// `IAPProductIdentifier`.
    package var productID: ProductID
    /// `ContentVersion`.
    package var version: ContentVersion
    /// `ContentIdentifier`; nil if the package does not say.
    package var contentID: String?

    package init(productID: ProductID, version: ContentVersion, contentID: String? = nil) {
        self.productID = productID
        self.version = version
        self.contentID = contentID
    }

    package static let fileName = "ContentInfo.plist"
    package static let contentsFolder = "Contents"

    private static let versionKey = "ContentVersion"
    private static let productKey = "IAPProductIdentifier"
    private static let contentKey = "ContentIdentifier"

    package var plist: String {
        Self.plist(of: productID, contentID: contentID, version: version.text)
    }

    /// The text of a `ContentInfo.plist`.
    package static func plist(of product: ProductID, contentID: String?, version: String)
        -> String
    {
        var members = [(versionKey, version), (productKey, product.rawValue)]
        if let contentID { members.append((contentKey, contentID)) }
        let lines = members.map { key, value in
            "    <key>\(key)</key>\n    <string>\(escaped(value))</string>\n"
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
            "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>
            \(lines.joined())</dict>
            </plist>

            """
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            default: escaped.append(character)
            }
        }
        return escaped
    }

    /// - Throws: the first problem in the text.
    init(plist bytes: [UInt8]) throws(PackageProblem) {
        func bad(_ found: String) -> PackageProblem {
            PackageProblem(.contentInfo, path: Self.fileName, found: found)
        }
        guard bytes.count <= PackageLimits.infoBytesMax else { throw bad("\(bytes.count) bytes") }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw bad("bytes that are not UTF-8")
        }
        let members: [String: String]
        switch FlatPropertyList.read(text) {
        case .success(let found): members = found
        case .failure(let reason): throw bad(reason.found)
        }
        guard let product = members[Self.productKey], Self.isName(product) else {
            throw bad("no \(Self.productKey)")
        }
        guard let text = members[Self.versionKey], let version = ContentVersion(text) else {
            throw bad("no \(Self.versionKey) of up to four numbers, such as 1.2")
        }
        let content = members[Self.contentKey]
        guard content.map(Self.isName) ?? true else { throw bad("no possible \(Self.contentKey)") }
        self.init(productID: ProductID(product), version: version, contentID: content)
    }

    /// The name of a product or package becomes a folder name on devices.
    package static func isName(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count) && !text.hasPrefix(".") && !text.hasSuffix(".")
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: ".-_".utf8.contains(byte)
                }
            }
    }
}

/// Parses an XML property list that is one dictionary of strings.
private enum FlatPropertyList {
    struct Reason: Error { var found: String }

    static func read(_ text: String) -> Result<[String: String], Reason> {
        var rest = Substring(text)
        func fail(_ found: String) -> Result<[String: String], Reason> {
            .failure(Reason(found: found))
        }
        skipSpace(&rest)
        if rest.hasPrefix("<?xml") {
            guard skip(past: "?>", &rest) else { return fail("an unfinished declaration") }
        }
        skipSpace(&rest)
        if rest.hasPrefix("<!DOCTYPE") {
            let end = rest.firstIndex(of: ">") ?? rest.endIndex
            guard !rest[..<end].contains("["), skip(past: ">", &rest) else {
                return fail("a document type with declarations of its own")
            }
        }
        skipSpace(&rest)
        guard rest.hasPrefix("<plist"), skip(past: ">", &rest) else {
            return fail("no property list as XML")
        }
        guard take("<dict>", &rest) else { return fail("no dictionary") }
        var members: [String: String] = [:]
        while take("<key>", &rest) {
            guard let key = content(upTo: "</key>", &rest), take("<string>", &rest),
                let value = content(upTo: "</string>", &rest)
            else { return fail("a member that is no text") }
            guard members.updateValue(value, forKey: key) == nil else {
                return fail("\(UntrustedText.quote(key)) twice")
            }
        }
        guard take("</dict>", &rest), take("</plist>", &rest) else {
            return fail("more than a dictionary of texts")
        }
        skipSpace(&rest)
        return rest.isEmpty ? .success(members) : fail("something after the property list")
    }

    private static func skipSpace(_ rest: inout Substring) {
        rest = rest.drop { $0.isWhitespace }
    }

    private static func skip(past end: String, _ rest: inout Substring) -> Bool {
        guard let range = rest.firstRange(of: end) else { return false }
        rest = rest[range.upperBound...]
        return true
    }

    private static func take(_ word: String, _ rest: inout Substring) -> Bool {
        skipSpace(&rest)
        guard rest.hasPrefix(word) else { return false }
        rest = rest.dropFirst(word.count)
        return true
    }

    /// Resolves XML's five predefined entities. Nil if the text has any other markup or control
    /// characters.
    private static func content(upTo end: String, _ rest: inout Substring) -> String? {
        guard let range = rest.firstRange(of: end) else { return nil }
        var part = rest[..<range.lowerBound]
        rest = rest[range.upperBound...]
        guard !part.contains("<"), !part.contains(">") else { return nil }
        var text = ""
        while let mark = part.firstIndex(of: "&") {
            text += part[..<mark]
            part = part[mark...]
            guard let entity = entities.first(where: { part.hasPrefix($0.name) }) else {
                return nil
            }
            text += entity.text
            part = part.dropFirst(entity.name.count)
        }
        text += part
        return UntrustedText.clean(text) == text ? text : nil
    }

    private static let entities: [(name: String, text: String)] = [
        ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"),
    ]
}
