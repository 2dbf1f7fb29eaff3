import Basics
import ShopText
import StoreModel
import Terminal

extension ChapterSheet: ComponentView {
    static let helpTitle: KeyText? = .helpChapters

    static let keys: [KeyBinding] =
        [
            KeyBinding("↑↓", [], told: [.up, .down], .selectionMoved(.down)) { _ in .keyMove },
            KeyBinding("Enter", [.enter], .confirmed) { _ in .keyOpen },
            KeyBinding("Esc", [.escape, .character("q")], .wentBack) { _ in .keyCancel },
        ] + KeyBinding.moves() + [.help]

    static func draw(on canvas: inout Canvas) {
        guard case .chapters(let sheet) = canvas.state.sheet, let reader = canvas.state.reader
        else { return }
        canvas.drawChapters(sheet, reader)
    }

    static func rows(_ sheet: Sheet, on canvas: Canvas) -> Int { scrolling(on: canvas).rows + 2 }

    /// Scrolled so that the chosen chapter is in the middle, if possible; no position is kept.
    static func scrolling(on canvas: Canvas) -> Scrolling {
        let count = canvas.state.reader?.chapters.chapters.count ?? 0
        // All rows between header and message, except the sheet's edge and heading.
        let rows = max(1, min(count, canvas.layout.size.rows - 5))
        guard case .chapters(let sheet) = canvas.state.sheet else { return Scrolling(rows: rows) }
        let scrollMax = max(0, count - rows)
        return Scrolling(
            rows: rows, scroll: min(max(0, sheet.chosen - rows / 2), scrollMax),
            scrollMax: scrollMax)
    }
}

extension Canvas {
    fileprivate mutating func drawChapters(_ sheet: ChapterSheet, _ reader: ReaderPart) {
        let scrolling = ChapterSheet.scrolling(on: self)
        var row = openSheet(rows: scrolling.rows + 2)
        let left = layout.isCompact ? 1 : 3
        let after = put(
            strings[.contentsOf(name: reader.name)], left, row, theme.strong,
            before: scrolling.scrollMax > 0 ? layout.columns - 12 : nil)
        drawMore(scrolling.scrollMax - scrolling.scroll, after: after, row)
        row += 1
        let shown = scrolling.scroll..<(scrolling.scroll + scrolling.rows)
        for number in shown where reader.chapters.chapters.indices.contains(number) {
            drawChapter(number, of: reader, isChosen: number == sheet.chosen, left, row)
            row += 1
        }
    }

    private mutating func drawChapter(
        _ number: Int, of reader: ReaderPart, isChosen: Bool, _ left: Int, _ row: Int
    ) {
        let chapter = reader.chapters.chapters[number]
        let end = min(layout.columns, Layout.rowColumnsMax)
        if isChosen {
            put(glyphs.marker, left - 1, row, theme.accent)
            frame.cursor = Position(column: left + 1, row: row)
        }
        target(.chapterSheet(.pointed(number)), left - 1, row, to: end)
        let note = chapterNote(chapter, of: reader)
        let numbers = columns(String(reader.chapters.chapters.count))
        putRight(String(number + 1), before: left + 1 + numbers, row, theme.quiet)
        let style = isChosen ? theme.strong : number == reader.chapter ? theme.accent : .plain
        let start = putRight(note, before: end, row, theme.quiet, from: left + 20)
        put(
            strings.title(of: chapter, in: reader, state), left + 3 + numbers, row, style,
            before: start - 2)
    }

    /// The day of its issue, otherwise its languages if several, otherwise its file's size.
    private func chapterNote(_ chapter: ContentChapters.Chapter, of reader: ReaderPart) -> String {
        if let issue = state.productList.product(reader.product)?.issue(of: chapter) {
            return strings.day(issue.date)
        }
        if let cost = reader.file(of: chapter)?.cost {
            return strings[.balanceOf(Int64(cost.amount), unit: strings.unit(cost.unit, state))]
        }
        let languages = chapter.languages
        guard languages.count < 2 else {
            return languages.map { strings.language($0) }.joined(separator: strings[.listSeparator])
        }
        let file = reader.file(of: chapter)
        return file.map { Measures.bytes($0.length) } ?? ""
    }
}

extension Product {
    /// Nil for a chapter of a book.
    fileprivate func issue(of chapter: ContentChapters.Chapter) -> PublishedIssue? {
        issues?.first { $0.id == chapter.contentID }
    }
}

extension Strings {
    /// The issue's title (and the chapter's, if the issue has several), otherwise the title in the
    /// chapter's text, otherwise the path of its file.
    func title(
        of chapter: ContentChapters.Chapter, in reader: ReaderPart, _ state: ShopState
    ) -> String {
        let own = ownTitle(of: chapter, in: reader) ?? chapter.path
        guard let issue = state.productList.product(reader.product)?.issue(of: chapter) else {
            return own
        }
        let count = reader.chapters.chapters.count { $0.contentID == chapter.contentID }
        return count == 1 ? issue.title : self[.about(name: issue.title, text: own)]
    }

    /// Without the chapter's number, which the list already shows; nil if the text has no title.
    private func ownTitle(
        of chapter: ContentChapters.Chapter, in reader: ReaderPart
    ) -> String? {
        guard let title = reader.file(of: chapter)?.title.map({ UntrustedText.clean($0) }) else {
            return nil
        }
        let number = reader.chapters.chapters.firstIndex(of: chapter).map { "\($0 + 1). " }
        guard let number, title.hasPrefix(number), title.count > number.count else { return title }
        return String(title.dropFirst(number.count))
    }

    /// In that language ("日本語"); an empty tag, of files in no language folder, is "original".
    func language(_ tag: String) -> String {
        tag.isEmpty ? self[.originalLanguage] : languageName(tag)
    }
}
