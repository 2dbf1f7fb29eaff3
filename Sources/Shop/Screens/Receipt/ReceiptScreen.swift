import ShopText
package import StoreModel

/// The receipt and the app transaction that the device keeps. Each is verified at every reading.
package struct ReceiptPart: Hashable, Sendable {
    /// Nil until it is read, and while the device has none.
    package var receipt: KeptReceipt?
    /// The proof that the account has the app (StoreKit: `AppTransaction`); nil until it is read.
    package var appTransaction: KeptAppTransaction?
    /// Of the last reading; nil if it succeeded.
    package var error: StoreError?
    package var isReading = false
    /// In rows.
    package var scroll = 0
}

/// The actions of the receipt's screen.
package enum ReceiptAction: ComponentAction {
    case opened
    /// Asks the store for a new receipt (StoreKit 1: `SKReceiptRefreshRequest`) and a new app
    /// transaction (StoreKit: `AppTransaction.refresh()`).
    case refreshed
    /// Nil for what the device does not have.
    case arrived(KeptReceipt?, KeptAppTransaction?)
    case failed(StoreError)
    /// Copies the signed text of the receipt.
    case copied

    package func reduce(_ shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        switch self {
        case .opened:
            guard shop.opening == .open else { return shop.refuse(.stillOpening, moment) }
            let effects =
                shop.navigation.view == .library ? [] : shop.show(.library, moment)
            return effects + shop.openReceipt()
        case .refreshed:
            guard shop.opening == .open else { return shop.refuse(.stillOpening, moment) }
            return shop.readReceipt(refreshes: true)
        case .arrived(let receipt, let appTransaction):
            shop.receipt.receipt = receipt
            shop.receipt.appTransaction = appTransaction
            shop.receipt.error = nil
            shop.receipt.isReading = false
            return []
        case .failed(let error):
            shop.receipt.error = error
            shop.receipt.isReading = false
            return shop.announce(.trouble(error), moment)
        case .copied:
            guard let receipt = shop.receipt.receipt else {
                return shop.refuse(.nothingToCopy, moment)
            }
            return shop.copy(.receipt(receipt.signed), moment)
        }
    }
}

extension ShopAction {
    package static func receipt(_ action: ReceiptAction) -> ShopAction { .component(action) }
}

/// The device's receipt and app transaction, opened from the library.
package enum ReceiptScreen: ShopComponent {
    static func move(_ movement: Movement, in shop: inout ShopState, _ moment: ShopMoment)
        -> [ShopEffect]
    {
        shop.receipt.scroll = shop.viewport.scrolled(from: shop.receipt.scroll, by: movement)
        return []
    }
}

extension ShopState {
    mutating func openReceipt() -> [ShopEffect] {
        navigation.open(.receipt)
        receipt.scroll = 0
        return readReceipt(refreshes: false)
    }

    /// Does nothing while a reading is under way.
    fileprivate mutating func readReceipt(refreshes: Bool) -> [ShopEffect] {
        guard !receipt.isReading else { return [] }
        receipt.isReading = true
        return [.readReceipt(refreshes: refreshes)]
    }
}
