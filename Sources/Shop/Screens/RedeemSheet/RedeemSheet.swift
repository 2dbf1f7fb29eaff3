import ShopText
package import StoreModel

/// A field for an offer code. Finding the code's offer redeems nothing: the payment sheet that
/// follows redeems it (StoreKit: `presentOfferCodeRedeemSheet`).
package struct RedeemSheet: Hashable, Sendable {
    /// As the customer has typed it so far.
    package internal(set) var code = ""
    /// Whether the store is being asked for the code's product and offer.
    package internal(set) var isAsking = false
    /// Why the code cannot be redeemed; nil before an answer, and after typing.
    package internal(set) var error: StoreError?
}

/// The actions of the sheet for an offer code.
package enum RedeemSheetAction: ComponentAction {
    case opened
    case typed(String)
    /// Backspace.
    case erased
    /// The answers to `ShopEffect.findRedemption`.
    case found(code: String, CodeRedemption)
    case failed(code: String, StoreError)

    package func reduce(_ shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        if case .opened = self { return shop.openRedeemSheet(moment) }
        guard case .redeem(var sheet) = shop.sheet else { return [] }
        switch self {
        case .opened: return []
        case .typed(let text): sheet.change(to: TypedText.appending(text, to: sheet.code))
        case .erased: sheet.change(to: String(sheet.code.dropLast()))
        case .found(let code, let redemption):
            guard sheet.isAsking, sheet.code == code else { return [] }
            shop.sheet = nil
            return shop.redeem(redemption, moment)
        case .failed(let code, let error):
            guard sheet.isAsking, sheet.code == code else { return [] }
            sheet.isAsking = false
            sheet.error = error
        }
        shop.sheet = .redeem(sheet)
        return []
    }
}

extension RedeemSheet {
    /// A later answer to the previous code is ignored.
    fileprivate mutating func change(to text: String) {
        code = text
        isAsking = false
        error = nil
    }
}

extension ShopAction {
    package static func redeemSheet(_ action: RedeemSheetAction) -> ShopAction {
        .component(action)
    }
}

extension RedeemSheet: ShopComponent {
    /// Asks the store for the code's product and offer.
    static func confirm(in shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        guard case .redeem(var open) = shop.sheet, !open.isAsking,
            open.code.contains(where: { !$0.isWhitespace })
        else { return [] }
        open.isAsking = true
        open.error = nil
        shop.sheet = .redeem(open)
        return [.findRedemption(code: open.code)]
    }
}

extension ShopState {
    fileprivate mutating func openRedeemSheet(_ moment: ShopMoment) -> [ShopEffect] {
        guard sheet == nil else { return [] }
        guard opening == .open else { return refuse(.stillOpening, moment) }
        if let error = snapshot.whyOffline { return announce(.trouble(error), moment) }
        guard snapshot.isSignedIn else { return openQuestion(.signIn(for: nil)) }
        if list.search?.isTyping == true { list.search?.isTyping = false }
        sheet = .redeem(RedeemSheet())
        return []
    }
}
