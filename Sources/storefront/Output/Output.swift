import Basics
import CursesTerminal
import Foundation
import ShopText
import StoreCatalog
import StoreModel
import Synchronization

/// Writes answers to standard output, and remarks to standard error. Callers, or the functions
/// here, remove control characters from foreign texts.
enum Output {
    private static let spoken = Mutex(Strings(locale: "en_US"))
    /// The person's texts, for all output except JSON. English until `speak` is called.
    static var strings: Strings { spoken.withLock { $0 } }

    /// The texts for JSON: English, and with the same account in the commands that they advise.
    static var english: Strings {
        var english = Strings.english
        english.account = strings.account
        return english
    }

    static func speak(_ strings: Strings) { spoken.withLock { $0 = strings } }

    static func line(_ text: PurchaseLineText) { line(strings[text]) }
    static func line(_ text: DownloadLineText) { line(strings[text]) }
    static func line(_ text: SubscriptionLineText) { line(strings[text]) }
    static func line(_ text: StoreLineText) { line(strings[text]) }
    static func line(_ text: DocumentLineText) { line(strings[text]) }

    static func note(_ text: PurchaseLineText) { note(strings[text]) }
    static func note(_ text: DownloadLineText) { note(strings[text]) }
    static func note(_ text: SubscriptionLineText) { note(strings[text]) }
    static func note(_ text: StoreLineText) { note(strings[text]) }
    static func note(_ text: DocumentLineText) { note(strings[text]) }

    static func error(_ text: PurchaseLineText) { error(strings[text]) }
    static func error(_ text: DownloadLineText) { error(strings[text]) }
    static func error(_ text: StoreLineText) { error(strings[text]) }
    static func error(_ text: DocumentLineText) { error(strings[text]) }
    static func error(_ text: ServerText) { error(strings[text]) }

    static let errorIsTerminal = isatty(STDERR_FILENO) == 1
    /// Whether a person reads the answer on a terminal, and no other program.
    static let isTerminal = isatty(STDOUT_FILENO) == 1

    /// The present columns of the terminal on standard error.
    static var errorColumns: Int { columns(of: STDERR_FILENO) }
    /// The present columns of the terminal on standard output; nil if that is no terminal.
    static var columns: Int? { isTerminal ? columns(of: STDOUT_FILENO) : nil }

    /// 80 if the terminal does not report them.
    private static func columns(of descriptor: Int32) -> Int {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return 80
        }
        return Int(size.ws_col)
    }

    /// Written at once, unbuffered, so that the reader of a pipe gets it as it happens.
    static func line(_ text: String) { raw(Data((plain(text) + "\n").utf8)) }

    /// The program's symbols in ASCII where the locale has no others; products keep their names.
    private static func plain(_ text: String) -> String {
        guard ProcessLocale.asksForASCII else { return text }
        return String(text.map { signs[$0] ?? $0 })
    }

    private static let signs: [Character: Character] = [
        "✓": "+", "…": "~", "×": "x", "·": "-", "█": "#", "▏": " ", "▎": " ", "▍": " ", "▌": " ",
        "▋": " ", "▊": " ", "▉": " ",
    ]

    /// Reports the first failure once, on standard error; from then on writes nothing.
    static func raw(_ data: Data) {
        guard !isLost else { return }
        guard let code = data.withUnsafeBytes({ writeAll($0, to: STDOUT_FILENO) }) else { return }
        lost.withLock { $0 = true }
        let reason = systemMessage(code)
        if goesOnWithoutLines.withLock({ $0 }) {
            error(.linesLost(reason: reason))
        } else {
            error(.outputLost(reason: reason))
        }
    }

    private static let goesOnWithoutLines = Mutex(false)

    /// For a command that works for others: where its lines cannot be written any more, it says that
    /// it goes on, and a reader that has closed the pipe does not end it.
    static func goOnWithoutLines() {
        _ = signal(SIGPIPE, SIG_IGN)
        goesOnWithoutLines.withLock { $0 = true }
    }

    /// - Throws: `OutputLost`, so that a command that writes line after line stops.
    static func json(_ value: any Encodable) throws {
        raw(escaped(try encoder().encode(value)) + Data("\n".utf8))
        if isLost { throw OutputLost() }
    }

    /// - Throws: `OutputLost`, as `json` does.
    static func csv(_ fields: [CSV.Field]) throws {
        raw(Data(CSV.line(fields).utf8))
        if isLost { throw OutputLost() }
    }

    /// Writes a file that the person has named.
    ///
    /// - Throws: `fileExists` unless it may be replaced, `fileUnwritable`.
    static func write(_ bytes: Data, to path: String, replaces: Bool) throws(StoreError) {
        do {
            try bytes.write(
                to: URL(filePath: path), options: replaces ? .atomic : .withoutOverwriting)
        } catch let error as CocoaError where error.code == .fileWriteFileExists {
            throw StoreError(.fileExists, subject: path)
        } catch {
            throw StoreError(.fileUnwritable, subject: path, cause: systemMessage(of: error))
        }
    }

    /// Writes hidden characters of JSON (RFC 8259, 7) as escapes: outside ASCII they stand in texts
    /// only. Its readers get the same texts, and a terminal obeys none of them.
    static func escaped(_ json: Data) -> Data {
        guard json.contains(where: { $0 >= 0x7F }) else { return json }
        var escaped = ""
        for scalar in String(decoding: json, as: UTF8.self).unicodeScalars {
            if UntrustedText.isHidden(scalar) {
                for unit in String(scalar).utf16 { escaped += HexText.jsonEscape(of: unit) }
            } else {
                escaped.unicodeScalars.append(scalar)
            }
        }
        return Data(escaped.utf8)
    }

    /// The encoder of all JSON: equal values give equal text.
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
        if name.hasSuffix("UUID") { return name }
        return name.hasSuffix("ID") ? name.dropLast(2) + "Id" : name
    }

    private static let lost = Mutex(false)
    /// Whether a part of the answer could not be written.
    static var isLost: Bool { lost.withLock { $0 } }

    /// Writes a remark, which is not part of the answer, to standard error.
    static func note(_ text: String) { remark(UntrustedText.shown(text) + "\n") }

    static func notes(_ text: String) {
        remark(UntrustedText.shown(text, keepingLines: true) + "\n")
    }

    /// Without cleaning it. A failure to write is ignored: it cannot be reported anywhere.
    static func remark(_ text: String) {
        _ = Array(plain(text).utf8).withUnsafeBytes { writeAll($0, to: STDERR_FILENO) }
    }

    static func error(_ text: String) { note("storefront: " + text) }

    static func report(_ error: StoreError, json: Bool) {
        Self.error(strings.message(for: error).line)
        if json { try? Self.json(fields(of: error)) }
    }

    /// With the same error in StoreKit 1; left out where it has none.
    static func fields(of error: StoreError) -> JSONFields {
        [
            "error": error, "skError": error.code.skError,
            "message": english.message(for: error).line,
        ]
    }

    /// How many problems a command lists that is not about the catalog.
    private static let problemsShown = 5

    /// Reports the problems of a catalog that the store does not adopt; it keeps its last good one.
    static func refused(_ problems: [CatalogProblem], of path: String) {
        error(.catalogNotTaken(path: path))
        list(problems)
    }

    /// Lists the warnings: parts of a sold catalog that the store ignores.
    static func warnings(of reading: CatalogReading) { list(reading.warnings) }

    /// Reports the errors for which a catalog cannot be sold.
    static func report(_ reading: CatalogReading) {
        error(.catalogUnusable(path: reading.path))
        list(reading.errors)
        note(.checkItWith)
    }

    private static func list(_ problems: [CatalogProblem]) {
        for problem in problems.prefix(problemsShown) { note("  " + ProblemText.line(problem)) }
        let rest = problems.count - problemsShown
        if rest > 0 { note("  " + strings[DocumentLineText.andMore(rest)]) }
    }
}

/// Standard output cannot be written any more. `Output` has reported why.
struct OutputLost: Error {}

enum ProblemText {
    /// Where a problem is; for the file as a whole the word "file", unless it is named.
    static func place(of problem: CatalogProblem, in file: String? = nil) -> String {
        let strings = Output.strings
        let parts = [file, problem.path.isEmpty ? nil : problem.path].compactMap(\.self)
        let place =
            parts.isEmpty ? strings[DocumentLineText.inFile] : parts.joined(separator: ": ")
        guard let line = problem.line else { return place }
        return strings[.lineAndColumn(place: place, line: line, column: problem.column)]
    }

    static func line(_ problem: CatalogProblem, in file: String? = nil) -> String {
        let strings = Output.strings
        let severity: DocumentLineText =
            problem.severity == .error ? .severityError : .severityWarning
        let sentence =
            strings[
                DocumentLineText.problem(
                    severity: strings[severity], place: place(of: problem, in: file),
                    found: problem.found,
                    expected: problem.expected)]
        guard let suggestion = problem.suggestion else { return sentence }
        return sentence + strings.language.sentenceGap
            + strings[DocumentLineText.didYouMean(suggestion)]
    }
}
