import ShopCore
import ShopText
import Terminal

/// The drawing and the keys of a component. The type that is its `ShopComponent` in `ShopCore`
/// conforms to this in the folder of the same name here.
protocol ComponentView: SendableMetatype {
    /// Its keys, those for the footer first and the most useful of them first.
    static var keys: [KeyBinding] { get }
    /// The title above its keys in the help; nil if the help does not list them.
    static var helpTitle: ScreenText? { get }
    /// Draws it in its area of the canvas.
    static func draw(on canvas: inout Canvas)
    /// The rows of its scrolling part, and how far that is scrolled.
    static func scrolling(on canvas: Canvas) -> Scrolling
    /// Its lines that match the typed filter, in order; empty where nothing is filtered.
    static func entries(on canvas: Canvas) -> [Entry]
    /// The action of typed or pasted text; nil where text is not taken.
    static func typed(_ text: String) -> ShopAction?
    /// The action of Backspace where text is taken; nil elsewhere.
    static var erased: ShopAction? { get }
    /// How many rows a sheet takes at the lower edge; 0 for a component that is no sheet.
    static func rows(_ sheet: Sheet, on canvas: Canvas) -> Int
}

extension ComponentView {
    static func typed(_ text: String) -> ShopAction? { nil }
    static var erased: ShopAction? { nil }
    static func rows(_ sheet: Sheet, on canvas: Canvas) -> Int { 0 }
    static func entries(on canvas: Canvas) -> [Entry] { [] }
    static func scrolling(on canvas: Canvas) -> Scrolling {
        Scrolling(rows: canvas.layout.body.rows)
    }
}

/// How many rows of a component scroll, and how far it is and can be scrolled.
struct Scrolling {
    var rows: Int
    var scroll = 0
    var scrollMax = 0
    /// The rows of the reader's text around those in sight.
    var text: TextRows?
}

extension Component {
    /// How this component is drawn and which keys it has: the conformance of its type to
    /// `ComponentView`, which stands in its folder. `Component` is the one list of them.
    var view: any ComponentView.Type { Self.views[rawValue] }

    private static let views = allCases.map { component in
        guard let view = component.definition as? any ComponentView.Type else {
            preconditionFailure("\(component.definition) is not a ComponentView.")
        }
        return view
    }
}
