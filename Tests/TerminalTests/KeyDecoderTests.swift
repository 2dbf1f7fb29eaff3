import Terminal
import TerminalTestSupport
import TestBasics
import Testing

@Suite struct KeyDecoderTests {
    private static let keys: [(String, Key)] = [
        ("a", .character("a")), (" ", .character(" ")), ("é", .character("é")),
        ("灯", .character("灯")), ("🍣", .character("🍣")),
        ("\r", .enter), ("\n", .enter), ("\t", .tab), ("\u{7F}", .backspace), ("\u{8}", .backspace),
        ("\u{3}", .control("c")), ("\u{1A}", .control("z")), ("\u{1C}", .control("\\")),
        ("\u{1B}[A", .up), ("\u{1B}[B", .down), ("\u{1B}[C", .right), ("\u{1B}[D", .left),
        ("\u{1B}OA", .up), ("\u{1B}OB", .down), ("\u{1B}OC", .right), ("\u{1B}OD", .left),
        ("\u{1B}[1;5C", .right), ("\u{1B}O5A", .up),
        ("\u{1B}[H", .home), ("\u{1B}OH", .home), ("\u{1B}[1~", .home), ("\u{1B}[7~", .home),
        ("\u{1B}[F", .end), ("\u{1B}OF", .end), ("\u{1B}[4~", .end), ("\u{1B}[8~", .end),
        ("\u{1B}[5~", .pageUp), ("\u{1B}[6~", .pageDown), ("\u{1B}[3~", .delete),
        ("\u{1B}[3;5~", .delete), ("\u{1B}[Z", .backTab),
        ("\u{1B}OP", .function(1)), ("\u{1B}OS", .function(4)), ("\u{1B}[11~", .function(1)),
        ("\u{1B}[1;2P", .function(1)), ("\u{1B}[[A", .function(1)), ("\u{1B}[[E", .function(5)),
        ("\u{1B}[15~", .function(5)), ("\u{1B}[17~", .function(6)), ("\u{1B}[21~", .function(10)),
        ("\u{1B}[23~", .function(11)), ("\u{1B}[24~", .function(12)),
        ("\u{1B}Oq", .character("1")), ("\u{1B}OM", .enter),
    ]

    @Test("the bytes of a key are decoded as that key", arguments: keys)
    func aKeyIsRead(_ text: String, _ key: Key) {
        var decoder = KeyDecoder()
        #expect(decoder.decode(Array(text.utf8)) == [.event(.key(key))])
        #expect(decoder.patience == nil)
    }

    @Test("a key is decoded the same one byte at a time", arguments: keys)
    func aKeyIsDecodedOneByteAtATime(_ text: String, _ key: Key) {
        var decoder = KeyDecoder()
        #expect(text.utf8.flatMap { decoder.decode([$0]) } == [.event(.key(key))])
    }

    @Test("Escape is a key when nothing follows")
    func escapeIsAKeyWhenNothingFollows() {
        var decoder = KeyDecoder()
        #expect(decoder.decode([0x1B]) == [])
        #expect(decoder.patience == .milliseconds(25))
        #expect(decoder.giveUp() == [.event(.key(.escape))])
        #expect(decoder.patience == nil)
        #expect(decoder.decode([0x1B, 0x1B]) == [.event(.key(.escape))])
        #expect(decoder.giveUp() == [.event(.key(.escape))])
    }

    /// Each sequence is followed by "a", which must be the only decoded key.
    @Test(
        "an unknown sequence is skipped",
        arguments: [
            "\u{1B}[99;99Q", "\u{1B}[?1;2c", "\u{1B}[>1;2;3c", "\u{1B}[I", "\u{1B}[2~",
            "\u{1B}[999~",
            "\u{1B}[12;40R", "\u{1B}]10;rgb:0/0/0\u{7}", "\u{1B}]11;nothing\u{1B}\\",
            "\u{1B}]52;c;YnV5\u{7}", "\u{1B}P>|xterm(390)b\u{1B}\\", "\u{1B}]lb\u{1B}\\",
            "\u{1B}P1+r626365=\u{1B}\\", "\u{1B}^b\u{1B}\\", "\u{1B}Xb\u{1B}\\",
            "\u{1B}]11;rgb:" + String(repeating: "b", count: 5_000) + "\u{7}",
            "\u{1B}P1$r0m\u{1B}\\", "\u{1B}_Gi=1;OK\u{1B}\\", "\u{1B}x", "\u{1B}Oz", "\u{1B}[[Z",
            "\u{1B}[201~", "\u{1B}[<0;0;0M", "\u{1B}[<35;2;2M", "\u{1B}[<0;2;2m", "\u{1B}[M#!!",
            "\u{0}",
            "\u{1B}[" + String(repeating: "1;", count: 500) + "m",
            "\u{1B}[99999999999999999999999~",
        ])
    func whatIsUnknownIsSwallowed(_ sequence: String) {
        var decoder = KeyDecoder()
        #expect(
            decoder.decode(Array((sequence + "a").utf8)) == [.event(.key(.character("a")))])
    }

    @Test(
        "bytes that are no text are skipped",
        arguments: [
            [0xFF], [0x80], [0xC3], [0xE7, 0x81], [0xC0, 0x80], [0xED, 0xA0, 0x80],
            [0xF5, 0x80, 0x80, 0x80],
            [0xC2, 0x9B], [0xF0, 0x9F],
        ] as [[UInt8]])
    func bytesThatAreNoTextAreDropped(_ bytes: [UInt8]) {
        var decoder = KeyDecoder()
        #expect(decoder.decode(bytes + [0x61]) == [.event(.key(.character("a")))])
    }

    @Test("an incomplete sequence is dropped after a timeout")
    func aSequenceThatStopsIsDropped() {
        for start in ["\u{1B}[1;", "\u{1B}O", "\u{1B}]11;", "\u{1B}[M!", "\u{1B}[["] {
            var decoder = KeyDecoder()
            #expect(decoder.decode(Array(start.utf8)) == [])
            #expect(decoder.patience == .milliseconds(100))
            #expect(decoder.giveUp() == [])
            #expect(decoder.decode([0x61]) == [.event(.key(.character("a")))])
        }
    }

    @Test(
        "Ctrl-C is a key in every unfinished sequence",
        arguments: ["\u{1B}[1;", "\u{1B}O", "\u{1B}]11;", "\u{1B}P", "\u{1B}[M!", "\u{1B}[[", "é"])
    func controlCIsAlwaysAKey(_ start: String) {
        for isReplyExpected in [false, true] {
            var decoder = KeyDecoder()
            decoder.expectsReply = isReplyExpected
            _ = decoder.decode(Array(start.utf8.prefix(start == "é" ? 1 : 9)))
            #expect(decoder.decode([0x03]) == [.event(.key(.control("c")))])
            #expect(decoder.patience == nil)
        }
    }

    @Test("keys do not prolong an unfinished string, and a long one ends")
    func anUnfinishedStringEnds() {
        var decoder = KeyDecoder()
        decoder.expectsReply = true
        _ = decoder.decode(Array("\u{1B}]11;".utf8))
        let begun = ContinuousClock.now
        #expect(decoder.deadline(at: begun) == begun + .seconds(2))
        _ = decoder.decode([0x61])
        #expect(decoder.deadline(at: begun + .seconds(1)) == begun + .seconds(2))
        _ = decoder.giveUp()
        _ = decoder.decode(Array("\u{1B}]".utf8))
        #expect(decoder.deadline(at: begun + .seconds(9)) == begun + .seconds(11))
        let flood = decoder.decode([UInt8](repeating: 0x61, count: KeyDecoder.stringBytesMax + 2))
        #expect(flood == [.event(.key(.character("a")))])
    }

    @Test("mouse reports become clicks and wheel turns")
    func aPointerClicksAndTurns() {
        let place = Position(column: 4, row: 6)
        for (text, event) in [
            ("\u{1B}[<0;5;7M", PointerEvent.clicked(place)),
            ("\u{1B}[<16;5;7M", .clicked(place)),
            ("\u{1B}[<64;5;7M", .wheel(place, rows: -3)),
            ("\u{1B}[<65;5;7M", .wheel(place, rows: 3)),
            ("\u{1B}[M %'", .clicked(place)),
            ("\u{1B}[M`%'", .wheel(place, rows: -3)),
        ] {
            var decoder = KeyDecoder()
            #expect(decoder.decode(Array(text.utf8)) == [.event(.pointer(event))])
        }
    }

    @Test("a mode report is not an event")
    func anAnswerIsNoEvent() {
        var decoder = KeyDecoder()
        #expect(decoder.decode(Array("\u{1B}[?2026;2$y".utf8)) == [.mode(2026, state: 2)])
    }

    // MARK: - The background

    private static let backgrounds: [(String, RGB)] = [
        ("\u{1B}]11;rgb:ffff/8080/0000\u{7}", RGB(255, 128, 0)),
        ("\u{1B}]11;rgb:ff/80/0\u{1B}\\", RGB(255, 128, 0)),
        ("\u{1B}]11;rgba:ffff/ffff/ffff/0000\u{7}", RGB(255, 255, 255)),
        ("\u{1B}]11;#1e1e1e\u{7}", RGB(30, 30, 30)),
    ]

    @Test("the terminal's background is read whole and one byte at a time", arguments: backgrounds)
    func theBackgroundIsRead(_ text: String, _ color: RGB) {
        let expected: [KeyDecoder.Input] = [
            .event(.key(.character("a"))), .background(color), .event(.key(.character("b"))),
        ]
        let bytes = Array("a\(text)b".utf8)
        var whole = KeyDecoder()
        #expect(whole.decode(bytes) == expected)
        var pieces = KeyDecoder()
        #expect(bytes.flatMap { pieces.decode([$0]) } == expected)
    }

    @Test("an expected answer whose ESC came long before the rest is not typed")
    func anAnswerInSlowPiecesIsNotTyped() {
        var decoder = KeyDecoder()
        decoder.expectsReply = true
        #expect(decoder.decode([0x1B]) == [])
        #expect(decoder.giveUp() == [.event(.key(.escape))])
        #expect(decoder.decode(Array("]11;rgb:bb/b".utf8)) == [])
        #expect(decoder.patience == .seconds(2))
        #expect(decoder.decode(Array("b/bb\u{7}".utf8)) == [.background(RGB(0xBBBBBB))])
        #expect(decoder.decode(Array("]".utf8)) == [.event(.key(.character("]")))])
    }

    @Test("without an expected answer, a bracket after Escape is a key")
    func aBracketAfterEscapeIsAKey() {
        var decoder = KeyDecoder()
        _ = decoder.decode([0x1B])
        _ = decoder.giveUp()
        #expect(decoder.decode(Array("]".utf8)) == [.event(.key(.character("]")))])
    }

    // MARK: - Pasting

    @Test(
        "a bracketed paste is one event with its text",
        arguments: [
            ("buy\rall\r\nof\nit", "buy\nall\nof\nit"), ("\u{1B}[A\u{1B}[20", "\u{1B}[A\u{1B}[20"),
            ("\u{1B}\u{1B}", "\u{1B}\u{1B}"), ("\u{3}", "\u{3}"), ("", ""), ("灯台", "灯台"),
        ])
    func aPasteIsOneText(_ text: String, _ pasted: String) {
        let bytes = Array("\u{1B}[200~\(text)\u{1B}[201~a".utf8)
        let expected: [KeyDecoder.Input] = [.event(.pasted(pasted)), .event(.key(.character("a")))]
        var whole = KeyDecoder()
        #expect(whole.decode(bytes) == expected)
        var pieces = KeyDecoder()
        #expect(bytes.flatMap { pieces.decode([$0]) } == expected)
    }

    @Test("a paste that never ends is cut at its limit after a timeout")
    func aPasteThatNeverEndsIsGivenUpAndCut() {
        var decoder = KeyDecoder()
        #expect(decoder.decode(Array("\u{1B}[200~".utf8)) == [])
        for _ in 0..<1_000 {
            #expect(decoder.decode([UInt8](repeating: 0x78, count: 1_000)) == [])
        }
        #expect(decoder.patience == .seconds(2))
        let text = String(repeating: "x", count: KeyDecoder.pastedBytesMax)
        #expect(decoder.giveUp() == [.event(.pasted(text))])
        #expect(decoder.decode([0x61]) == [.event(.key(.character("a")))])
    }

    @Test("Ctrl-C is a key soon after a paste that never ends, and held down it is one, too")
    func controlCOvertakesAPaste() {
        var decoder = KeyDecoder()
        let begun = ContinuousClock.now
        for text in ["bu", "", "\u{1B}[20"] {
            #expect(decoder.decode(Array("\u{1B}[200~\(text)".utf8)) == [])
            #expect(decoder.deadline(at: begun) == begun + .seconds(2))
            #expect(decoder.decode([0x03]) == [])
            #expect(decoder.deadline(at: begun) == begun + .milliseconds(100))
            #expect(decoder.decode([0x03]) == [])
            #expect(
                decoder.deadline(at: begun + .milliseconds(50)) == begun + .milliseconds(100))
            #expect(
                decoder.giveUp() == [.event(.pasted(text)), .event(.key(.control("c")))])
            #expect(decoder.patience == nil)
        }
    }

    @Test("Ctrl-C in the midst of a paste is its text")
    func controlCInAPasteIsText() {
        var decoder = KeyDecoder()
        #expect(decoder.decode(Array("\u{1B}[200~a\u{3}\u{3}".utf8)) == [])
        #expect(decoder.decode(Array("b".utf8)) == [])
        #expect(decoder.patience == .seconds(2))
        #expect(
            decoder.decode(Array("\u{1B}[2\u{3}\u{1B}[201~".utf8))
                == [.event(.pasted("a\u{3}\u{3}b\u{1B}[2\u{3}"))])
        #expect(decoder.patience == nil)
    }

    // MARK: - Random bytes

    /// The decoder also ends in the ground state.
    @Test("any bytes are decoded the same whole and in pieces", arguments: 0..<300 as Range<UInt64>)
    func anyBytesAreReadTheSameInPieces(_ seed: UInt64) {
        var chances = SplitMix64(seed: seed)
        let pieces = [
            "\u{1B}", "[", "O", "2", "00", "~", ";", "M", "<", "\u{1B}[200~", "\u{1B}[201~", "é",
            "A",
            "]", "\u{7}", "\\", "$", "y", "?",
        ]
        var bytes: [UInt8] = []
        for _ in 0..<60 {
            bytes +=
                chances.below(4) == 0
                ? [UInt8(chances.below(256))] : Array(pieces[chances.below(pieces.count)].utf8)
        }
        var whole = KeyDecoder()
        var cut = KeyDecoder()
        #expect(whole.decode(bytes) == bytes.flatMap { cut.decode([$0]) }, "seed \(seed)")
        #expect(whole.giveUp() == cut.giveUp())
        #expect(whole.patience == nil)
    }
}

extension KeyDecoder {
    fileprivate mutating func decode(_ bytes: [UInt8]) -> [Input] { decode(bytes[...]) }
}
