import StoreCatalog
import StoreModel
import Testing

/// A team's own list of trials: what is read of it, and the places of its mistakes.
@Suite struct TrialListTests {
    private static let good = """
        {
          "areas": [{"id": "buying", "name": {"en": "Buying", "ja": "購入"}}],
          "trials": [
            {
              "id": "coins",
              "area": "buying",
              "title": {"en": "Coins are bought"},
              "how": {"en": "Press b.", "ja": "b を押します。"},
              "commands": ["buy coins"],
              "seen": ["kind:sold", "kind:finished"],
              "link": "product",
              "opens": {"product": "coins", "palette": "buy"}
            }
          ]
        }
        """

    private static let words = TrialListReader.Words(
        languages: ["en", "ja"], views: ["shop", "console"], commands: ["list", "reset"],
        links: { filter, link in
            filter != "is:downloaded is:restored"
                && (filter != "is:downloaded" || link != .transaction)
        }
    ) { filter in
        guard filter.hasPrefix("kind:"), !["kind:sold", "kind:finished"].contains(filter) else {
            return nil
        }
        let word = String(filter.dropFirst(5))
        return TrialListReader.FilterProblem(
            found: "the event \"\(word)\"", word: word, known: ["finished", "sold"])
    }

    private static func read(_ text: String) -> (list: TrialList?, problems: [CatalogProblem]) {
        TrialListReader.read(Array(text.utf8), words)
    }

    @Test("a list is read with all that it says [I1]")
    func whole() throws {
        let reading = Self.read(Self.good)
        #expect(reading.problems.isEmpty)
        let list = try #require(reading.list)
        #expect(list.areaName("buying", in: "ja") == "購入")
        let trial = try #require(list.trials.first)
        #expect(
            trial
                == Trial(
                    id: "coins", area: "buying", title: TrialText(["en": "Coins are bought"]),
                    how: TrialText(["en": "Press b.", "ja": "b を押します。"]),
                    commands: ["buy coins"], seen: ["kind:sold", "kind:finished"], link: .product,
                    place: Trial.Place(product: "coins", palette: "buy")))
        #expect(trial.title.text(in: "ja") == "Coins are bought")
    }

    private static let needWords: String = {
        "one of " + TrialNeed.allCases.map(\.rawValue).sorted().joined(separator: ", ")
    }()

    /// A text of the list and what replaces it, and the problem that this makes.
    struct Mistake: Sendable {
        var old: String
        var new: String
        var path: String
        var line: Int
        var found: String
        var expected: String
        var suggestion: String?
    }

    static let mistakes = [
        Mistake(
            old: #""kind:sold""#, new: #""kind:sould""#, path: "trials[0].seen[0]", line: 10,
            found: #"the event "sould""#, expected: "one of finished, sold", suggestion: "sold"),
        Mistake(
            old: #""area": "buying""#, new: #""area": "bying""#, path: "trials[0].area", line: 6,
            found: #"the area "bying""#, expected: "an area of this list", suggestion: "buying"),
        Mistake(
            old: #""link": "product""#, new: #""link": "produkt""#, path: "trials[0].link",
            line: 11, found: #""produkt""#, expected: "one of nothing, product, transaction",
            suggestion: "product"),
        Mistake(
            old: #"["kind:sold", "kind:finished"]"#, new: "[]", path: "trials[0].seen", line: 10,
            found: "no filter", expected: "at least one, such as kind:sold"),
        Mistake(
            old: #""title": {"en""#, new: #""title": {"eng""#, path: "trials[0].title.eng",
            line: 7, found: #"the language "eng""#, expected: "one of en, ja", suggestion: "en"),
        Mistake(
            old: #""palette": "buy""#, new: #""view": "consol""#, path: "trials[0].opens.view",
            line: 12, found: #""consol""#, expected: "one of console, shop",
            suggestion: "console"),
        Mistake(
            old: #""palette": "buy""#, new: #""view": "console""#, path: "trials[0].opens.view",
            line: 12, found: "a view besides the product", expected: "one of them"),
        Mistake(
            old: #""link": "product","#,
            new: #""link": "product", "needs": {"coins": "consumible"},"#,
            path: "trials[0].needs.coins", line: 11, found: #""consumible""#,
            expected: needWords,
            suggestion: "consumable"),
        Mistake(
            old: #""link": "product","#, new: #""link": "product", "needs": ["consumable"],"#,
            path: "trials[0].needs", line: 11, found: "a list",
            expected: #"an object of needs by name, such as {"coins": "consumable"}"#),
        Mistake(
            old: #""id": "coins""#, new: #""id": "two words""#, path: "trials[0].id", line: 5,
            found: #""two words""#,
            expected: "1 to 200 letters (A-Z, a-z), digits, `.`, `_` or `-`"),
        Mistake(
            old: #""id": "coins""#, new: #""id": "reset""#, path: "trials[0].id", line: 5,
            found: #""reset""#, expected: "an id that is no word of `trials` itself: list, reset"),
        Mistake(
            old: #""id": "coins""#, new: #""id": "-coins""#, path: "trials[0].id", line: 5,
            found: #""-coins""#, expected: "an id that does not begin with `-`"),
        Mistake(
            old: #"{"id": "buying""#, new: #"{"id": "-buying""#, path: "areas[0].id", line: 2,
            found: #""-buying""#, expected: "an id that does not begin with `-`"),
        Mistake(
            old: "\"kind:finished\"],\n      \"link\": \"product\",",
            new: #""is:downloaded"],"#, path: "trials[0].seen[1]", line: 10,
            found: #""is:downloaded", whose lines have no transaction"#,
            expected: "as `link`: product or nothing"),
        Mistake(
            old: #""kind:finished""#, new: #""is:downloaded is:restored""#,
            path: "trials[0].seen[1]", line: 10,
            found: #""is:downloaded is:restored", which no line can be"#,
            expected: "a filter that a line of the history can match"),
        Mistake(
            old: #""Press b.""#, new: #""""#, path: "trials[0].how.en", line: 8,
            found: "an empty text", expected: "a text"),
        Mistake(
            old: #""how""#, new: #""hau""#, path: "trials[0].how", line: 4, found: "nothing",
            expected: "`how`"),
    ]

    @Test("a mistake is told with its place, and there is no list", arguments: mistakes)
    func mistake(_ mistake: Mistake) throws {
        let reading = Self.read(Self.good.replacing(mistake.old, with: mistake.new))
        #expect(reading.list == nil)
        let problem = try #require(
            reading.problems.first { $0.severity == .error && $0.path == mistake.path },
            "\(reading.problems)")
        #expect(problem.line == mistake.line)
        #expect(problem.found == mistake.found)
        #expect(problem.expected == mistake.expected)
        if let suggestion = mistake.suggestion { #expect(problem.suggestion == suggestion) }
    }

    @Test("what is no JSON, and a file that is not there, have one problem each")
    func unreadable() {
        #expect(Self.read("{").problems.count == 1)
        #expect(Self.read("").problems.map(\.expected) == ["JSON in UTF-8: a list of trials"])
        let folder = TrialListReader.read(path: "/", Self.words)
        #expect(folder.problems.map(\.found) == ["something that is not a file"])
        let missing = TrialListReader.read(path: "/nowhere/trials.json", Self.words)
        #expect(missing.list == nil)
        #expect(missing.problems.map(\.found) == ["no such file"])
        #expect(missing.problems.map(\.expected) == ["a readable file with a list of trials"])
    }

    @Test("of a misspelt link no step is said to lack it")
    func misspeltLink() {
        let reading = Self.read(
            Self.good.replacing(#""product","#, with: #""produkt","#)
                .replacing("kind:finished", with: "is:downloaded"))
        #expect(reading.problems.map(\.path) == ["trials[0].link"])
    }

    @Test("the needs of the list are those of each trial that has none of its own [I1]")
    func needs() throws {
        let text = Self.good.replacing(
            #""trials": ["#,
            with: #""needs": {"coins": "consumable", "plan": "hosted"}, "trials": ["#
        ).replacing(
            #""link": "product","#, with: #""link": "product", "needs": {"plan": "freeTrial"},"#)
        let trial = try #require(Self.read(text).list?.trials.first)
        #expect(trial.needs == ["coins": .consumable, "plan": .freeTrial])
    }

    @Test("an identifier is used once")
    func twice() {
        let reading = Self.read(
            Self.good.replacing(
                #"[{"id": "buying", "name": {"en": "Buying", "ja": "購入"}}]"#,
                with:
                    #"[{"id": "buying", "name": {"en": "A"}}, {"id": "buying", "name": {"en": "B"}}]"#
            ))
        #expect(reading.problems.map(\.expected) == ["an area of its own"])
    }
}
