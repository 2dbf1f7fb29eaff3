import ShopCore
import ShopText
import Terminal

/// The list of all keys, component by component, from the tables that `KeyMap` finds actions in.
enum HelpView: ComponentView {
    static let helpTitle: ScreenText? = nil

    static let keys: [KeyBinding] =
        [
            KeyBinding(
                "Esc", [.escape, .character("?"), .character("q"), .enter, .function(1)],
                .helpToggled
            ) { _ in .keyBack },
            KeyBinding("↑↓", [], .selectionMoved(.down)) { _ in
                .keyScroll
            },
        ] + KeyBinding.moves()

    static func draw(on canvas: inout Canvas) { canvas.drawHelp() }

    /// Until a person scrolls, the help begins with the keys of the component below it.
    static func scrolling(on canvas: Canvas) -> Scrolling {
        let rows = rows(canvas.layout)
        var below = canvas.state
        below.help = nil
        let lines = canvas.helpLines
        let title = below.focus.view.helpTitle.map { canvas.wording[$0] }
        let start = lines.firstIndex { $0.key.isEmpty && $0.text == title } ?? 0
        let scrollMax = max(0, lines.count - rows)
        let scroll = canvas.state.help?.scroll ?? start
        return Scrolling(rows: rows, scroll: min(scroll, scrollMax), scrollMax: scrollMax)
    }

    /// The rows of the help: the body and the two rows below it, down to the footer.
    private static func rows(_ layout: Layout) -> Int { layout.footerRow - layout.body.row }
}

extension Canvas {
    /// Draws the lines of the help that are in sight.
    mutating func drawHelp() {
        let area = layout.body
        let scrolling = HelpView.scrolling(on: self)
        let shown = helpLines.dropFirst(scrolling.scroll).prefix(scrolling.rows)
        for (offset, line) in shown.enumerated() {
            let row = area.row + offset
            if line.key.isEmpty {
                put(line.text, layout.isCompact ? 0 : 1, row, theme.quiet.bold)
            } else {
                put(line.key, layout.isCompact ? 1 : 3, row, theme.accent, before: 14)
                put(line.text, 14, row)
            }
        }
        frame.cursor = Position(column: 0, row: area.row)
    }

    /// The lines of the help. A line without a key is a title; an empty line has a blank as its
    /// key.
    fileprivate var helpLines: [(key: String, text: String)] {
        var lines: [(key: String, text: String)] = []
        for component in Component.allCases {
            guard let title = component.view.helpTitle else { continue }
            if !lines.isEmpty { lines.append((" ", "")) }
            lines.append(("", wording[title]))
            for binding in component.view.keys where binding.isInHelp {
                let label = glyphs.isASCII ? KeyLabels.ascii(binding.label) : binding.label
                lines.append((label, wording[binding.title(state)]))
            }
        }
        lines.append((" ", ""))
        lines.append(("", wording[.helpEverywhere]))
        lines.append(("Ctrl-C", wording[.keyQuit]))
        lines.append(("Ctrl-Z", wording[.keySuspend]))
        return lines
    }
}
