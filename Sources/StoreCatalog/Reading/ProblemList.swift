/// Collects what is wrong while a document is read. Places are kept as nodes and turned into paths
/// and lines once, at the end.
struct ProblemList {
    private struct Entry {
        var node: Int
        /// Names a key that is missing from the node.
        var missing: String?
        var severity: CatalogProblem.Severity
        var found: String
        var expected: String
        var suggestion: String?
        /// Another node the finding names.
        var firstNode: Int?
    }

    /// What a defect means: an error in our own files, a warning in Xcode's, which are read
    /// leniently.
    let severityOfDefects: CatalogProblem.Severity
    /// Said behind every defect, such as what is left out because of it.
    var consequence = ""
    /// Reading goes on after a defect; this tells whether there was one meanwhile.
    private(set) var defectCount = 0
    private var entries: [Entry] = []

    init(severityOfDefects: CatalogProblem.Severity) {
        self.severityOfDefects = severityOfDefects
    }

    /// Something that keeps a value from being used. `found` is the value in words unless given.
    mutating func defect(
        at value: JSONValue, missing: String? = nil, found: String? = nil, expected: String,
        suggestion: String? = nil, firstNode: Int? = nil
    ) {
        defectCount += 1
        entries.append(
            Entry(
                node: value.index, missing: missing, severity: severityOfDefects,
                found: found ?? (missing == nil ? value.inWords : "nothing"),
                expected: expected + consequence, suggestion: suggestion, firstNode: firstNode))
    }

    /// Something odd that keeps nothing from being used.
    mutating func warn(
        at value: JSONValue, missing: String? = nil, found: String? = nil, expected: String,
        suggestion: String? = nil
    ) {
        entries.append(
            Entry(
                node: value.index, missing: missing, severity: .warning,
                found: found ?? (missing == nil ? value.inWords : "nothing"), expected: expected,
                suggestion: suggestion))
    }

    /// All problems with their places, in the file's order.
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
                severity: entry.severity, path: path, line: places[entry.node]?.line,
                found: entry.found + (first.map { ", which is also at \($0)" } ?? ""),
                expected: entry.expected, suggestion: entry.suggestion)
        }
    }
}
