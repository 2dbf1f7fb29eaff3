import ShopCore
import ShopText
import StoreModel
import Terminal

/// The question before something is cancelled or deleted.
enum QuestionSheetView: ComponentView {
    static let helpTitle: ScreenText? = .helpQuestion

    static let keys: [KeyBinding] = [
        KeyBinding("←→", [], .choiceMoved(1)) { _ in .keyChoose },
        KeyBinding("Enter", [.enter], .confirmed) { _ in .keyActivate },
        KeyBinding("Esc", [.escape, .character("q")], .wentBack) { _ in .keyCancel },
        .left, .right, .next, .previous, .help,
    ]

    static func draw(on canvas: inout Canvas) {
        guard case .question(let sheet) = canvas.state.sheet else { return }
        canvas.drawQuestion(sheet)
    }

    static func rows(_ sheet: Sheet, on canvas: Canvas) -> Int { canvas.layout.isCompact ? 4 : 6 }
}

extension Canvas {
    fileprivate mutating func drawQuestion(_ question: QuestionSheet) {
        let name = state.name(of: question.subject.product)
        let texts: (question: ScreenText, note: ScreenText, no: ScreenText, yes: ScreenText) =
            switch question.subject {
            case .cancelDownload:
                (
                    .cancelDownloadQuestion(name: name), .cancelDownloadNote, .keepDownloading,
                    .cancelDownload
                )
            case .deleteContent:
                (.deleteQuestion(name: name), .deleteNote, .keepDownload, .deleteDownload)
            case .withdraw:
                (.withdrawQuestion(name: name), .withdrawNote, .keepWaiting, .withdraw)
            case .requestRefund:
                (.refundQuestion(name: name), .refundNote, .keepIt, .askForRefund)
            }
        let left = layout.isCompact ? 1 : 3
        var row = openSheet(rows: layout.isCompact ? 4 : 6)
        put(wording[texts.question], left, row, theme.strong)
        put(wording[texts.note], left, row + 1, theme.quiet)
        row += layout.isCompact ? 2 : 3
        _ = buttons(
            [wording[texts.no], wording[texts.yes]], chosen: question.isConfirmChosen ? 1 : 0,
            column: left - 1, row: row, end: layout.columns,
            action: { .questionSheet(.pressed(button: $0)) })
    }
}
