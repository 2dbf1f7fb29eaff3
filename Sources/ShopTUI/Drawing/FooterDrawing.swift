import ShopCore
import ShopText
import StoreModel
import Terminal

/// How long the help is.
enum HelpDrawing {
    static let modes: [KeyMode] = [
        .list, .page, .paymentSheet, .search, .console, .faultSheet,
    ]

    /// Of all modes, and of what goes everywhere: a title and two keys.
    static let lineCount = lines(of: modes[...]) + 3

    /// The line with a mode's title: the help opens there.
    static func start(of mode: KeyMode) -> Int {
        modes.firstIndex(of: mode).map { lines(of: modes[..<$0]) } ?? 0
    }

    /// A title and an empty line for each.
    private static func lines(of modes: ArraySlice<KeyMode>) -> Int {
        modes.reduce(0) { $0 + bindings($1).count + 2 }
    }

    static func bindings(_ mode: KeyMode) -> [KeyBinding] {
        KeyMap.bindings(mode).filter { !$0.keys.isEmpty || $0.label == "←→" }
    }

    static func rows(_ layout: Layout) -> Int { layout.body.rows + 2 }
}

extension Canvas {
    /// The keys that work here, the most useful first. `? help` never leaves.
    mutating func drawFooter() {
        let row = layout.footerRow
        let mode = KeyMode(state)
        let left = layout.isCompact ? 0 : 1
        var end = layout.columns
        if mode != .help, mode != .search {
            let help = "? \(wording[.keyHelp])"
            // In the corner, screens inside screens tear a wide character.
            end -= columns(help) + 2 + (strings.language.needsUnicode ? 1 : 0)
            let at = put("?", end + 2, row, theme.accent)
            put(" \(wording[.keyHelp])", at, row, theme.quiet)
        }
        var at = left
        for binding in KeyMap.bindings(mode) where binding.label != "?" && binding.isUseful(state) {
            let label = glyphs.isASCII ? KeyLabels.ascii(binding.label) : binding.label
            let word = wording[binding.title(state)]
            let width = columns("\(label) \(word)")
            guard at + width <= end else { continue }
            at = put(label, at, row, theme.accent)
            at = put(" \(word)", at, row, theme.quiet) + 2
        }
    }

    /// Every key, mode by mode, from the table the keys themselves come from.
    mutating func drawHelp() {
        let lines = helpLines
        let area = layout.body
        let rows = HelpDrawing.rows(layout)
        let scroll = min(state.helpScroll ?? 0, max(0, lines.count - rows))
        for (offset, line) in lines.dropFirst(scroll).prefix(rows).enumerated() {
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

    var helpLines: [(key: String, text: String)] {
        var lines: [(key: String, text: String)] = []
        let titles = [
            ScreenText.helpShop, .helpPage, .helpSheet, .helpSearch, .helpConsole, .helpFailure,
        ]
        for (mode, title) in zip(HelpDrawing.modes, titles) {
            if !lines.isEmpty { lines.append((" ", "")) }
            lines.append(("", wording[title]))
            for binding in HelpDrawing.bindings(mode) {
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

enum KeyLabels {
    static func ascii(_ label: String) -> String {
        switch label {
        case "←→": "<>"
        case "↑↓": "^v"
        case "↑ k": "Up k"
        case "↓ j": "Down j"
        case "← h": "Left h"
        case "→ l": "Right l"
        case "↓": "Down"
        default: label
        }
    }
}
