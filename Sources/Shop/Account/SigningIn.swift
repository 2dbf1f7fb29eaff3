import ShopText
import StoreModel

/// Signing in to the App Store on this device, and signing out.
package enum SignInAction: ComponentAction {
    /// Asks whether to sign out if an account is signed in; otherwise whether to sign in.
    case toggled

    package func reduce(_ shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        switch self {
        case .toggled:
            guard shop.opening == .open else { return shop.refuse(.stillOpening, moment) }
            guard shop.snapshot.isSignedIn else { return shop.openQuestion(.signIn(for: nil)) }
            return shop.openQuestion(.signOut)
        }
    }
}

extension ShopAction {
    package static func signIn(_ action: SignInAction) -> ShopAction { .component(action) }
}

extension ShopState {
    /// Signs in; the purchase of `product` continues when the device reports the account.
    mutating func signIn(for product: ProductID?) -> [ShopEffect] {
        purchasing.afterSignIn = product
        return [.setSignedIn(true)]
    }

    /// Announces that an account signed in or out since the previous snapshot. A purchase that
    /// waited for it continues with its payment sheet.
    ///
    /// - Parameter wasKnown: false for the first snapshot, whose account is not a change.
    mutating func followAccount(
        from before: AccountSnapshot, wasKnown: Bool, _ moment: ShopMoment
    ) -> [ShopEffect] {
        guard snapshot.isSignedIn != before.isSignedIn else { return [] }
        let account = snapshot.isSignedIn ? shop.account : nil
        let logged = announce(
            .signedIn(as: account), loggingOnce: .signedIn(as: account), isChange: wasKnown,
            moment)
        guard snapshot.isSignedIn, let id = purchasing.afterSignIn else { return logged }
        purchasing.afterSignIn = nil
        guard sheet == nil, help == nil, let product = productList.product(id),
            refusal(toBuy: product) == nil
        else { return logged }
        sheet = .payment(PaymentSheet(product: product, change: planChange(to: product)))
        return logged
    }
}
