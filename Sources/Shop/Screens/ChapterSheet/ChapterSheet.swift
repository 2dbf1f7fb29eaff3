/// The table of contents of the open book, from which the customer opens a chapter.
package struct ChapterSheet: Hashable, Sendable {
    /// The index of the chosen chapter in `ReaderPart.chapters`.
    package var chosen: Int
}

/// The actions of the chapter sheet.
package enum ChapterSheetAction: ComponentAction, Hashable {
    /// A click on a chapter, by its index.
    case pointed(Int)

    package func reduce(_ shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        guard shop.focus == .chapterSheet, let count = shop.reader?.chapters.chapters.count else {
            return []
        }
        switch self {
        case .pointed(let chapter):
            guard (0..<count).contains(chapter) else { return [] }
            shop.sheet = .chapters(ChapterSheet(chosen: chapter))
            return ChapterSheet.confirm(in: &shop, moment)
        }
    }
}

extension ShopAction {
    package static func chapterSheet(_ action: ChapterSheetAction) -> ShopAction {
        .component(action)
    }
}

extension ChapterSheet: ShopComponent {
    static func move(_ movement: Movement, in shop: inout ShopState, _ moment: ShopMoment)
        -> [ShopEffect]
    {
        guard case .chapters(var sheet) = shop.sheet, let reader = shop.reader else { return [] }
        let next = sheet.chosen + movement.lines(page: max(1, moment.viewport.rows - 1))
        sheet.chosen = min(max(0, next), max(0, reader.chapters.chapters.count - 1))
        shop.sheet = .chapters(sheet)
        return []
    }

    /// At its stored place; a chapter that is already open keeps its place.
    static func confirm(in shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        guard case .chapters(let sheet) = shop.sheet else { return [] }
        shop.sheet = nil
        guard let reader = shop.reader, let file = reader.file(ofChapter: sheet.chosen),
            file != reader.number
        else { return [] }
        return shop.openFile(file, moment)
    }
}

extension ShopState {
    /// Opens the list of chapters with the present one chosen; does nothing for a single chapter.
    mutating func openChapters(_ moment: ShopMoment) -> [ShopEffect] {
        guard focus == .reader, let reader, reader.chapters.chapters.count > 1 else { return [] }
        sheet = .chapters(ChapterSheet(chosen: reader.chapter ?? 0))
        return []
    }

    /// Closes the list of chapters when the book that it lists is closed or has changed.
    mutating func closeChapters() {
        if case .chapters = sheet { sheet = nil }
    }
}
