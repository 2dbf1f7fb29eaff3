package import Foundation

/// Finds the title in a text of a product's content.
package enum ContentTitle {
    /// In characters.
    private static let headingMax = 80
    /// The title of the book and of the chapter.
    private static let headingsMax = 2

    /// The title of a text: its first heading in Markdown, otherwise the last of the headings at
    /// its beginning. Such a heading is a line of at most 80 characters between empty lines that
    /// does not end in punctuation. Nil if the text has none.
    ///
    /// - Parameters:
    ///   - start: the first bytes of the file, or all of it.
    ///   - isWhole: whether `start` is all of it; otherwise its last line may be incomplete.
    package static func of(_ start: Data, isWhole: Bool) -> String? {
        guard !start.contains(0) else { return nil }
        var lines = String(decoding: start, as: UTF8.self)
            .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .map { $0.trimmingCharacters(in: .whitespaces.union(.init(charactersIn: "\u{FEFF}"))) }
        if !isWhole { lines.removeLast() }
        if let heading = lines.first(where: isMarkdownHeading) {
            return String(heading.drop { $0 == "#" }).trimmingCharacters(in: .whitespaces)
        }
        var title: String?
        var rest = lines.drop(while: \.isEmpty)
        for _ in 0..<headingsMax {
            guard let line = rest.first, isHeading(line) else { break }
            rest = rest.dropFirst()
            guard rest.first.map(\.isEmpty) ?? (title == nil) else { break }
            title = line
            rest = rest.drop(while: \.isEmpty)
        }
        // A text that consists only of short lines has no heading.
        return rest.isEmpty ? nil : title
    }

    private static func isMarkdownHeading(_ line: String) -> Bool {
        let marks = line.prefix { $0 == "#" }
        return (1...6).contains(marks.count) && line.dropFirst(marks.count).first == " "
            && line.count <= headingMax + marks.count
    }

    private static func isHeading(_ line: String) -> Bool {
        guard let last = line.last, line.count <= headingMax else { return false }
        return line.contains(where: \.isLetter) && !".,;:!?。、！？」”\"".contains(last)
    }
}
