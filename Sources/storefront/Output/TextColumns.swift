import CursesTerminal
import Foundation

/// How many columns a text takes in a terminal, as the C library counts them (wcwidth(3)).
enum TextColumns {
    private static let isReady: Bool = {
        // wcwidth(3) follows the locale's character set; all UTF-8 locales give the same widths.
        setlocale(LC_CTYPE, "C.UTF-8") != nil
    }()

    /// Sets the locale for callers that call wcwidth(3) themselves.
    static func prepare() { _ = isReady }

    static func count(_ text: String) -> Int {
        guard isReady else { return text.count }
        return text.unicodeScalars.reduce(0) { $0 + ProcessLocale.columns(of: $1) }
    }

    /// A text of exactly so many columns: filled with spaces, or cut with an ellipsis.
    static func fit(_ text: String, _ columns: Int, alignRight: Bool = false) -> String {
        let width = count(text)
        if width <= columns {
            let fill = String(repeating: " ", count: columns - width)
            return alignRight ? fill + text : text + fill
        }
        var cut = ""
        var used = 0
        for character in text {
            let next = count(String(character))
            if used + next > columns - 1 { break }
            cut.append(character)
            used += next
        }
        return cut + "…" + String(repeating: " ", count: max(0, columns - used - 1))
    }
}
