import Terminal
import TerminalTestSupport
import TestBasics
import Testing

/// Compares a terminal emulator's screen with the frame that was to be shown.
@Suite struct ScreenTests {
    private static let sizes = [
        Size(columns: 80, rows: 24), Size(columns: 33, rows: 9), Size(columns: 200, rows: 60),
        Size(columns: 2, rows: 2), Size(columns: 1, rows: 1),
    ]

    @Test("after each update, the screen shows the frame", arguments: sizes, [1, 2, 3] as [UInt64])
    func theScreenIsTheFrameAfterEachDifference(_ size: Size, _ seed: UInt64) async throws {
        let terminal = try TerminalUnderTest(["\(seed)"], size: size)
        let frames = SampleFrames(seed: seed, measure: terminalMeasure)
        for number in 0..<40 {
            #expect(try await terminal.message() == "frame \(number) \(size.columns) \(size.rows)")
            let wrong = terminal.differences(from: frames.frame(number, size: size))
            try #require(wrong == [], "seed \(seed), frame \(number)")
            terminal.type("\r")
        }
    }

    /// About 1.5 MB in large and small updates, so that every buffer is refilled many times.
    @Test("after 200 large updates, the screen shows the frame")
    func theScreenIsTheFrameAfterThousandsOfUpdates() async throws {
        let size = Size(columns: 300, rows: 80)
        let terminal = try TerminalUnderTest(["4"], size: size)
        let frames = SampleFrames(seed: 4, measure: terminalMeasure)
        for number in 0..<200 {
            #expect(try await terminal.message() == "frame \(number) 300 80")
            terminal.type("\r")
        }
        #expect(try await terminal.message() == "frame 200 300 80")
        #expect(terminal.differences(from: frames.frame(200, size: size)) == [])
    }

    @Test("after each resize, the screen shows the frame")
    func theScreenIsTheFrameAfterEachResize() async throws {
        var size = Size(columns: 80, rows: 24)
        let terminal = try TerminalUnderTest(["5"], size: size)
        let frames = SampleFrames(seed: 5, measure: terminalMeasure)
        var chances = SplitMix64(seed: 5)
        for number in 0..<60 {
            #expect(try await terminal.message() == "frame \(number) \(size.columns) \(size.rows)")
            try #require(
                terminal.differences(from: frames.frame(number, size: size)) == [], "\(size)")
            if chances.below(3) == 0 {
                terminal.type("\r")
                continue
            }
            let before = size
            while size == before {
                size = Size(
                    columns: chances.below(4) == 0 ? 1 : chances.below(120) + 1,
                    rows: chances.below(4) == 0 ? 1 : chances.below(50) + 1)
            }
            terminal.resize(size)
        }
    }

    struct Kind: Sendable, CustomTestStringConvertible {
        var environment: [String: String]
        var arguments: [String] = []
        var colors: ColorLevel = .rich
        var count = 256
        var hidesCursor = true
        /// The emulated terminal type cannot show a wide character next to the lower right cell.
        var tearsCorner = false
        var testDescription: String { "\(environment) \(arguments)" }
    }

    @Test(
        "the frame is shown on every kind of terminal",
        arguments: [
            Kind(environment: [:], arguments: ["mono"], colors: .mono),
            Kind(environment: [:], arguments: ["basic"], colors: .basic),
            Kind(environment: ["NO_COLOR": "1"], colors: .mono),
            Kind(environment: ["NO_COLOR": ""]),
            Kind(environment: ["TERM": "xterm"], colors: .basic, count: 8),
            Kind(environment: ["TERM": "linux"], colors: .basic, count: 8),
            Kind(environment: ["TERM": "vt100"], colors: .mono, hidesCursor: false),
            Kind(environment: ["TERM": "screen-256color"], tearsCorner: true),
            Kind(environment: ["TERM": "tmux-256color"], tearsCorner: true),
            Kind(environment: ["TERM": "xterm-nobody-knows"]),
            Kind(environment: ["LANG": ""]),
            Kind(environment: ["LANG": "xx_YY.UTF-8"]),
            Kind(environment: ["COLUMNS": "7", "LINES": "3"]),
            Kind(environment: ["STOREFRONT_NO_SYNC": "1"]),
        ])
    func everyKindOfTerminalShowsTheFrame(_ kind: Kind) async throws {
        let size = Size(columns: 60, rows: 15)
        let terminal = try TerminalUnderTest(
            ["9"] + kind.arguments, size: size, environment: kind.environment)
        let frames = SampleFrames(seed: 9, measure: terminalMeasure)
        for number in 0..<30 {
            #expect(try await terminal.message() == "frame \(number) 60 15")
            var frame = frames.frame(number, size: size)
            if !kind.hidesCursor { frame.isCursorVisible = true }
            let beside = frame[57, 14]
            if kind.tearsCorner, beside.width == 2 {
                frame.put(terminalMeasure.measure("  "), column: 57, row: 14, style: beside.style)
            }
            try #require(
                terminal.differences(from: frame, colors: kind.colors, count: kind.count) == [])
            terminal.type("\r")
        }
    }

    @Test("a frame of another size is clipped, and the next one is shown correctly")
    func aFrameForAnotherSizeIsCutAndForgotten() async throws {
        let size = Size(columns: 50, rows: 12)
        let terminal = try TerminalUnderTest(["6"], size: size)
        let frames = SampleFrames(seed: 6, measure: terminalMeasure)
        _ = try await terminal.message()
        for number in 1...10 {
            terminal.type("b")
            #expect(try await terminal.message() == "frame \(number - 1) 80 22")
            terminal.type("\r")
            #expect(try await terminal.message() == "frame \(number) 50 12")
            #expect(terminal.differences(from: frames.frame(number, size: size)) == [])
        }
    }

    @Test("updates are synchronized on a terminal that supports mode 2026")
    func updatesAreSynchronizedInMode2026() async throws {
        let terminal = try TerminalUnderTest(["3"], answer: "\u{1B}[?2026;2$y")
        _ = try await terminal.message()
        terminal.type("\r")
        #expect(try await terminal.message() == "frame 1 80 24")
        let text = String(decoding: terminal.written, as: UTF8.self)
        #expect(text.hasPrefix("\u{1B}[?2026h"))
        #expect(text.hasSuffix("\u{1B}[?2026l"))
    }

    @Test(
        "a terminal without mode 2026 gets no synchronization sequences",
        arguments: ["\u{1B}[?2026;0$y", "\u{1B}[?2026;4$y"])
    func noSynchronizationWithoutMode2026(_ answer: String) async throws {
        let terminal = try TerminalUnderTest(["3"], answer: answer)
        _ = try await terminal.message()
        terminal.type("\r")
        #expect(try await terminal.message() == "frame 1 80 24")
        #expect(!String(decoding: terminal.written, as: UTF8.self).contains("2026"))
    }

    @Test(
        "a locale that is not UTF-8 is shown ASCII by itself",
        arguments: [
            ["LANG": "C"], ["LC_ALL": "POSIX"], ["LANG": "de_DE.ISO-8859-1"],
            ["LC_CTYPE": "ja_JP.eucJP"], ["LANG": "de_DE.ISO-8859-15@euro"],
        ])
    func otherLocalesAreShownASCII(_ environment: [String: String]) async throws {
        let terminal = try TerminalUnderTest(["2"], environment: environment)
        for _ in 0..<5 {
            _ = try await terminal.message()
            #expect(terminal.written.allSatisfy { $0 < 0x80 })
            terminal.type("\r")
        }
    }
}
