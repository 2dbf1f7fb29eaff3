package import StoreModel

/// What the contents of events are called, for the console and for `watch`.
extension Strings {
    /// "refunded"
    package func event(_ kind: RevisionKind) -> String {
        switch kind {
        case .refunded: self[.eventRefunded]
        case .revoked: self[.eventRevoked]
        case .refundReversed: self[.eventReversed]
        }
    }

    /// "Ask to Buy on, payments allowed, USA"
    package func event(_ settings: AccountSettings) -> String {
        self[
            .accountSettings(
                askToBuy: settings.askToBuy, canPay: settings.canMakePayments,
                territory: settings.territory)]
            + (settings.asksBank ? self[.asksBankToo] : "")
            + (settings.interruptsPurchases ? self[.interruptsPurchasesToo] : "")
    }

    /// "stopped"
    package func event(_ clock: ClockState) -> String {
        self[clock.isStopped ? .stopped : .running]
    }

    /// "1000003 by tablet"
    package func claimed(_ id: TransactionID, by device: DeviceName) -> String {
        self[.claimedBy(transaction: id.description, device: device.rawValue)]
    }

    /// "networkError for the next purchase"
    package func faultSet(_ fault: Fault) -> String {
        self[
            .failureForNext(
                error: fault.error.rawValue, call: fault.call, count: fault.remaining)]
    }

    /// "networkError: used up"
    package func faultCleared(_ fault: Fault) -> String {
        fault.remaining == 0
            ? self[.failureUsedUp(error: fault.error.rawValue)]
            : self[.failureLeft(error: fault.error.rawValue, count: fault.remaining)]
    }

    /// "waiting for approval"
    package func waiting(for reason: RequestReason) -> String {
        switch reason {
        case .askToBuy: self[.waitingForApproval]
        case .authentication: self[.waitingForBank]
        case .interrupted: self[.interrupted]
        }
    }
}
