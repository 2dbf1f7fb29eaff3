import Basics
import Foundation
import StoreModel

/// Reads this program's own catalog files, format 1. Strict: every defect is an error, and with an
/// error there is no catalog.
struct NativeCatalogReader {
    static let format: Int64 = 1

    let document: JSONDocument
    let folder: String
    var problems = ProblemList(severityOfDefects: .error)
    var locales = LocaleCodes()
    var knownDecimals: [String: Int] = [:]
    var content: HostedContentFolder?
    var isContentFolderReported = false
    var defaults = Defaults()
    var sectionIDs: Set<String> = []
    var groupIDs: Set<String> = []
    /// By group: the node of its first product, and whether that is a free subscription.
    var groupsUsed: [String: (isFree: Bool, node: Int)] = [:]
    /// The node of the first use.
    var firstNodes: [IdentifierKind: [String: Int]] = [:]

    /// The kinds of identifiers; an identifier is unique within its kind.
    enum IdentifierKind: String { case product, section, group, code }

    struct Defaults {
        var territory: Storefront?
        var locale = "en_US"
        var language = "en"
    }

    init(document: JSONDocument, path: String) {
        self.document = document
        folder = URL(filePath: path).deletingLastPathComponent().path
    }

    mutating func read(into reading: inout CatalogReading) {
        guard readFormat(into: &reading) else { return }
        let catalog = readRoot()
        reading.problems = problems.resolved(in: document)
        if problems.defectCount == 0 { reading.catalog = catalog }
    }

    /// False for another format, whose keys may have another meaning: the rest of the file is then
    /// not read.
    private mutating func readFormat(into reading: inout CatalogReading) -> Bool {
        guard let value = document.root.member("format") else {
            reading.format = .storefront(Int(Self.format))
            return true
        }
        if let format = value.integer {
            reading.format = .storefront(Int(format))
            if format == Self.format { return true }
        }
        let line = JSONSourceMap.find([value.index], in: document)[value.index]?.line
        let found = value.kind == .number ? UntrustedText.short(value.text) : value.inWords
        reading.problems = [
            CatalogProblem(
                severity: .error, code: .unknownFormat, line: line, found: "format \(found)",
                expected: "format \(Self.format)", suggestion: "\"format\": \(Self.format)")
        ]
        return false
    }

    private mutating func readRoot() -> Catalog? {
        let root = document.root
        let members = problems.members(
            of: root, NativeKeys.Root.self, required: [.format, .app, .products])
        guard let members else { return nil }
        _ = problems.text(members[.schema])
        readDefaults(members[.defaults])
        let proceedsRate = readProceedsRate(members[.proceedsRate])
        let app = readApp(members[.app])
        readContentFolder(members[.content])
        let sections = readHeadings(members[.sections], kind: .section)
        let groups = readHeadings(members[.subscriptionGroups], kind: .group)
        sectionIDs = Set(sections.map(\.id))
        groupIDs = Set(groups.map(\.id))
        let products = readProducts(members[.products])
        if let list = members[.products], list.kind == .array, products.isEmpty,
            problems.defectCount == 0
        {
            problems.warn(
                at: list, code: .emptyCatalog, found: "no products", expected: "something to sell")
        }
        let productList = readProductList(
            members[.app]?.member(NativeKeys.App.productList.rawValue), products: products)
        guard let app else { return nil }
        return Catalog(
            bundleID: app.bundleID, appAppleID: app.appAppleID, appName: app.name,
            defaultTerritory: defaults.territory?.countryCode, defaultLocale: defaults.locale,
            sections: sections.map { Catalog.Section(id: $0.id, name: $0.name) },
            groups: groups.map { Catalog.Group(id: SubscriptionGroupID($0.id), name: $0.name) },
            products: products, contentFolder: content?.root, productList: productList,
            proceedsRate: proceedsRate)
    }

    private struct App {
        var bundleID: String
        var appAppleID: Int64?
        var name: LocalizedText
    }

    private mutating func readApp(_ value: JSONValue?) -> App? {
        guard let value,
            let members = problems.members(
                of: value, NativeKeys.App.self, required: [.bundleId, .name])
        else { return nil }
        let bundleID = problems.text(members[.bundleId])
        if let node = members[.bundleId], let bundleID, !Self.isBundleID(bundleID) {
            problems.defect(
                at: node, expected: "a bundle identifier such as com.example.lantern")
        }
        let name = readName(members[.name])
        let appAppleID = members[.appAppleId]?.integer
        if let node = members[.appAppleId], (appAppleID ?? 0) < 1 {
            problems.defect(at: node, expected: "a whole number of at least 1")
        }
        guard let bundleID, let name else { return nil }
        return App(bundleID: bundleID, appAppleID: appAppleID, name: name)
    }

    /// Letters, digits and hyphens in parts between single dots, 155 bytes at most. It also becomes
    /// a folder's name.
    static func isBundleID(_ text: String) -> Bool {
        text.utf8.count <= 155
            && text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
                !part.isEmpty && part.first != "-"
                    && part.utf8.allSatisfy {
                        ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A || $0 >= 0x30 && $0 <= 0x39
                            || $0 == 0x2D
                    }
            }
    }

    private mutating func readDefaults(_ value: JSONValue?) {
        guard let value, let members = problems.members(of: value, NativeKeys.Defaults.self)
        else { return }
        if let node = members[.territory], let code = problems.text(node) {
            defaults.territory = readTerritory(code, at: node)
        }
        if let node = members[.locale], let code = problems.text(node),
            let locale = readLocale(code, at: node)
        {
            defaults.locale = locale
            defaults.language = String(locale.prefix { $0 != "_" })
        }
    }

    private mutating func readProceedsRate(_ value: JSONValue?) -> Share? {
        guard let value else { return nil }
        let isNumber = value.kind == .number || value.isText
        guard isNumber, case .milliunits(let part) = PriceText.read(value.text) else {
            problems.defect(at: value, expected: Self.rateInWords)
            return nil
        }
        guard value.kind == .number, part <= 1000 else {
            // A percentage, or a text, is what its author probably meant.
            let meant = part <= 1000 ? part : part / 100
            problems.defect(
                at: value, expected: Self.rateInWords,
                suggestion: meant <= 1000
                    ? Money(milliunits: meant, currency: "").plainText : nil)
            return nil
        }
        return Share(millipercent: Int(part) * 100)
    }

    private static let rateInWords =
        "the seller's part of a price, from 0 to 1 with at most three decimals, such as 0.85"

    /// By alpha-3 in upper case. A dictionary lookup, because a large catalog names a territory for
    /// each of its prices, 100,000 and more.
    private static let territories = Dictionary(
        Storefront.all.map { ($0.countryCode, $0) }, uniquingKeysWith: { first, _ in first })

    /// Alpha-3, as in signed payloads. Any other text is a defect, with the nearest code as
    /// suggestion.
    mutating func readTerritory(_ code: String, at node: JSONValue) -> Storefront? {
        if let storefront = Self.territories[code] { return storefront }
        problems.defect(
            at: node, code: .unknownName, found: "the territory \(UntrustedText.quote(code))",
            expected: "a territory of the App Store by its three letters, such as USA",
            suggestion: Storefront.nearest(to: code)?.countryCode)
        return nil
    }

    mutating func readLocale(_ code: String, at node: JSONValue) -> String? {
        switch locales.check(code) {
        case .good(let locale): return locale
        case .unknown(let suggestion):
            problems.defect(
                at: node, code: .unknownName, found: "the locale \(UntrustedText.quote(code))",
                expected: "a locale such as en, ja, zh_Hans or en_GB", suggestion: suggestion)
            return nil
        }
    }

    private mutating func readContentFolder(_ value: JSONValue?) {
        guard let value, let path = problems.text(value) else { return }
        let steps = path.split(separator: "/", omittingEmptySubsequences: false)
        guard !path.isEmpty, !path.hasPrefix("/"), !steps.contains(".."),
            UntrustedText.isPlain(path)
        else {
            return problems.defect(
                at: value, expected: "a folder beside the catalog, relative and without `..`")
        }
        let absolute = URL(filePath: folder).appending(path: path).standardizedFileURL.path
        content = HostedContentFolder(root: absolute)
    }

    private mutating func readHeadings(
        _ value: JSONValue?, kind: IdentifierKind
    ) -> [(id: String, name: LocalizedText)] {
        var headings: [(id: String, name: LocalizedText)] = []
        for element in problems.elements(value) {
            guard
                let members = problems.members(
                    of: element, NativeKeys.Heading.self, required: [.id, .name])
            else { continue }
            let id = readIdentifier(members[.id], kind: kind)
            let name = readName(members[.name])
            if let id, let name { headings.append((id, name)) }
        }
        return headings
    }

    /// A defect if another element of its kind has it.
    mutating func readIdentifier(_ value: JSONValue?, kind: IdentifierKind) -> String? {
        guard let value, let id = problems.identifier(value) else { return nil }
        let isFirst = problems.isFirst(
            id, at: value, in: &firstNodes[kind, default: [:]],
            expected: "a \(kind.rawValue) identifier of its own")
        return isFirst ? id : nil
    }
}
