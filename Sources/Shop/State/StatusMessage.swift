package import ShopText
package import StoreModel

/// The message above the footer, about the latest occurrence. Its text is a value that
/// the language tables of `ShopText` answer.
package struct StatusMessage: Hashable, Sendable {
    /// In the store's time.
    package var at: Timestamp
    package var what: StatusText
    /// When the message fades, in elapsed time since the program began.
    package var fadesAt = StatusMessage.lasting
    /// How many it and its predecessors replaced before they faded; only those of `isInHistory`.
    package var replaced = 0
    /// Whether this shop has added the message to the device's log, which the history shows.
    var isLogged = false

    package static let lasting = Duration.seconds(6)

    /// Not the result of a key or a purchase, so it must not hide another message: it waits until
    /// the row is free, and is shown again if another message replaced it before it faded.
    var isNotice: Bool {
        if case .updatesFound = what { return true }
        if case .catalogNotice = what { return true }
        if case .settings(.settingsFaulty) = what { return true }
        if case .clockSetBack = what { return true }
        if case .reopened = what { return true }
        return what == .catalogRevised || what == .notWatching
    }

    /// An event of the account or an entry of the device's log tells the same (see `replaced`).
    var isInHistory: Bool {
        if isLogged { return true }
        return switch what {
        case .content(.makeRoom, name: _): false
        case .bought, .shared, .familyChanged, .renewed, .subscription, .autoRenew, .pending,
            .cancelled, .resending, .held,
            .restored, .restoreFailed, .downloaded, .content, .updateCancelled,
            .refundRequested, .refundDeclined, .promoted,
            .revised, .deleted, .askToBuy, .payments, .catalogRefused, .tookOver,
            .outcomeUnknown,
            // The device logs it when its observer rejects the transaction.
            .unverified:
            true
        // The history records refusals of the store, and downloads that have ended.
        case .failed(_, let error): !Self.unrecorded.contains(error.code)
        case .downloadFailed(_, let error):
            !error.isNetworkOff && !Self.unrecorded.contains(error.code)
        default: false
        }
    }

    /// Of calls that the store did not answer, and of downloads that are retried.
    private static let unrecorded: Set<StoreError.Code> = [
        .networkError, .storeBusy, .storeFull, .storeReadOnly, .storeUnreadable, .storeReplaced,
        .storeUnreachable, .storeMoved, .deviceFull,
    ]
}

extension StatusText {
    /// Whether the other message corrects this one: it says that the resumed download waits.
    func isCorrected(by other: StatusText) -> Bool {
        guard case .content(.resumeDownloads, let name) = self,
            case .downloadWaits(name, _) = other
        else { return false }
        return true
    }
}

extension PastPayment {
    init(_ queued: QueuedPayment, in state: ShopState) {
        let payment = queued.payment
        self.init(
            name: state.name(of: payment.productID), quantity: payment.quantity,
            price: state.productList.product(payment.productID).map {
                Price(
                    money: payment.shownPrice.multiplied(by: payment.quantity),
                    locale: $0.priceLocale)
            }, queuedAt: queued.queuedAt)
    }
}
