import ShopText
import Terminal

/// The drawing and the key bindings of a component.
protocol ComponentView: ShopComponent, SendableMetatype {
    /// The key bindings, in the order of the footer: those that it names first, the most useful
    /// first.
    static var keys: [KeyBinding] { get }
    /// The title above the component's keys in the help; nil if the help does not list them.
    static var helpTitle: KeyText? { get }
    /// Draws the component in its area of the canvas.
    static func draw(on canvas: inout Canvas)
    /// The number of rows of the component's scrolling part, and its scroll position.
    static func scrolling(on canvas: Canvas) -> Scrolling
    /// Whether a long message may cover the last row, which in a longer list is a mark.
    static var endsInRowCount: Bool { get }
    /// The lines that match the typed filter, in order; empty for a component without a filter.
    static func entries(on canvas: Canvas) -> [Entry]
    /// The action of typed or pasted text; nil where the component has no text field.
    static func typed(_ text: String) -> ShopAction?
    /// The action of Backspace in a text field; nil for a component without one.
    static var erased: ShopAction? { get }
    /// The number of rows of a sheet at the lower edge; 0 for a component that is not a sheet.
    static func rows(_ sheet: Sheet, on canvas: Canvas) -> Int
}

extension ComponentView {
    static var endsInRowCount: Bool { false }
    static func typed(_ text: String) -> ShopAction? { nil }
    static var erased: ShopAction? { nil }
    static func rows(_ sheet: Sheet, on canvas: Canvas) -> Int { 0 }
    static func entries(on canvas: Canvas) -> [Entry] { [] }
    static func scrolling(on canvas: Canvas) -> Scrolling {
        Scrolling(rows: canvas.layout.body.rows)
    }
}

extension RowWindow {
    /// Its measures for the state.
    var scrolling: Scrolling { Scrolling(rows: page, scroll: first, scrollMax: scrollMax) }
}

/// The rows in sight, the scroll position and the last scroll position, all in rows.
struct Scrolling {
    var rows: Int
    var scroll = 0
    var scrollMax = 0
    /// The reader's rows in sight and around them; nil for other components.
    var text: TextRows?
}
