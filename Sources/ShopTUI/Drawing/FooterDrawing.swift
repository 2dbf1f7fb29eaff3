import ShopCore
import ShopText
import StoreModel
import Terminal

/// The contents and length of the help.
enum HelpDrawing {
    /// The modes in the order of the help.
    static let modes: [KeyMode] = [
        .list, .page, .paymentSheet, .search, .console, .faultSheet,
    ]

    /// The lines of all modes, and three for the keys that work everywhere: a title and two keys.
    static let lineCount = lines(of: modes[...]) + 3

    /// The line with a mode's title, where the help opens.
    static func start(of mode: KeyMode) -> Int {
        modes.firstIndex(of: mode).map { lines(of: modes[..<$0]) } ?? 0
    }

    /// The lines of some modes: for each its keys, a title and an empty line.
    private static func lines(of modes: ArraySlice<KeyMode>) -> Int {
        modes.reduce(0) { $0 + bindings($1).count + 2 }
    }

    /// A mode's keys that the help lists.
    static func bindings(_ mode: KeyMode) -> [KeyBinding] {
        KeyMap.bindings(mode).filter { !$0.keys.isEmpty || $0.label == "←→" }
    }

    /// The rows of the help: the body and the two rows below it, down to the footer.
    static func rows(_ layout: Layout) -> Int { layout.body.rows + 2 }
}

extension Canvas {
    /// Draws the keys that work on this screen, the most useful first. `? help` is always drawn,
    /// except in the help and the search, where `?` means something else.
    mutating func drawFooter() {
        let row = layout.footerRow
        let mode = KeyMode(state)
        let left = layout.isCompact ? 0 : 1
        var end = layout.columns
        if mode != .help, mode != .search {
            let help = "? \(wording[.keyHelp])"
            // In screen and tmux, writing the last cell may tear a wide character next to it.
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

    /// Draws every key, mode by mode, from the table that `KeyMap` finds actions in.
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

    /// The lines of the help. A line without a key is a title; an empty line has a blank as its
    /// key.
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

/// Key labels for terminals without Unicode.
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
