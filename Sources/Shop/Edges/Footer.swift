import ShopText
import Terminal

extension Canvas {
    /// Draws the keys that work on this screen, the most useful first. `? help` is always drawn,
    /// except in the help and in the search, where `?` has another meaning.
    mutating func drawFooter() {
        let row = layout.footerRow
        let focus = state.focus
        let left = layout.isCompact ? 0 : 1
        var end = layout.columns
        if focus != .help, focus.type.erased == nil {
            let key = label(.help)
            let help = "\(key) \(strings[.keyHelp])"
            // In screen and tmux, writing the last cell may tear a wide character next to it.
            end -= columns(help) + 2 + (strings.language.needsUnicode ? 1 : 0)
            let at = put(key, end + 2, row, theme.accent)
            let last = put(" \(strings[.keyHelp])", at, row, theme.quiet)
            target(.helpToggled, end + 2, row, to: last)
        }
        var at = left
        for binding in focus.type.keys
        where binding.label != KeyBinding.help.label && !binding.label.isEmpty
            && binding.isUseful(state)
        {
            let label = label(binding)
            let word = strings[binding.title(state)]
            let width = columns("\(label) \(word)")
            guard at + width <= end else { continue }
            let start = at
            at = put(label, at, row, theme.accent)
            at = put(" \(word)", at, row, theme.quiet)
            if !binding.keys.isEmpty { target(binding.action, start, row, to: at) }
            at += 2
        }
    }
}

/// Key labels for terminals without Unicode.
enum KeyLabels {
    static func ascii(_ label: String) -> String {
        switch label {
        case "←→": "<>"
        case "↑↓": "^v"
        default:
            label.replacing("↑", with: "Up").replacing("↓", with: "Down")
                .replacing("←", with: "Left").replacing("→", with: "Right")
        }
    }
}
