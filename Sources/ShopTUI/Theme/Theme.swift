import Terminal

/// The styles of the shop. The accent marks the selection and the names of keys. Most text has the
/// terminal's own colours, and is dim if it is less important.
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
    /// For faults that the operator has set. Reversed, so that they are noticed without colours
    /// too.
    var fault: Style { colored(Color(rich: 203, basic: 1), .reverse) }
    /// The button that Enter presses.
    var chosenButton: Style {
        level == .mono ? Style(weight: .reverse) : colored(Color(rich: 39, basic: 6), .reverse)
    }

    private func colored(_ color: Color, _ weight: Style.Weight = []) -> Style {
        Style(color: level == .mono ? nil : color, weight: weight)
    }
}
