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

    /// "payments off, Ask to Buy on, USA": first what is other than before.
    ///
    /// - Parameter before: the settings before the event; nil where they are not known.
    package func event(_ settings: AccountSettings, before: AccountSettings? = nil) -> String {
        let parts: [(text: String, isNew: Bool)] = [
            (
                self[.accountAskToBuy(isOn: settings.askToBuy)],
                before.map { $0.askToBuy != settings.askToBuy } ?? false
            ),
            (
                self[.accountPayments(areAllowed: settings.canMakePayments)],
                before.map { $0.canMakePayments != settings.canMakePayments } ?? false
            ),
            (settings.territory, before.map { $0.territory != settings.territory } ?? false),
        ]
        return (parts.filter(\.isNew) + parts.filter { !$0.isNew }).map(\.text)
            .joined(separator: self[.listSeparator])
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
        self[.failureForNext(error: fault.error.rawValue, count: fault.remaining)]
    }

    /// "networkError: used up"
    package func faultCleared(_ fault: Fault) -> String {
        fault.isInForce
            ? self[.failureLeft(error: fault.error.rawValue, count: fault.remaining)]
            : self[.failureUsedUp(error: fault.error.rawValue)]
    }
}
