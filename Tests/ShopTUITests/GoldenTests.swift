import Foundation
import ShopCore
import ShopTestSupport
import ShopTUI
import StoreModel
import Terminal
import Testing

/// Compares frames with the reviewed ones in `Goldens`.
///
/// After an intended change, write the files again and review the difference:
/// `STOREFRONT_GOLDENS=write swift test --filter GoldenTests`. Writing makes the tests fail.
@Suite struct GoldenTests {
    struct Case: Sendable, CustomStringConvertible {
        var screen: SampleScreen
        var size: Size
        var locale: String

        var description: String { "\(screen)-\(size.columns)x\(size.rows)-\(locale)" }
    }

    private static let sizes = [Screens.smallest, Screens.usual, Screens.large]
    private static let locales = ["en_US", "ja_JP", "de_DE", "ar_SA"]

    /// The list in every size and language; the other screens in every size in English and in the
    /// usual size in Japanese; the payment sheet also in the smallest size in Arabic.
    static let cases: [Case] = SampleScreen.allCases.flatMap { screen in
        locales.flatMap { locale in
            sizes.compactMap { size in
                let isNeeded =
                    screen == .list || locale == "en_US"
                    || (locale == "ja_JP" && size == Screens.usual)
                    || (locale == "ar_SA" && size == Screens.smallest && screen == .payment)
                return isNeeded ? Case(screen: screen, size: size, locale: locale) : nil
            }
        }
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Goldens")

    @Test("each frame equals its golden file", arguments: cases)
    func eachFrameEqualsItsGolden(_ golden: Case) throws {
        let lines = Self.lines(golden)
        let file = Self.folder.appending(path: "\(golden).txt")
        if ProcessInfo.processInfo.environment["STOREFRONT_GOLDENS"] == "write" {
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
            Issue.record("\(golden).txt was written, not compared")
            return
        }
        let text = try String(contentsOf: file, encoding: .utf8)
        let known = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let differences = Self.differences(lines, Array(known.dropLast()))
        if !differences.isEmpty {
            Issue.record("\(golden).txt\n\(differences.joined(separator: "\n"))")
        }
    }

    /// No file is left over from a removed case.
    @Test("every golden file is compared with a frame")
    func everyGoldenIsCompared() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(Set(files) == Set(Self.cases.map { "\($0).txt" }))
    }

    private static func lines(_ golden: Case) -> [String] {
        let state = golden.screen.state(locale: golden.locale, size: golden.size)
        var lines: [String] = ["\(golden)", GoldenText.legend]
        for isASCII in [false, true] {
            let frame = Screens.draw(state, golden.size, isASCII: isASCII)
            let mono = Screens.draw(state, golden.size, isASCII: isASCII, colors: .mono)
            lines += ["", isASCII ? "ASCII" : "UTF-8"] + GoldenText.lines(frame)
            lines += [GoldenText.cursor(frame), "", "looks in 256 colours"]
            lines += GoldenText.styles(frame)
            lines += ["", "looks without colour"] + GoldenText.styles(mono)
            // The text is written once, because it should not depend on colours.
            if mono.lines != frame.lines { lines += ["other text!"] + GoldenText.lines(mono) }
        }
        return lines
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
