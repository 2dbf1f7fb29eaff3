import StoreModel

/// Signing in to the App Store on this device, and out.
package enum SignInAction: ComponentAction {
    /// Signs out, or asks for the account.
    case toggled

    package func reduce(_ shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        switch self {
        case .toggled:
            guard shop.opening == .open else { return shop.refuse(.stillOpening, moment) }
            guard shop.snapshot.isSignedIn else { return shop.askToSignIn(for: nil) }
            return [.setSignedIn(false)]
        }
    }
}

extension ShopAction {
    /// An action of the account on this device.
    package static func signIn(_ action: SignInAction) -> ShopAction { .component(action) }
}

extension ShopState {
    /// Asks for the account.
    ///
    /// - Parameter product: the product that the person is about to buy, whose purchase goes on
    ///   afterwards; nil if nothing.
    mutating func askToSignIn(for product: ProductID?) -> [ShopEffect] {
        guard sheet == nil else { return [] }
        sheet = .question(QuestionSheet(.signIn(for: product)))
        return []
    }

    /// Signs in, and goes on with a purchase once the device says so.
    mutating func signIn(for product: ProductID?) -> [ShopEffect] {
        purchasing.afterSignIn = product
        return [.setSignedIn(true)]
    }

    /// Announces that somebody signed in or out since the snapshot before. A purchase that waited
    /// for it goes on with its payment sheet.
    ///
    /// - Parameter wasKnown: false for the first snapshot, which finds the account as it was.
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
