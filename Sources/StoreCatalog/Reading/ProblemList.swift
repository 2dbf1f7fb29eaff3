/// Collects problems while a document is read. Problems refer to nodes; `resolved` turns the nodes
/// into paths and lines at the end.
struct ProblemList {
    private struct Entry {
        var node: Int
        /// A key that the node lacks.
        var missing: String?
        var severity: CatalogProblem.Severity
        var code: CatalogProblem.Code
        var found: String
        var expected: String
        var suggestion: String?
        /// Has the first use of a repeated key or identifier.
        var firstNode: Int?
        /// How many problems of this kind there are; more than 1 only for `warnOnce`.
        var count = 1
        var places = 1
        /// The noun for the occurrences that `warnOnce` counts.
        var noun: (one: String, many: String)?

        /// With the count of its kind.
        var foundInWords: String {
            if let noun {
                let words = count == 1 ? "1 \(noun.one)" : "\(count) \(noun.many)"
                return places == 1 ? words : words + " at \(places) places, here first"
            }
            return count == 1 ? found : found + ", \(count) times, here first"
        }
    }

    /// Whether defects are errors, as in this program's own files, or warnings, as in Xcode's
    /// files, which are read leniently.
    let severityOfDefects: CatalogProblem.Severity
    /// Text added to the expectation of every defect, such as "; the product is left out".
    var consequence = ""
    /// The number of defects so far. Reading continues after a defect; comparing two counts shows
    /// whether there was a defect in between.
    private(set) var defectCount = 0
    private var entries: [Entry] = []
    private var onceByKind: [String: Int] = [:]

    init(severityOfDefects: CatalogProblem.Severity) {
        self.severityOfDefects = severityOfDefects
    }

    /// For what keeps the reader from using a value. Without `found` the problem describes the
    /// value itself. Without a code it is one of a missing, a repeated or a wrong value.
    mutating func defect(
        at value: JSONValue, code: CatalogProblem.Code? = nil, missing: String? = nil,
        found: String? = nil, expected: String, suggestion: String? = nil, firstNode: Int? = nil
    ) {
        defectCount += 1
        let usual: CatalogProblem.Code = firstNode == nil ? .wrongValue : .repeated
        entries.append(
            Entry(
                node: value.index, missing: missing, severity: severityOfDefects,
                code: code ?? (missing == nil ? usual : .missing),
                found: found ?? (missing == nil ? value.inWords : "nothing"),
                expected: expected + consequence, suggestion: suggestion, firstNode: firstNode))
    }

    /// The reader uses the value all the same.
    mutating func warn(
        at value: JSONValue, code: CatalogProblem.Code? = nil, missing: String? = nil,
        found: String? = nil, expected: String, suggestion: String? = nil
    ) {
        entries.append(
            Entry(
                node: value.index, missing: missing, severity: .warning,
                code: code ?? (missing == nil ? .wrongValue : .missing),
                found: found ?? (missing == nil ? value.inWords : "nothing"), expected: expected,
                suggestion: suggestion))
    }

    /// A kind of problem that is reported once for the whole file, at its first place, with a
    /// count. `noun` names the occurrences that `count` counts; nil counts the problems, after
    /// `found`.
    mutating func warnOnce(
        _ kind: String, at value: JSONValue, code: CatalogProblem.Code, count: Int = 1,
        noun: (one: String, many: String)? = nil, found: String = "", expected: String,
        suggestion: String? = nil
    ) {
        if let known = onceByKind[kind] {
            entries[known].count += count
            entries[known].places += 1
            return
        }
        onceByKind[kind] = entries.count
        entries.append(
            Entry(
                node: value.index, severity: .warning, code: code, found: found,
                expected: expected, suggestion: suggestion, count: count, noun: noun))
    }

    /// With paths and lines, in the file's order.
    func resolved(in document: JSONDocument) -> [CatalogProblem] {
        let nodes = entries.map(\.node) + entries.compactMap(\.firstNode)
        let places = JSONSourceMap.find(nodes, in: document)
        let inOrder = entries.enumerated().sorted {
            ($0.element.node, $0.offset) < ($1.element.node, $1.offset)
        }
        return inOrder.map { _, entry in
            var path = places[entry.node]?.path ?? ""
            if let key = entry.missing { path += JSONSourceMap.step(key, isFirst: path.isEmpty) }
            let first = entry.firstNode.flatMap { places[$0]?.path }
            return CatalogProblem(
                severity: entry.severity, code: entry.code, path: path,
                line: places[entry.node]?.line,
                found: entry.foundInWords + (first.map { ", which is also at \($0)" } ?? ""),
                expected: entry.expected, suggestion: entry.suggestion)
        }
    }
}
