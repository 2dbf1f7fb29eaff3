import Terminal

/// The few looks the shop has. One accent: what is selected, and the one thing to do next. All else
/// is the terminal's own colours, dim for what can wait.
struct Theme: Sendable {
    let level: ColorLevel

    var plain: Style { .plain }
    var strong: Style { Style(weight: .bold) }
    var quiet: Style { Style(weight: .dim) }
    var accent: Style { colored(Color(rich: 39, basic: 6), .bold) }
    var good: Style { colored(Color(rich: 71, basic: 2)) }
    var waiting: Style { colored(Color(rich: 178, basic: 3)) }
    var bad: Style { colored(Color(rich: 203, basic: 1)) }
    var bar: Style { colored(Color(rich: 39, basic: 6)) }
    /// Faults that were set on purpose: impossible to overlook, also without colour.
    var fault: Style { colored(Color(rich: 203, basic: 1), .reverse) }
    /// The button that Enter presses.
    var chosenButton: Style {
        level == .mono ? Style(weight: .reverse) : colored(Color(rich: 39, basic: 6), .reverse)
    }

    private func colored(_ color: Color, _ weight: Style.Weight = []) -> Style {
        Style(color: level == .mono ? nil : color, weight: weight)
    }
}
