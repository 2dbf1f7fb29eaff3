package import Basics
package import StoreModel

/// The reader's part of the state.
package struct ReaderPart: Hashable, Sendable {
    package let product: ProductID
    /// The product's name when it was opened; it stays if the product is no longer for sale.
    package let name: String
    /// Empty until they are listed.
    package var files: [ContentFile] = [] { didSet { chapters = ContentChapters(files) } }
    /// The same files as chapters, each with its translations.
    package private(set) var chapters = ContentChapters([])
    /// The customer's, as a tag; empty for the original, in which untranslated chapters are read.
    package internal(set) var language = ""
    /// The index of the open file in `files`.
    package var number = 0
    /// The open file's text; nil for other files, and until it is read.
    package var text: PlainText?
    package var isLoading = true
    /// Whether the content was deleted from this device since it was opened.
    package var isDeleted = false
    /// The first row in sight.
    package var top = TextPlace()
    /// The last saved place since the file was opened; nil if none was saved.
    var saved: ReadingPlace?
    /// The time of the last save, in elapsed time since the program began.
    var savedAt = Duration.zero

    /// Nil until it is read.
    package var file: ContentFile? { files.indices.contains(number) ? files[number] : nil }

    /// The index of the open chapter; nil until its file is read.
    package var chapter: Int? { file == nil ? nil : chapters.chapter(of: number) }

    /// The file's index, in the customer's language; nil if there is no such chapter.
    func file(ofChapter chapter: Int) -> Int? {
        guard chapters.chapters.indices.contains(chapter) else { return nil }
        return chapters.chapters[chapter].file(in: language)
    }

    /// In the language that the person reads in.
    package func file(of chapter: ContentChapters.Chapter) -> ContentFile? {
        let file = chapter.file(in: language)
        return files.indices.contains(file) ? files[file] : nil
    }

    /// Whether a chapter exists `step` chapters after the open one.
    package func hasChapter(step: Int) -> Bool {
        chapter.map { chapters.chapters.indices.contains($0 + step) } ?? false
    }

    /// For the key that changes the language; nil if the chapter has only one.
    package var nextLanguage: String? {
        guard let chapter else { return nil }
        let languages = chapters.chapters[chapter].languages
        guard languages.count > 1,
            let at = languages.firstIndex(of: chapters.language(of: number))
        else { return nil }
        return languages[(at + 1) % languages.count]
    }

    /// The customer's place in the open file; nil while no text is open.
    package var place: ReadingPlace? {
        guard let file, let text else { return nil }
        let bytes = Self.bytes(of: top.line, in: text, length: file.length)
        // Rounded up, so that the same width gives the same row again.
        let rows = max(1, top.rows)
        let within = (top.row * bytes.count + rows - 1) / rows
        return ReadingPlace(
            productID: product, contentID: file.contentID, path: file.path,
            offset: Int64(bytes.lowerBound + within))
    }

    /// The row with a byte, at any width: the line is counted as having one row for each byte.
    static func top(at offset: Int64, in text: PlainText, length: Int64) -> TextPlace {
        let line = text.lineNumber(at: offset)
        let bytes = Self.bytes(of: line, in: text, length: length)
        let within = min(max(0, Int(offset) - bytes.lowerBound), max(0, bytes.count - 1))
        return TextPlace(line: line, row: within, rows: max(1, bytes.count))
    }

    private static func bytes(of line: Int, in text: PlainText, length: Int64) -> Range<Int> {
        let lines = text.lines(line..<(line + 2))
        let start = lines.first?.offset ?? 0
        let end = lines.count > 1 ? lines[1].offset : Int(length)
        return start..<max(start, end)
    }
}

/// A row of a wrapped text.
package struct TextPlace: Hashable, Sendable {
    /// From 0.
    package var line = 0
    /// Within the line as it was wrapped, from 0.
    package var row = 0
    /// The number of rows of the wrapped line. At another width, `row` is converted in proportion.
    package var rows = 1
}

/// The rows of a wrapped text in sight and around them, as the drawing measured them, so that a
/// movement by rows needs neither the width nor the rest of the text.
package struct TextRows: Hashable, Sendable {
    /// Consecutive rows, which extend more than a page before and after the first row in sight.
    package var places: [TextPlace]
    /// The index in `places` of the first row in sight.
    package var top: Int
    /// The first row in sight on the last page of the text.
    package var last: TextPlace

    /// The first row in sight after a movement.
    func place(after movement: Movement, page: Int) -> TextPlace {
        switch movement {
        case .first: return TextPlace()
        case .last: return last
        case .up, .down, .pageUp, .pageDown, .rows:
            guard !places.isEmpty else { return TextPlace() }
            let wanted = top + movement.lines(page: page)
            let place = places[min(max(0, wanted), places.count - 1)]
            return (place.line, place.row) < (last.line, last.row) ? place : last
        }
    }
}

/// The answer to `ShopEffect.openContent`: the files of a product, and one of them opened.
package struct OpenedContent: Hashable, Sendable {
    package var product: ProductID
    /// The product's files on this device; empty if there are none.
    package var files: [ContentFile]
    /// The index of the opened file in `files`.
    package var number: Int
    /// Nil if the file is not a text.
    package var text: PlainText?
    /// Nil if the file has not been read.
    package var place: ReadingPlace?
}
