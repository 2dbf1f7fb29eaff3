import Basics
import ShopText
import StoreModel
import Terminal

extension ReaderScreen: ComponentView {
    static let helpTitle: KeyText? = .helpReader

    static let keys: [KeyBinding] =
        [
            KeyBinding(
                "Enter", [.enter], .confirmed,
                isUseful: { ($0.reader?.chapters.chapters.count ?? 0) > 1 }
            ) { _ in .keyContents },
            .back,
            KeyBinding(
                "↑↓", [], told: [.up, .down], .selectionMoved(.down),
                isUseful: { $0.reader?.text != nil }
            ) {
                _ in .keyMove
            },
            KeyBinding(
                .previousChapter, also: [.left], .choiceMoved(-1),
                isUseful: { $0.reader?.hasChapter(step: -1) == true }
            ) { _ in .keyPreviousChapter },
            KeyBinding(
                .nextChapter, also: [.right], .choiceMoved(1),
                isUseful: { $0.reader?.hasChapter(step: 1) == true || $0.nextToRead != nil }
            ) { $0.nextToRead == nil ? .keyNextChapter : .keyNextTitle },
            KeyBinding(
                .contentLanguage, .reader(.languageChanged), .keyLanguage,
                isUseful: { $0.reader?.nextLanguage != nil }),
            KeyBinding(
                .copy, .reader(.passageCopied), .keyCopyPassage,
                isUseful: { state in
                    state.reader?.text != nil && state.product(unlocking: .copyPassages) != nil
                }),
            .palette, .openConsole, .quit, .pointer,
        ] + KeyBinding.moves() + KeyBinding.views + [.help]

    static func draw(on canvas: inout Canvas) { canvas.drawReader() }

    static func scrolling(on canvas: Canvas) -> Scrolling {
        let wrapped = canvas.wrappedText
        return Scrolling(
            rows: canvas.readerArea.rows, text: wrapped?.rows(around: canvas.readerArea.rows))
    }
}

/// A text wrapped to a width. Only the lines that are used are wrapped, so that a key press costs
/// as much in a large text as in a small one.
private struct WrappedText {
    let text: PlainText
    let columns: Int
    let measure: TextMeasure
    /// The first row in sight when the text was last drawn, perhaps at another width.
    let place: TextPlace

    /// At least one.
    func rows(of line: Int) -> [MeasuredText] {
        let text = text.lines(line..<(line + 1)).first?.text ?? ""
        let rows = measure.wrap(text, columns: columns)
        return rows.isEmpty ? [measure.measure("")] : rows
    }

    /// The first row in sight on the last page of the text.
    func last(page: Int) -> TextPlace {
        var room = page
        var line = max(0, text.lineCount - 1)
        while true {
            let count = rows(of: line).count
            if count >= room { return TextPlace(line: line, row: count - room, rows: count) }
            guard line > 0 else { return TextPlace(rows: count) }
            room -= count
            line -= 1
        }
    }

    /// The first row in sight: the stored place converted to this width, at most the last page's.
    func top(page: Int) -> TextPlace {
        let line = min(max(0, place.line), max(0, text.lineCount - 1))
        let count = rows(of: line).count
        let row = place.rows == count ? place.row : place.row * count / max(1, place.rows)
        let top = TextPlace(line: line, row: min(max(0, row), count - 1), rows: count)
        let last = last(page: page)
        return (top.line, top.row) < (last.line, last.row) ? top : last
    }

    /// The rows in sight and around them: one page and 10 rows in both directions.
    func rows(around page: Int) -> TextRows {
        let top = top(page: page)
        let reach = page + 10
        var places = rowPlaces(top.line)
        var index = top.row
        var line = top.line - 1
        while line >= 0, index < reach {
            let before = rowPlaces(line)
            places = before + places
            index += before.count
            line -= 1
        }
        line = top.line + 1
        while line < text.lineCount, places.count - index < reach {
            places += rowPlaces(line)
            line += 1
        }
        return TextRows(places: places, top: index, last: last(page: page))
    }

    private func rowPlaces(_ line: Int) -> [TextPlace] {
        let count = rows(of: line).count
        return (0..<count).map { TextPlace(line: line, row: $0, rows: count) }
    }
}

extension Canvas {
    /// Nil while no text is open.
    fileprivate var wrappedText: WrappedText? {
        guard let reader = state.reader, let text = reader.text else { return nil }
        return WrappedText(
            text: text, columns: readerArea.columns, measure: measure, place: reader.top)
    }

    /// Below the title.
    fileprivate var readerArea: Area {
        let above = layout.isCompact ? 1 : 3
        let column = layout.margin
        return Area(
            column: column, row: layout.body.row + above,
            columns: min(Layout.textColumnsMax, layout.columns - 2 * column),
            rows: max(1, layout.body.rows - above))
    }

    fileprivate mutating func drawReader() {
        guard let reader = state.reader else { return }
        let area = readerArea
        let end = area.column + area.columns
        let percent = readPercent(reader, area)
        drawReaderTitle(reader, percent, area)
        if percent ?? 100 == 100 { drawNextToRead(area) }
        frame.cursor = Position(column: area.column, row: area.row)
        guard let wrapped = wrappedText else {
            for (offset, line) in readerNote(reader, columns: area.columns).prefix(area.rows)
                .enumerated()
            {
                frame.put(line, column: area.column, row: area.row + offset, before: end)
            }
            return
        }
        var row = area.row
        let top = wrapped.top(page: area.rows)
        for line in top.line..<max(top.line, wrapped.text.lineCount) {
            for text in wrapped.rows(of: line).dropFirst(line == top.line ? top.row : 0) {
                guard row < area.row + area.rows else { return }
                frame.put(text, column: area.column, row: row, before: end)
                row += 1
            }
        }
        guard row < area.row + area.rows else { return }
        let note: LibraryText? =
            wrapped.text.lineCount == 0 ? .emptyFile : wrapped.text.isCut ? .textIsCut : nil
        if let note { put(strings[note], area.column, row, theme.quiet, before: end) }
    }

    private mutating func drawReaderTitle(_ reader: ReaderPart, _ percent: Int?, _ area: Area) {
        let end = area.column + area.columns
        let row = layout.body.row
        var names = end
        if let percent {
            names = putRight("\(percent)%", before: end, row, theme.quiet) - 2
        }
        let file = reader.file.map { fileTitle($0, reader) } ?? ""
        guard !layout.isCompact else {
            let title = reader.isDeleted ? strings[.contentIsDeleted] : file
            put(
                title.isEmpty ? reader.name : title, area.column, row,
                reader.isDeleted ? theme.bad : theme.strong, before: names)
            return
        }
        put(reader.name, area.column, row, theme.strong, before: names)
        put(
            reader.isDeleted ? strings[.contentIsDeleted] : file, area.column, row + 1,
            reader.isDeleted ? theme.bad : theme.quiet, before: end)
    }

    /// In the message row, after the last chapter.
    private mutating func drawNextToRead(_ area: Area) {
        guard let next = state.nextToRead else { return }
        let status = state.status(of: next)
        var facts = ""
        if case .buyable = status {
            facts = strings.price(of: next)
        } else if !state.isReadable(next) {
            // Empty while the product is downloading: its page shows the progress.
            facts = strings.status(status).first ?? ""
        }
        let offer: LibraryText =
            facts.isEmpty
            ? .nextTitle(name: next.displayName)
            : .nextTitleFor(name: next.displayName, state: facts)
        let row = layout.messageRow
        let end = put(
            strings[offer], area.column, row, theme.strong, before: area.column + area.columns)
        target(.choiceMoved(1), area.column, row, to: end)
    }

    /// As "2 of 4: 02-the-log.txt · 日本語".
    private func fileTitle(_ file: ContentFile, _ reader: ReaderPart) -> String {
        guard let number = reader.chapter else { return file.path }
        let chapter = reader.chapters.chapters[number]
        let language =
            chapter.languages.count < 2
            ? "" : " \(glyphs.dot) " + strings.language(reader.chapters.language(of: reader.number))
        let count = reader.chapters.chapters.count
        let title = strings.title(of: chapter, in: reader, state)
        guard count > 1 else { return title + language }
        return strings[.fileOf(number + 1, of: count, path: title)] + language
    }

    /// Bytes before the first row in sight, in percent; 100 at the end; nil while no text is open.
    private func readPercent(_ reader: ReaderPart, _ area: Area) -> Int? {
        guard let wrapped = wrappedText, let file = reader.file else { return nil }
        let top = wrapped.top(page: area.rows)
        let last = wrapped.last(page: area.rows)
        guard (top.line, top.row) < (last.line, last.row),
            let line = wrapped.text.lines(top.line..<(top.line + 1)).first
        else { return 100 }
        return min(99, line.offset * 100 / max(1, Int(file.length)))
    }

    /// While the file is being opened, and for a file that is not a text.
    private func readerNote(_ reader: ReaderPart, columns: Int) -> [MeasuredText] {
        func lines(_ text: String) -> [MeasuredText] { measure.wrap(text, columns: columns) }
        guard let file = reader.file, !reader.isLoading else {
            return lines(reader.isLoading ? strings[.openingFile] + glyphs.underWay : "")
        }
        let size = Measures.bytes(file.length)
        let kind: String
        switch file.kind {
        case .text: kind = ""
        case .image(let format, let pixels):
            let measures = pixels.map { "\($0.width) \(glyphs.times) \($0.height)" }
            kind =
                strings[
                    .picture(format: format.rawValue.uppercased(), pixels: measures, size: size)]
        case .other: kind = strings[.otherFile(size: size)]
        }
        // A person copies the path into another program, so it is wrapped and not cut.
        return lines(kind) + lines(file.absolutePath)
    }
}
