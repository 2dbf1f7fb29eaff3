import Foundation
import StoreModel

/// The products and kinds of lines in which the words of a filter are looked up.
struct LogVocabulary {
    var productList: ProductList
    /// Nil until it is made; without it, the products are searched one by one.
    var searchIndex: SearchIndex?
    /// The screen's name for each kind of line (`Viewport.kindNames`).
    var kindNames: [LogKind: String]
    /// Whether a customer's history has what the operator changed, too.
    var namesConsole: Bool

    func name(of product: ProductID) -> String { productList.name(of: product) }

    /// Those with this identifier, otherwise those whose name or identifier contains the text. Those
    /// that are no longer sold have the name under which they were.
    func products(_ text: String) -> Set<ProductID> {
        let exact = ProductID(text)
        if productList.isNamed(exact) { return [exact] }
        let index =
            searchIndex?.isOf(productList) == true
            ? searchIndex : SearchIndex(productList.products, revision: productList.revision)
        return Set((index?.matches(text) ?? []).map { productList.products[$0].id })
            .union(productList.unlisted(containing: text))
    }
}

/// A typed filter of an event log: `kind:`, `product:`, `account:`, `since:` and `is:` with a value
/// each, and words that must be found anywhere in a line. Several kinds are alternatives; a line
/// must be all that `is:` names (`LogFact`).
package struct LogFilter: Hashable, Sendable {
    /// A filter value that names nothing in the store; the log then lists valid values.
    package enum Problem: Hashable, Sendable {
        case noSuchKind(String)
        /// No product has the text in its name or identifier. Events of one whose name is unknown
        /// are still found by its complete identifier.
        case noSuchProduct(String)
        case noDay(String)
        /// No line tells of such a fact, unless of an error that this program does not know.
        case noSuchFact(String)
        /// No field has this name. The word with its colon is also searched for as plain text.
        case noSuchField(String)
    }

    /// In the order in which they are listed.
    package static func fields(in scope: LogQuery.Scope) -> [Field] {
        Field.allCases.filter { $0 != .account || scope == .store }
    }

    /// A field of a filter.
    package enum Field: String, CaseIterable, Sendable {
        case kind, product, account, since
        case fact = "is"

        /// The field as it is typed: "kind:".
        package var typed: String { rawValue + ":" }
    }

    /// The first field of a text that has no value; nil if each has one.
    package static func emptyField(in text: String) -> Field? {
        let words = text.split(whereSeparator: \.isWhitespace).map { $0.lowercased() }
        return words.lazy.compactMap { word in Field.allCases.first { $0.typed == word } }.first
    }

    /// Of the first invalid value; nil if all values are valid.
    package private(set) var problem: Problem?
    private var words = WordFilter("")
    /// By the screen's words and by the names in commands; both empty if the filter names none.
    private var kinds: Set<LogKind> = []
    private var eventKinds: Set<EventKind> = []
    /// The products, of which a line must have one; nil for any.
    private var products: Set<ProductID>?
    private var account: AccountName?
    private var since: Timestamp?
    /// In lower case; a line must have all.
    private var facts: Set<String> = []

    init() {}

    /// - Parameter scope: `account:` is an ordinary word in the log of one account.
    init(_ text: String, scope: LogQuery.Scope, _ vocabulary: LogVocabulary) {
        var plain: [Substring] = []
        for word in text.split(whereSeparator: \.isWhitespace) {
            let colon = word.firstIndex(of: ":")
            guard let colon, let field = Field(rawValue: word[..<colon].lowercased()),
                field != .account || scope == .store
            else {
                // A time contains a colon too, so only letters before the colon count as a field.
                if let colon, colon > word.startIndex, word[..<colon].allSatisfy(\.isLetter) {
                    problem = problem ?? .noSuchField(String(word[..<colon]))
                }
                plain.append(word)
                continue
            }
            let value = String(word[word.index(after: colon)...])
            // An empty value is still being typed, so it is ignored.
            if !value.isEmpty { read(field, value, vocabulary) }
        }
        words = WordFilter(plain.joined(separator: " "))
    }

    private mutating func read(_ field: Field, _ value: String, _ vocabulary: LogVocabulary) {
        switch field {
        case .kind: readKind(value, vocabulary)
        case .product:
            let found = vocabulary.products(value)
            if found.isEmpty { problem = problem ?? .noSuchProduct(value) }
            products = found.isEmpty ? [ProductID(value)] : found
        case .account: account = AccountName(value)
        case .since:
            // A day in the local time zone, as the lines show their days.
            since = Timestamp(iso8601: value, zone: .current)
            if since == nil { problem = problem ?? .noDay(value) }
        case .fact:
            if !LogFact.isKnown(value) {
                problem = problem ?? .noSuchFact(value)
            }
            facts.insert(LogFact.fold(value))
        }
    }

    /// Adds the kinds with this name, otherwise those whose names begin with it.
    private mutating func readKind(_ value: String, _ vocabulary: LogVocabulary) {
        let value = SearchIndex.fold(value)
        func find(_ fits: (String) -> Bool) -> Bool {
            let named = vocabulary.kindNames.filter { fits(SearchIndex.fold($0.value)) }.keys
            let raw = EventKind.allCases.filter { fits(SearchIndex.fold($0.rawValue)) }
            kinds.formUnion(named)
            eventKinds.formUnion(raw)
            return !named.isEmpty || !raw.isEmpty
        }
        if !find({ $0 == value }), !find({ $0.hasPrefix(value) }) {
            problem = problem ?? .noSuchKind(value)
        }
    }

    // MARK: - Matching

    private var hasKinds: Bool { !kinds.isEmpty || !eventKinds.isEmpty }

    /// Whether `kind:` names it.
    func names(_ kind: LogKind) -> Bool {
        kinds.contains(kind) || kind.event.map(eventKinds.contains) == true
    }

    /// Those that a line which matches may have.
    var possibleKinds: [LogKind] {
        let ofFacts = facts.compactMap { LogFact.kind(of: $0) }
        return LogKind.allCases.filter { kind in
            (!hasKinds || names(kind)) && ofFacts.allSatisfy { $0 == kind }
        }
    }

    /// Whether its lines tell of the device alone.
    var isOfDeviceAlone: Bool { facts.contains(where: LogFact.isOfDeviceAlone) }

    /// Whether no line can match, because a value is invalid.
    private var isUnreadable: Bool {
        switch problem {
        case .noSuchKind, .noDay: true
        case .noSuchProduct, .noSuchField, .noSuchFact, nil: false
        }
    }

    func mayMatchEvents(in group: LogGroup) -> Bool {
        if isUnreadable { return false }
        guard hasKinds else { return group != .device }
        return !index(in: group).kinds.isEmpty
    }

    func mayMatchEntries(in group: LogGroup) -> Bool {
        // The device's log has no accounts.
        if isUnreadable || account != nil { return false }
        return hasKinds ? kinds.contains(where: \.isOfDevice) : group.hasEntries
    }

    /// Typed kinds replace those of the group. The index looks up at most one product.
    func index(in group: LogGroup) -> HistoryFilter {
        let typed = eventKinds.union(kinds.compactMap(\.event))
        return HistoryFilter(
            kinds: hasKinds ? typed : Set(group.kinds),
            product: products?.count == 1 ? products?.first : nil, account: account, since: since)
    }

    /// - Parameters:
    ///   - logAccount: whose device's log has the line, if a log has it.
    ///   - told: those of the line's facts that count; nil for all.
    func matches(
        _ line: LogLine, _ vocabulary: LogVocabulary, inLogOf logAccount: AccountName? = nil,
        _ told: [String]? = nil
    ) -> Bool {
        if hasKinds {
            let isOfEventKind =
                if case .event(let event) = line { eventKinds.contains(event.kind) } else { false }
            guard isOfEventKind || kinds.contains(line.kind) else { return false }
        }
        if let account, line.owner(inLogOf: logAccount) != account { return false }
        if let products, line.productID.map(products.contains) != true { return false }
        if let since, line.at < since { return false }
        if !facts.isEmpty, !facts.isSubset(of: (told ?? line.facts).map { $0.lowercased() }) {
            return false
        }
        return words.words.isEmpty || words.matches(line.searchTexts(vocabulary))
    }
}
