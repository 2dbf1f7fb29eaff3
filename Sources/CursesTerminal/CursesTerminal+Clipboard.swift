import Foundation
import Terminal

extension CursesTerminal {
    /// In base64. Many terminals drop a command that is longer than about 75,000 bytes.
    package static let copiedBytesMax = 74_994

    /// Asks the terminal to put a text into the system's clipboard (OSC 52), as `printable` makes
    /// it. Many terminals refuse unless their user allows it, and no terminal answers: true means
    /// only that the request was sent.
    ///
    /// - Returns: false if nothing printable is left, if the text is longer than terminals take, or
    ///   if this terminal has no such command.
    package func copy(_ text: String) -> Bool {
        guard isOpen, understandsCommands else { return false }
        let encoded = Data(Self.printable(text).utf8).base64EncodedString()
        guard !encoded.isEmpty, encoded.utf8.count <= Self.copiedBytesMax else { return false }
        send("\u{1B}]52;c;\(encoded)\u{7}")
        return true
    }

    /// Characters that are not printable are left out, and a line end or a tab becomes a space, so
    /// that pasting the text into a shell runs no command.
    package static func printable(_ text: String) -> String {
        var printable = String.UnicodeScalarView()
        for character in text {
            if character.isNewline || character == "\t" {
                printable.append(" ")
            } else {
                printable += character.unicodeScalars.filter(\.isVisible)
            }
        }
        return String(printable)
    }
}
