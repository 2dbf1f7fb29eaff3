import ArgumentParser
import CDemoContent
import Foundation
import Shop
import ShopText
import StoreCatalog
import StoreEngine
import StoreHost
import StoreModel

/// The list of trials in force: the file that is named, else `$STOREFRONT_TRIALS`, else the list in
/// the program; with advice that holds for the store that is open.
enum TrialListFile {
    /// For a command: prints the problems of a file that is no list.
    ///
    /// - Throws: `Exit.badCatalog` for such a file.
    static func read(_ option: String?, for store: OpenStore) async throws -> TrialList {
        let path = option ?? asked
        let reading = path.map { TrialListReader.read(path: $0, words) } ?? embedded
        for problem in reading.problems { Output.note(ProblemText.line(problem, in: path)) }
        if let list = reading.list { return try await fitted(list, to: store) }
        let errors = reading.problems.count { $0.severity == .error }
        Output.error(
            Output.strings[.trialsInvalid(path: path ?? "trials.json", errors: errors)])
        throw Exit.badCatalog
    }

    /// For the shop, which shows the first problem of a file that is no list.
    static func forShop(_ store: OpenStore) async throws(StoreError) -> TrialList {
        let path = asked
        let reading = path.map { TrialListReader.read(path: $0, words) } ?? embedded
        if let list = reading.list { return try await fitted(list, to: store) }
        let problem = reading.problems.first { $0.severity == .error }
        throw StoreError(
            .listInvalid, subject: problem.map { ProblemText.place(of: $0, in: path) },
            found: problem?.found, expected: problem?.expected)
    }

    private static func fitted(
        _ list: TrialList, to store: OpenStore
    ) async throws(StoreError) -> TrialList {
        let settings = try await store.engine.storeOperator.settings(of: store.account)
        guard let storefront = Storefront.find(settings.territory) else { return list }
        let environment = store.engine.identity.environment
        return try await store.engine.catalogIndex().fitted(
            list, in: storefront,
            for: CatalogIndex.Visit(now: store.now, environment: environment))
    }

    private static var asked: String? {
        StoragePaths.current.environment["STOREFRONT_TRIALS"].flatMap { $0.isEmpty ? nil : $0 }
    }

    private static var embedded: (list: TrialList?, problems: [CatalogProblem]) {
        let file = cdc_trials()
        return TrialListReader.read(
            Array(UnsafeBufferPointer(start: file.bytes, count: file.length)), words)
    }

    private static var words: TrialListReader.Words {
        TrialListReader.Words(
            languages: Languages.all.map { $0.code }, views: ShopView.allCases.map(\.name),
            commands: Trials.configuration.subcommands.compactMap { $0.configuration.commandName },
            links: { TrialTicks.canLink($0, by: $1) },
            problem: { filter in
                if let field = LogFilter.emptyField(in: filter) {
                    return TrialListReader.FilterProblem(
                        found: "nothing after \(field.typed)", word: "", known: field.known)
                }
                return TrialTicks.problem(ofFilter: filter).map {
                    TrialListReader.FilterProblem($0)
                }
            })
    }
}

extension TrialListReader.FilterProblem {
    private init(_ noun: String, _ word: String, _ known: [String]) {
        self.init(found: "the \(noun) \"\(word)\"", word: word, known: known)
    }

    fileprivate init(_ problem: LogFilter.Problem) {
        switch problem {
        case .noSuchKind(let word): self.init("event", word, LogFilter.Field.kind.known)
        case .noSuchFact(let word): self.init("fact", word, LogFilter.Field.fact.known)
        case .noSuchField(let word):
            self.init("field", word + ":", LogFilter.fields(in: .store).map(\.typed))
        case .noDay(let word): self.init("day", word, LogFilter.Field.since.known)
        case .noSuchProduct(let word): self.init("product", word, LogFilter.Field.product.known)
        }
    }
}

extension LogFilter.Field {
    /// The values that a file may give it, or what they are.
    fileprivate var known: [String] {
        switch self {
        case .kind: LogKind.allCases.map(\.name).sorted()
        case .fact: LogFact.all
        case .since: ["a day such as 2027-01-31"]
        case .product: ["a product's id"]
        case .account: ["an account's name"]
        }
    }
}
