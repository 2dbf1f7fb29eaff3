import Foundation
@testable import Shop
import StoreModel
import Terminal
import Testing

/// Compares frames with the reviewed ones in `Goldens`.
///
/// After an intended change, write the files again and review the difference:
/// `STOREFRONT_GOLDENS=write swift test --filter GoldenTests`. Writing makes the tests fail.
///
/// Every combination of view, size, language, characters, colours and theme would be tens of
/// thousands of frames, too many to review. Each part of a frame depends on one of these alone, so
/// the following are enough:
///
/// - The layout depends on the size: every view in English in five sizes, at which panes appear and
///   disappear.
/// - The texts depend on the language: every view in four locales in the usual and the smallest
///   size. Japanese has wide characters, Arabic has none that ncurses reorders, and German has the
///   longest names and another format of amounts.
/// - The shop in lines is read from the same drawing: every view in English.
/// - The characters depend on the terminal: every view in ASCII in those two sizes.
/// - The colours depend on the theme: a map of styles in 256 colours for every view, the table of
///   all themes (`themes.txt`), and `ThemedFrameTests`, which shows that other themes and numbers
///   of colours change only styles.
@Suite struct GoldenTests {
    /// A sample screen, the tour's strip below the list, or terminals too small for the shop.
    enum View: Hashable, Sendable {
        case screen(SampleScreen)
        case tour, tooSmall

        static let all = SampleScreen.allCases.map(View.screen) + [.tour, .tooSmall]

        var name: String {
            switch self {
            case .screen(let screen): screen.rawValue
            case .tour: "tour"
            case .tooSmall: "tooSmall"
            }
        }
    }

    struct Case: Sendable, CustomStringConvertible {
        var view: View
        var locale: String

        var description: String { "\(view.name)-\(locale)" }
    }

    private static let locales = ["en_US", "ja_JP", "de_DE", "ar_SA"]
    static let cases = View.all.flatMap { view in
        locales.map { Case(view: view, locale: $0) }
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Goldens")

    @Test("each frame equals the one in its golden file [B3, B4, B5, D6]", arguments: cases)
    func eachFrameEqualsItsGolden(_ golden: Case) throws {
        try Self.compare(Self.lines(golden), "\(golden).txt")
    }

    @Test("the styles of each theme equal those in the golden file")
    func themesEqualTheirGolden() throws {
        try Self.compare(GoldenText.themes, Self.themesFile)
    }

    /// A file of a removed case would be compared with no frame.
    @Test("every golden file is compared with a frame")
    func everyGoldenIsCompared() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(Set(files) == Set(Self.cases.map { "\($0).txt" } + [Self.themesFile]))
    }

    private static let themesFile = "themes.txt"

    // MARK: - Drawing

    private static func lines(_ golden: Case) -> [String] {
        var lines = ["\(golden)", GoldenText.legend]
        for size in sizes(golden) {
            // An ASCII terminal is tested in English only, because the other languages need more
            // characters.
            let isBoth = golden.locale == "en_US" && size.columns <= Screens.usual.columns
            for isASCII in isBoth ? [false, true] : [false] {
                let frame = frame(golden, size, isASCII: isASCII)
                lines += ["", "\(size.columns)x\(size.rows), \(isASCII ? "ASCII" : "UTF-8")"]
                lines += GoldenText.lines(frame) + [GoldenText.cursor(frame)]
                if size == Screens.usual, !isASCII {
                    lines += ["", "its looks in 256 colours"] + GoldenText.styles(frame)
                }
            }
        }
        if golden.locale == "en_US", case .screen(let screen) = golden.view {
            let presenter = LinearPresenter(
                capabilities: Screens.capabilities(colors: .mono), formatters: Screens.formatters)
            let page = presenter.page(screen.state(locale: golden.locale, size: Screens.usual))
            lines += ["", "in lines", page.heading] + page.lines
        }
        return lines
    }

    private static func sizes(_ golden: Case) -> [Size] {
        if golden.view == .tooSmall {
            return [
                Size(columns: 79, rows: 11), Size(columns: 39, rows: 12),
                Size(columns: 20, rows: 3), Size(columns: 6, rows: 1),
            ]
        }
        return golden.locale == "en_US" ? Screens.all : [Screens.smallest, Screens.usual]
    }

    private static func frame(_ golden: Case, _ size: Size, isASCII: Bool) -> Frame {
        let screen: SampleScreen
        var tour: Tour?
        switch golden.view {
        case .screen(let shown): screen = shown
        case .tooSmall: screen = .list
        case .tour:
            screen = .list
            tour = Tour()
        }
        let shopSize = ShopDrawing.shopSize(on: size, besideTour: tour != nil)
        return Screens.draw(
            screen.state(locale: golden.locale, size: shopSize), size, isASCII: isASCII, tour: tour)
    }

    // MARK: - Comparing

    private static func compare(_ lines: [String], _ name: String) throws {
        let file = folder.appending(path: name)
        if ProcessInfo.processInfo.environment["STOREFRONT_GOLDENS"] == "write" {
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
            Issue.record("\(name) was written, not compared")
            return
        }
        let text = try String(contentsOf: file, encoding: .utf8)
        let known = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let differences = differences(lines, Array(known.dropLast()))
        if !differences.isEmpty {
            Issue.record("\(name)\n\(differences.joined(separator: "\n"))")
        }
    }

    private static func differences(_ lines: [String], _ known: [String]) -> [String] {
        (0..<max(lines.count, known.count)).flatMap { number -> [String] in
            let line = number < lines.count ? lines[number] : nil
            let before = number < known.count ? known[number] : nil
            guard line != before else { return [] }
            return ["line \(number + 1)", "- \(before ?? "(none)")", "+ \(line ?? "(none)")"]
        }
    }
}
