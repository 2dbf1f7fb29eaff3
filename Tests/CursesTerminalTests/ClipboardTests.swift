import Foundation
import Testing

/// Texts that the program gives to the terminal for the clipboard (OSC 52).
@Suite struct ClipboardTests {
    /// The text that the program asked the terminal to put into the clipboard; nil if none.
    private func copied(in written: [UInt8]) throws -> String? {
        let text = String(decoding: written, as: UTF8.self)
        guard let match = text.firstMatch(of: /\x1B\]52;c;([A-Za-z0-9+\/=]*)\x07/) else {
            return nil
        }
        let data = try #require(Data(base64Encoded: String(match.1)))
        return String(decoding: data, as: UTF8.self)
    }

    @Test("a text is copied with its printable characters only")
    func onlyPrintableCharactersAreCopied() async throws {
        let terminal = try TerminalUnderTest()
        _ = try await terminal.message()
        terminal.type("c")
        #expect(try await terminal.message() == "copied: true")
        #expect(try copied(in: terminal.written) == "Lantern [31m灯台 ")
    }

    @Test("a text longer than terminals take is not copied, nor cut")
    func aLongTextIsNotCopied() async throws {
        let terminal = try TerminalUnderTest()
        _ = try await terminal.message()
        terminal.type("l")
        #expect(try await terminal.message() == "copied: true, false")
        #expect(try copied(in: terminal.written)?.count == 56_244)
    }

    @Test("a text without printable characters is not copied")
    func nothingPrintableIsNotCopied() async throws {
        let terminal = try TerminalUnderTest()
        _ = try await terminal.message()
        terminal.type("e")
        #expect(try await terminal.message() == "copied: false")
        #expect(try copied(in: terminal.written) == nil)
    }

    @Test(
        "a terminal without a clipboard is sent nothing",
        arguments: [["TERM": "linux"], ["TERM": "vt100"], ["STY": "123.pts"]])
    func someTerminalsHaveNoClipboard(_ environment: [String: String]) async throws {
        let terminal = try TerminalUnderTest(environment: environment)
        _ = try await terminal.message()
        terminal.type("c")
        #expect(try await terminal.message() == "copied: false")
        #expect(try copied(in: terminal.written) == nil)
    }
}
