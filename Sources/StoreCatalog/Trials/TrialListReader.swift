import Basics
package import StoreModel

/// Reads a list of trials, as strictly as a catalog: every defect is an error with its place, and
/// with an error there is no list.
package struct TrialListReader {
    /// The words that a list may use and that only the shop and its languages know.
    package struct Words: Sendable {
        package var languages: [String]
        package var views: [String]
        /// The words of the command that shows a trial by its id.
        package var commands: [String]
        /// Whether a line that the filter matches can have what the link asks for.
        package var links: @Sendable (String, Trial.Link) -> Bool
        /// The mistake in a filter of the history; nil for a good one.
        package var problem: @Sendable (String) -> FilterProblem?

        package init(
            languages: [String], views: [String], commands: [String],
            links: @escaping @Sendable (String, Trial.Link) -> Bool,
            problem: @escaping @Sendable (String) -> FilterProblem?
        ) {
            self.languages = languages
            self.views = views
            self.commands = commands
            self.links = links
            self.problem = problem
        }
    }

    /// A word of a filter that the history does not know.
    package struct FilterProblem: Sendable {
        /// With its kind: "the event nonsense".
        package var found: String
        package var word: String
        /// Those that would do.
        package var known: [String]

        package init(found: String, word: String, known: [String]) {
            self.found = found
            self.word = word
            self.known = known
        }
    }

    private static let wanted = "a list of trials"

    private let words: Words
    private var problems = ProblemList(severityOfDefects: .error)
    private var areaNodes: [String: Int] = [:]
    private var trialNodes: [String: Int] = [:]
    /// Of all trials of the list.
    private var needs: [String: TrialNeed] = [:]

    private enum RootKey: String, MemberKey { case areas, needs, trials }
    private enum AreaKey: String, MemberKey { case id, name }
    private enum TrialKey: String, MemberKey {
        case id, area, title, how, commands, seen, link, opens, needs
    }
    private enum PlaceKey: String, MemberKey { case product, view, palette }

    private init(_ words: Words) { self.words = words }

    /// Never throws: a file that cannot be read, or is not JSON, has one problem.
    package static func read(
        path: String, _ words: Words
    ) -> (list: TrialList?, problems: [CatalogProblem]) {
        switch CatalogFile.open(path, takesFolders: false) {
        case .failure(let unreadable):
            var problem = unreadable.problem
            problem.expected = "a readable file with \(wanted)"
            return (nil, [problem])
        case .success(let file): return read(file.bytes, words)
        }
    }

    package static func read(
        _ bytes: [UInt8], _ words: Words
    ) -> (list: TrialList?, problems: [CatalogProblem]) {
        switch CatalogReader.document(of: bytes, wanted: wanted) {
        case .failure(let unreadable): return (nil, [unreadable.problem])
        case .success(let document):
            var reader = TrialListReader(words)
            let list = reader.readRoot(document.root)
            let isGood = reader.problems.defectCount == 0
            return (isGood ? list : nil, reader.problems.resolved(in: document))
        }
    }

    private mutating func readRoot(_ root: JSONValue) -> TrialList? {
        guard
            let members = problems.members(
                of: root, RootKey.self, required: [.areas, .trials])
        else { return nil }
        var list = TrialList()
        needs = readNeeds(members[.needs])
        for element in problems.elements(members[.areas]) {
            if let area = readArea(element) { list.areas.append(area) }
        }
        for element in problems.elements(members[.trials]) {
            if let trial = readTrial(element) { list.trials.append(trial) }
        }
        return list
    }

    private mutating func readArea(_ value: JSONValue) -> TrialList.Area? {
        guard
            let members = problems.members(
                of: value, AreaKey.self, required: [.id, .name])
        else { return nil }
        let id = readID(members[.id])
        if let id, let node = members[.id] {
            problems.isFirst(id, at: node, in: &areaNodes, expected: "an area of its own")
        }
        let name = readText(members[.name])
        guard let id, let name else { return nil }
        return TrialList.Area(id: id, name: name)
    }

    private mutating func readTrial(_ value: JSONValue) -> Trial? {
        guard
            let members = problems.members(
                of: value, TrialKey.self, required: [.id, .area, .title, .how, .seen])
        else { return nil }
        let id = readID(members[.id], besides: words.commands)
        if let id, let node = members[.id] {
            problems.isFirst(id, at: node, in: &trialNodes, expected: "a trial of its own")
        }
        let area = problems.reference(
            members[.area], to: "area", among: Set(areaNodes.keys),
            expected: "an area of this list")
        let title = readText(members[.title])
        let how = readText(members[.how])
        let commands = problems.elements(members[.commands]).compactMap { readLine($0) }
        let steps = problems.elements(members[.seen])
        let seen = steps.map { readFilter($0) }
        if let node = members[.seen], node.kind == .array, node.elements.isEmpty {
            problems.defect(
                at: node, found: "no filter", expected: "at least one, such as kind:sold")
        }
        let named = problems.word(members[.link], Trial.Link.self)
        let link = named ?? .transaction
        // A link that is misspelt has its own problem.
        for (node, filter) in zip(steps, seen) where named != nil || members[.link] == nil {
            if let filter { checkLink(steps.count > 1 ? link : .nothing, of: filter, at: node) }
        }
        let place = members[.opens].flatMap { readPlace($0) }
        guard let id, let area, let title, let how else { return nil }
        return Trial(
            id: id, area: area, title: title, how: how, commands: commands,
            seen: seen.compactMap(\.self), link: link, place: place,
            needs: readNeeds(members[.needs]).merging(needs) { own, _ in own })
    }

    private mutating func readNeeds(_ value: JSONValue?) -> [String: TrialNeed] {
        guard let value else { return [:] }
        guard value.kind == .object else {
            problems.defect(
                at: value,
                expected: "an object of needs by name, such as {\"coins\": \"consumable\"}")
            return [:]
        }
        var needs: [String: TrialNeed] = [:]
        for (name, need) in value.pairs { needs[name.text] = problems.word(need, TrialNeed.self) }
        return needs
    }

    /// An identifier that a command can be given: not an option, nor one of its own words.
    private mutating func readID(_ value: JSONValue?, besides own: [String] = []) -> String? {
        guard let value, let id = problems.identifier(value) else { return nil }
        if id.hasPrefix("-") {
            problems.defect(at: value, expected: "an id that does not begin with `-`")
        } else if own.contains(id) {
            problems.defect(
                at: value,
                expected: "an id that is no word of `trials` itself: \(own.joined(separator: ", "))"
            )
        }
        return id
    }

    /// A step that has nothing in common with another one would never be seen.
    private mutating func checkLink(_ link: Trial.Link, of filter: String, at node: JSONValue) {
        if !words.links(filter, .nothing) {
            problems.defect(
                at: node, found: "\(UntrustedText.quote(filter)), which no line can be",
                expected: "a filter that a line of the history can match")
        } else if !words.links(filter, link) {
            let others = Trial.Link.allCases.filter { words.links(filter, $0) }
            problems.defect(
                at: node,
                found: "\(UntrustedText.quote(filter)), whose lines have no \(link.rawValue)",
                expected: "as `link`: \(others.map(\.rawValue).joined(separator: " or "))")
        }
    }

    /// A text in at least one language, on one line.
    private mutating func readText(_ value: JSONValue?) -> TrialText? {
        guard let value else { return nil }
        guard value.kind == .object else {
            problems.defect(
                at: value, expected: "an object of texts by language, such as {\"en\": \"...\"}")
            return nil
        }
        let pairs = value.pairs
        var texts: [String: String] = [:]
        for (key, content) in pairs {
            guard words.languages.contains(key.text) else {
                problems.defect(
                    at: key, found: "the language \(UntrustedText.quote(key.text))",
                    expected: "one of \(words.languages.joined(separator: ", "))",
                    suggestion: SpellingSuggestion.nearest(to: key.text, among: words.languages))
                continue
            }
            texts[key.text] = readLine(content)
        }
        if pairs.isEmpty {
            problems.defect(
                at: value, found: "no text", expected: "a text in at least one language")
        }
        return texts.isEmpty ? nil : TrialText(texts)
    }

    /// Without control characters, and not blank.
    private mutating func readLine(_ value: JSONValue) -> String? {
        guard let raw = problems.text(value) else { return nil }
        let text = UntrustedText.clean(raw)
        guard !UntrustedText.isBlank(text) else {
            problems.defect(at: value, found: "an empty text", expected: "a text")
            return nil
        }
        return text
    }

    private mutating func readFilter(_ value: JSONValue) -> String? {
        guard let text = readLine(value) else { return nil }
        guard let problem = words.problem(text) else { return text }
        problems.defect(
            at: value, found: UntrustedText.clean(problem.found),
            expected: (problem.known.count == 1 ? "" : "one of ")
                + problem.known.joined(separator: ", "),
            suggestion: SpellingSuggestion.nearest(to: problem.word, among: problem.known))
        return nil
    }

    private mutating func readPlace(_ value: JSONValue) -> Trial.Place? {
        guard let members = problems.members(of: value, PlaceKey.self) else { return nil }
        let views = Dictionary(words.views.map { ($0, $0) }, uniquingKeysWith: { one, _ in one })
        let place = Trial.Place(
            product: problems.identifier(members[.product]).map { ProductID($0) },
            view: problems.word(members[.view], views),
            palette: members[.palette].flatMap { readLine($0) })
        if place.product != nil, let view = members[.view] {
            problems.defect(at: view, found: "a view besides the product", expected: "one of them")
        }
        return place
    }
}

extension JSONValue {
    /// The members of an object whose keys only the file knows.
    fileprivate var pairs: [(key: JSONValue, value: JSONValue)] {
        var pairs: [(key: JSONValue, value: JSONValue)] = []
        forEachMember { pairs.append(($0, $1)) }
        return pairs
    }
}
