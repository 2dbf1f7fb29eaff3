package import StoreModel

/// A screen: the body of the display, below any sheet or help.
package enum Screen: Hashable, Sendable {
    case list
    case product(ProductID)
    case library
    case subscription(SubscriptionGroupID)
    case reader(ProductID)
    case receipt
    case history
    case console
    case details
    case trials
    case server

    package var component: Component {
        switch self {
        case .list: .list
        case .product: .page
        case .library: .library
        case .subscription: .subscription
        case .reader: .reader
        case .receipt: .receipt
        case .history: .history
        case .console: .console
        case .details: .details
        case .trials: .trials
        case .server: .server
        }
    }

    package var fillsBody: Bool { component.type.fillsBody }
}

/// A panel at the lower edge that takes all keys while it is open.
package indirect enum Sheet: Hashable, Sendable {
    case payment(PaymentSheet)
    case failure(FailureSheet)
    case chapters(ChapterSheet)
    case question(QuestionSheet)
    case redeem(RedeemSheet)
    case palette(Palette)

    package var component: Component {
        switch self {
        case .payment: .paymentSheet
        case .failure: .failureSheet
        case .chapters: .chapterSheet
        case .question: .questionSheet
        case .redeem: .redeemSheet
        case .palette: .palette
        }
    }
}

/// The effects of the general keys in a component. A component's own keys are its
/// `ComponentAction`. The defaults ignore a key.
protocol ShopComponent {
    /// Whether the screen fills the body even where list and page fit side by side.
    static var fillsBody: Bool { get }
    /// The product that the screen shows or has selected; nil for none.
    static func selectedProduct(in shop: ShopState) -> Product?
    /// Handles the keys up, down, page up and down, first and last, and the wheel.
    static func move(_ movement: Movement, in shop: inout ShopState, _ moment: ShopMoment)
        -> [ShopEffect]
    /// Handles the keys left (negative) and right (positive), which choose a button.
    static func choose(_ step: Int, in shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect]
    /// Handles Enter.
    static func confirm(in shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect]
    /// Handles Esc.
    static func goBack(in shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect]
}

extension ShopComponent {
    static var fillsBody: Bool { true }
    static func selectedProduct(in shop: ShopState) -> Product? { nil }
    static func move(_ movement: Movement, in shop: inout ShopState, _ moment: ShopMoment)
        -> [ShopEffect]
    { [] }
    static func choose(_ step: Int, in shop: inout ShopState, _ moment: ShopMoment)
        -> [ShopEffect]
    { [] }
    static func confirm(in shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] { [] }
    static func goBack(in shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        if shop.sheet == nil { shop.navigation.goBack() } else { shop.sheet = nil }
        return []
    }
}

/// An action of one component: the effect of one of its own keys or clicks, as a value.
package protocol ComponentAction: Sendable {
    /// Applies the action. Pure, as `ShopState.reduce` is.
    func reduce(_ shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect]
}

extension ShopState {
    /// An open help or sheet, otherwise a field while typed into, otherwise the screen.
    package var focus: Component {
        if help != nil { return .help }
        if let sheet { return sheet.component }
        if focusedLog?.isTyping == true { return .logFilter }
        if screen == .server, server.address != nil { return .addressLine }
        if navigation.isConsolePaneFocused, viewport.panes > 2 { return .console }
        if screen == .list, list.search?.isTyping == true { return .search }
        return screen.component
    }
}
