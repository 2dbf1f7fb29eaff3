import StoreModel

/// The kind of a line of an event log, which the screen names in its second column. A filter takes
/// these names (`LogFilter`); the wording knows them in the person's language.
package enum LogKind: Hashable, Sendable, CaseIterable {
    case purchased, renewed, asks, promoted, failed, asksRefund, noRefund, refunded, revoked,
        reversed, deleted, autoRenew, expired, billing, priceIncrease, planChange, moved, upgraded
    case finished, claimed, account, family, catalog
    /// The store's clock, the rate of renewals, and failures that the operator has set.
    case clock, renewals, failure
    /// Only in the device's own log.
    case restored, download, cancelled, held, resent, device, trouble
    /// Written by a newer program.
    case unknown

    /// The kinds of store events that have this name; empty for kinds of the device's log.
    var events: Set<EventKind> {
        switch self {
        case .purchased, .renewed: [.sold]
        case .asks: [.deferred]
        case .promoted: [.promoted]
        case .asksRefund: [.refundRequested]
        case .noRefund: [.refundDeclined]
        case .cancelled: [.purchaseCancelled]
        case .failed: [.failed]
        case .refunded: [.refunded]
        case .revoked: [.revoked]
        case .reversed: [.refundReversed]
        case .deleted: [.deleted]
        case .autoRenew: [.autoRenewEnabled, .autoRenewDisabled]
        case .expired: [.expired]
        case .billing: [.billingFailed]
        case .priceIncrease: [.priceIncrease]
        case .planChange: [.planChange, .offerRedeemed]
        case .moved: [.expiryMoved]
        case .upgraded: [.upgraded]
        case .finished: [.finished]
        case .claimed: [.claimed]
        case .account: [.accountChanged]
        case .family: [.familyChanged]
        case .catalog: [.catalogRevised]
        case .clock: [.clockSet]
        case .renewals: [.renewalsSet]
        case .failure: [.faultSet, .faultCleared]
        case .unknown: [.unknown]
        case .restored, .download, .held, .resent, .device, .trouble: []
        }
    }

    /// Whether entries of the device's log have this name.
    var isOfDevice: Bool {
        switch self {
        case .restored, .download, .cancelled, .held, .resent, .device, .trouble, .catalog,
            .unknown:
            true
        default: false
        }
    }

    /// Whether a log of this scope has lines of the kind. The operator's changes to the whole store
    /// are only in the console's log.
    package func isIn(_ scope: LogQuery.Scope) -> Bool {
        switch self {
        case .clock, .renewals, .failure, .unknown: scope == .store
        default: true
        }
    }
}

extension LogLine {
    /// The kind under which the screen names the line.
    package var kind: LogKind {
        switch self {
        case .event(let event): Self.kind(of: event)
        case .entry(let entry): Self.kind(of: entry.what)
        }
    }

    private static func kind(of event: StoreEvent) -> LogKind {
        switch event.change {
        case .sold(let sale): sale.reason == .renewal ? .renewed : .purchased
        case .revised(let revision):
            switch revision.kind {
            case .refunded: .refunded
            case .revoked: .revoked
            case .refundReversed: .reversed
            case .expiryMoved: .moved
            case .upgraded: .upgraded
            }
        case .deleted: .deleted
        case .autoRenewChanged: .autoRenew
        case .subscriptionChanged(let event):
            switch event.kind {
            case .expired: .expired
            case .billingFailed, .graceBegan, .graceEnded, .billingRetryBegan,
                .billingRetryFailed:
                .billing
            case .priceIncreaseAsked, .priceIncreaseAgreed, .priceIncreaseNotified: .priceIncrease
            case .planChangePlanned, .planChangeTakenBack, .offerRedeemed: .planChange
            }
        case .deferred: .asks
        case .promoted: .promoted
        case .refundRequested: .asksRefund
        case .refundDeclined: .noRefund
        case .purchaseCancelled: .cancelled
        case .failed: .failed
        case .finished: .finished
        case .claimed: .claimed
        case .catalogRevised: .catalog
        case .accountChanged: .account
        case .familyChanged: .family
        case .clockSet: .clock
        case .renewalsSet: .renewals
        case .faultSet, .faultCleared: .failure
        case .unknown: .unknown
        }
    }

    private static func kind(of what: DeviceLogEntry.What) -> LogKind {
        switch what {
        case .restored, .restoreFailed: .restored
        case .downloaded, .downloadFailed, .downloadPaused, .downloadResumed, .downloadCancelled,
            .contentDeleted:
            .download
        case .purchaseCancelled: .cancelled
        case .paymentHeld: .held
        case .paymentResent: .resent
        case .catalogRefused, .catalogNoted: .catalog
        case .network, .signedIn, .leaseTaken: .device
        case .trouble: .trouble
        case .unknown: .unknown
        }
    }
}
