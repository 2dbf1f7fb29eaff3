import Basics
import Crypto
import StoreModel

/// Reads Xcode's StoreKit configuration files, versions 1 to 6. Lenient: a product with a defect is
/// left out with a warning, and there is always a catalog. Features that this store does not have
/// get warnings, one for each kind. The file's private key is no part of the catalog
/// (`CatalogReader.offerKey`).
struct StoreKitFileReader {
    /// Later versions are read as this one, with a warning.
    static let versionMax: Int64 = 6

    let document: JSONDocument
    let file: CatalogFile
    var problems = ProblemList(severityOfDefects: .warning)
    var locales = LocaleCodes()
    var defaultLocale = "en_US"
    private var defaultTerritory: Storefront?
    private var renewalRate: RenewalRate?
    private var settings: CatalogSettings?
    /// Made by the reader so far.
    var codes: Set<String> = []
    /// Of each product or group identifier.
    var firstNodes: [String: Int] = [:]

    init(document: JSONDocument, file: CatalogFile) {
        self.document = document
        self.file = file
    }

    mutating func read(into reading: inout CatalogReading) {
        let root = document.root
        guard let members = problems.members(of: root, StoreKitKeys.Root.self) else { return }
        reading.format = readVersion(members[.version])
        warnOfRest(members)
        readSettings(members[.settings])
        var products = elements(members[.products], .products)
            .compactMap { readProduct($0, group: nil) }
        // Version 1.0 does not have this list.
        products += problems.elements(members[.nonRenewingSubscriptions])
            .compactMap { readProduct($0, group: nil) }
        var groups: [Catalog.Group] = []
        for element in elements(members[.subscriptionGroups], .subscriptionGroups) {
            readGroup(element, into: &groups, &products)
        }
        if products.isEmpty {
            problems.warn(
                at: root, code: .emptyCatalog, found: "no product that can be sold",
                expected: "something to sell")
        }
        reading.catalog = Catalog(
            bundleID: bundleID(identifier: members[.identifier]),
            appName: LocalizedText([defaultLocale: UntrustedText.clean(file.title)]),
            defaultTerritory: defaultTerritory?.countryCode, defaultLocale: defaultLocale,
            groups: groups, products: products, renewalRate: renewalRate, settings: settings)
        reading.problems = problems.resolved(in: document)
    }

    private mutating func elements(
        _ value: JSONValue?, _ key: StoreKitKeys.Root
    ) -> [JSONValue] {
        if value == nil {
            problems.warn(at: document.root, missing: key.rawValue, expected: "a list")
        }
        return problems.elements(value)
    }

    private mutating func readVersion(_ value: JSONValue?) -> CatalogFormat {
        let major = value?.member("major")?.integer
        let minor = value?.member("minor")?.integer ?? 0
        if let major, major >= 1, major <= Self.versionMax, minor >= 0 {
            return .storekit(major: Int(major), minor: Int(minor))
        }
        problems.warn(
            at: document.root, code: .unknownFormat,
            found: major.map { "version \($0).\(minor)" } ?? "no version that can be read",
            expected: "version 1 to \(Self.versionMax); read as version \(Self.versionMax)")
        return .storekit(major: major.map { Int($0) } ?? Int(Self.versionMax), minor: Int(minor))
    }

    private mutating func readSettings(_ value: JSONValue?) {
        guard let value, value.kind != .null,
            let members = problems.members(of: value, StoreKitKeys.Settings.self)
        else { return }
        var settings = readSwitches(members)
        renewalRate = readRenewalRate(members[.timeRate])
        if let node = members[.locale], let code = optionalText(node), !code.isEmpty {
            if let locale = readLocale(code, at: node) {
                defaultLocale = locale
                settings.locale = locale
            }
        }
        if let node = members[.storefront], let code = optionalText(node), !code.isEmpty {
            defaultTerritory = Storefront.find(code)
            settings.territory = defaultTerritory?.countryCode
            if defaultTerritory == nil {
                problems.warn(
                    at: node, code: .unknownName,
                    found: "the territory \(UntrustedText.quote(code))",
                    expected: "a territory of the App Store by its three letters",
                    suggestion: Storefront.nearest(to: code)?.countryCode)
            }
        }
        if settings != .none { self.settings = settings }
    }

    private mutating func readRenewalRate(_ node: JSONValue?) -> RenewalRate? {
        guard let node, node.kind != .null else { return nil }
        if let rate = node.integer.flatMap({ RenewalRate(rawValue: Int(clamping: $0)) }) {
            return rate
        }
        problems.warn(
            at: node,
            expected: "one of Xcode's rates, "
                + RenewalRate.allCases.map { String($0.rawValue) }.joined(separator: ", ")
                + "; subscriptions renew in real time")
        return nil
    }

    /// May be missing or null; a value of another type is a warning.
    mutating func optionalText(_ value: JSONValue?) -> String? {
        guard let value, value.kind != .null else { return nil }
        if value.isText { return value.text }
        problems.warn(at: value, expected: "a text")
        return nil
    }

    /// May be missing or null; a value of another type is a warning.
    mutating func optionalList(_ value: JSONValue?, of things: String) -> [JSONValue] {
        guard let value, value.kind != .null else { return [] }
        if value.kind != .array { problems.warn(at: value, expected: "a list of \(things)") }
        return value.elements
    }

    mutating func readLocale(_ code: String, at node: JSONValue) -> String? {
        switch locales.check(code) {
        case .good(let locale): return locale
        case .unknown(let suggestion):
            problems.warn(
                at: node, code: .unknownName, found: "the locale \(UntrustedText.quote(code))",
                expected: "a locale such as en_US, ja or zh_Hans", suggestion: suggestion)
            return nil
        }
    }

    /// These files name no app, but a store belongs to one. The bundle id is `storekit.` and the
    /// file's identifier, or the file's name if it has none, so that the same file leads to the
    /// same store again. A long one is cut and ends in a digest of the whole, so that it differs
    /// from others with the same beginning.
    private func bundleID(identifier: JSONValue?) -> String {
        let own = identifier.map { $0.isText ? $0.text : "" } ?? ""
        for text in [own, file.title] {
            let words = text.prefix(1000).lowercased().split {
                !$0.isASCII || !($0.isLetter || $0.isNumber)
            }
            guard !words.isEmpty else { continue }
            let name = words.joined(separator: "-")
            guard name.utf8.count > Self.nameLengthMax else { return "storekit." + name }
            let start = name.prefix(Self.nameLengthMax - Self.digestLength - 1)
            return "storekit.\(start)-\(Self.digest(text))"
        }
        return "storekit.x" + Self.digest(file.title)
    }

    /// For the part after `storekit.`: the name of the store's folder then has at most 64
    /// characters.
    private static let nameLengthMax = 55
    private static let digestLength = 8

    private static func digest(_ text: String) -> String {
        String(HexText.of(SHA256.hash(data: Array(text.utf8))).prefix(digestLength))
    }
}
