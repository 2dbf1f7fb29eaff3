import Basics
import CursesTerminal
import Foundation
import ShopText
import StoreCatalog
import StoreModel
import Synchronization

/// Lines on standard output, remarks on standard error. Foreign texts are cleaned before they get
/// here or on the way.
enum Output {
    private static let spoken = Mutex(Strings(locale: "en_US"))
    /// The person's language, for all that is printed but JSON. English until `speak` was called.
    static var strings: Strings { spoken.withLock { $0 } }

    /// The words of JSON: English, with the same account in its advice.
    static var english: Strings {
        var english = Strings.english
        english.account = strings.account
        return english
    }

    /// From now on everything is printed in this language.
    static func speak(_ strings: Strings) { spoken.withLock { $0 = strings } }

    static func line(_ text: CommandText) { line(strings[text]) }

    static func note(_ text: CommandText) { note(strings[text]) }

    static func error(_ text: CommandText) { error(strings[text]) }

    static let errorIsTerminal = isatty(STDERR_FILENO) == 1

    /// Columns of the terminal that remarks go to, as it is now; 80 where it does not tell.
    static var errorColumns: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return 80
        }
        return Int(size.ws_col)
    }

    /// One line of what was asked for. Written at once, so that a reader at the other end of a pipe
    /// sees it when it happens.
    static func line(_ text: String) { raw(Data((plain(text) + "\n").utf8)) }

    /// Our own signs in ASCII where the locale has no others; a product's name stays as it is.
    private static func plain(_ text: String) -> String {
        guard ProcessLocale.asksForASCII else { return text }
        return String(text.map { signs[$0] ?? $0 })
    }

    private static let signs: [Character: Character] = [
        "✓": "+", "…": "~", "×": "x", "·": "-", "█": "#", "▏": " ", "▎": " ", "▍": " ", "▌": " ",
        "▋": " ", "▊": " ", "▉": " ",
    ]

    /// Writes bytes to standard output. The first failure is reported once, on standard error; from
    /// then on nothing is written.
    static func raw(_ data: Data) {
        guard !isLost else { return }
        guard let code = data.withUnsafeBytes({ writeAll($0, to: STDOUT_FILENO) }) else { return }
        lost.withLock { $0 = true }
        error(.outputLost(reason: systemMessage(code)))
    }

    /// - Throws: `OutputLost`, so that a command that writes line after line stops.
    static func json(_ value: some Encodable) throws {
        raw(try encoder().encode(value) + Data("\n".utf8))
        if isLost { throw OutputLost() }
    }

    /// How values are written in JSON: the same value is the same text.
    static func encoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // One spelling everywhere, that of Apple's payloads: `productId`, never `productID`.
        encoder.keyEncodingStrategy = .custom { path in
            JSONKey(path.last.map { applesSpelling($0.stringValue) } ?? "")
        }
        return encoder
    }

    private static func applesSpelling(_ name: String) -> String {
        if name.hasSuffix("IDs") { return name.dropLast(3) + "Ids" }
        return name.hasSuffix("ID") ? name.dropLast(2) + "Id" : name
    }

    private struct JSONKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }

    private static let lost = Mutex(false)
    /// Part of the answer could not be written.
    static var isLost: Bool { lost.withLock { $0 } }

    /// A remark that is not part of the answer.
    static func note(_ text: String) { remark(UntrustedText.clean(text) + "\n") }

    /// The same in several lines.
    static func notes(_ text: String) {
        remark(UntrustedText.clean(text, keepingLines: true) + "\n")
    }

    /// Text of our own as it stands; there is nobody to tell where it cannot be written.
    static func remark(_ text: String) {
        _ = Array(plain(text).utf8).withUnsafeBytes { writeAll($0, to: STDERR_FILENO) }
    }

    /// A list with nothing in it says so to a person; a script reads no line at all.
    static func note(_ text: ScreenText, ifEmpty list: some Collection, json: Bool) {
        if list.isEmpty && !json { note(strings[text]) }
    }

    static func note(_ text: CommandText, ifEmpty list: some Collection, json: Bool) {
        if list.isEmpty && !json { note(text) }
    }

    static func error(_ text: String) { note("storefront: " + text) }

    static func report(_ error: StoreError, json: Bool) {
        Self.error(strings.message(for: error).line)
        if json { try? Self.json(ErrorLine(error: error)) }
    }

    /// The most problems that a command lists which is not about the catalog.
    private static let problemsShown = 5

    /// The problems for which a store goes on with its last good catalog.
    static func refused(_ problems: [CatalogProblem], of path: String) {
        error(.catalogNotTaken(path: path))
        list(problems)
    }

    /// The parts of a catalog that is sold which are not honoured.
    static func warnings(of reading: CatalogReading) { list(reading.warnings) }

    /// The problems that keep a catalog from being sold.
    static func report(_ reading: CatalogReading) {
        error(.catalogUnusable(path: reading.path))
        list(reading.errors)
        note(.checkItWith)
    }

    private static func list(_ problems: [CatalogProblem]) {
        for problem in problems.prefix(problemsShown) { note("  " + ProblemText.line(problem)) }
        let rest = problems.count - problemsShown
        if rest > 0 { note("  " + strings[CommandText.andMore(rest)]) }
    }
}

/// Standard output takes no more; `Output` has said why.
struct OutputLost: Error {}

/// How an error looks in JSON.
struct ErrorLine: Encodable {
    var error: StoreError
    /// The same error in StoreKit 1; left out where it has none.
    var skError: SKErrorShape?
    var message: String

    init(error: StoreError) {
        self.error = error
        skError = SKErrorShape(error)
        message = Output.english.message(for: error).line
    }
}

/// An error of StoreKit 1 in JSON.
struct SKErrorShape: Encodable {
    /// The number in `SKErrorDomain`.
    var code: Int
    /// The name in `SKError.Code`.
    var name: String

    init?(_ error: StoreError) {
        guard let known = error.code.skError else { return nil }
        code = known.number
        name = known.name
    }
}

enum ProblemText {
    static func line(_ problem: CatalogProblem) -> String {
        let strings = Output.strings
        var place = problem.path.isEmpty ? strings[CommandText.inFile] : problem.path
        if let line = problem.line {
            place =
                strings[
                    CommandText.lineAndColumn(place: place, line: line, column: problem.column)]
        }
        let severity: CommandText =
            problem.severity == .error ? .severityError : .severityWarning
        let sentence =
            strings[
                CommandText.problem(
                    severity: strings[severity], place: place, found: problem.found,
                    expected: problem.expected)]
        guard let suggestion = problem.suggestion else { return sentence }
        return sentence + strings.language.sentenceGap
            + strings[CommandText.didYouMean(suggestion)]
    }
}
