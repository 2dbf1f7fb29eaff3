import StoreModel

/// Which notification tells of an entry of the ledger (App Store Server Notifications V2). Pure: a
/// function of the entry and of what was before it.
enum NotificationRules {
    /// What becomes of an entry.
    enum Telling: Hashable, Sendable {
        case told(NotificationKind)
        case untold(Silence)
    }

    /// Why no notification tells of an entry.
    enum Silence: Hashable, Sendable, CaseIterable {
        /// A failed charge is told when its period is over, by DID_FAIL_TO_RENEW.
        case toldAtTheEnd
        /// Another entry of the same decision is told: the sale of the other plan, EXPIRED, or
        /// DID_RENEW.
        case toldByAnother
        /// The refund that was reversed is the owner's, whose notification tells of it.
        case toldToOwner
        /// The field deletes nothing.
        case deletes
        /// Nothing was sold yet, or ever.
        case sellsNothing
        /// A device, or the app's backend itself, did it.
        case ofTheApp
        /// What a setting causes has entries of its own.
        case setting
        /// Notifications do not tell of notifications.
        case ofTheOutbox
        /// A newer program knows what it is.
        case unknown
    }

    /// What an entry does not say of itself.
    struct Before: Hashable, Sendable {
        /// Whether another plan was ended by a change of plan at the same instant.
        var endedAnotherPlan = false
        /// Whether a charge for this period had failed until after the end of the one before.
        var isRecovery = false
        /// Whether the entry's transaction is a family share.
        var isShare = false
    }

    static func telling(_ recorded: RecordedEntry, _ before: Before = Before()) -> Telling {
        switch recorded.entry.fact {
        case .sold(let sale): .told(kind(of: sale, before))
        case .revised(let revision): telling(revision, at: recorded.entry.effectiveAt, before)
        case .refundRequested: .told(NotificationKind(.consumptionRequest))
        case .refundDeclined: .told(NotificationKind(.refundDeclined))
        case .autoRenewChanged(let change): telling(change)
        case .subscriptionChanged(let change): telling(change)
        case .extensionDone: .told(NotificationKind(.renewalExtension, .summary))
        case .deferred, .failed, .purchaseCancelled, .promoted: .untold(.sellsNothing)
        case .finished, .claimed, .consumptionAnswered, .valueChanged: .untold(.ofTheApp)
        case .familyChanged(let change) where change.eventKind == .consentRescinded:
            .told(NotificationKind(.rescindConsent))
        case .storeOpened, .catalogRevised, .accountChanged, .familyChanged, .faultSet,
            .faultSpent, .faultsCleared, .clockSet, .renewalsSet, .extensionAsked, .serverSet,
            .moved:
            .untold(.setting)
        case .outbox: .untold(.ofTheOutbox)
        case .unknown: .untold(.unknown)
        }
    }

    private static func kind(of sale: Sale, _ before: Before) -> NotificationKind {
        guard sale.type == .autoRenewable else { return NotificationKind(.oneTimeCharge) }
        let isShareOfRenewal = sale.share?.isRenewal == true && sale.original != nil
        if sale.cause == .renewal || isShareOfRenewal {
            return NotificationKind(.didRenew, before.isRecovery ? .billingRecovery : nil)
        }
        guard !before.endedAnotherPlan else {
            // An introductory offer is none that a customer redeems.
            let isRedeemed = sale.offer.map { $0.kind != .introductory } ?? false
            return NotificationKind(isRedeemed ? .offerRedeemed : .didChangeRenewalPref, .upgrade)
        }
        return NotificationKind(.subscribed, sale.original == nil ? .initialBuy : .resubscribe)
    }

    private static func telling(
        _ revision: TransactionRevision, at instant: Timestamp, _ before: Before
    ) -> Telling {
        switch revision.change {
        case .refunded, .revoked: .told(NotificationKind(before.isShare ? .revoke : .refund))
        case .refundReversed:
            before.isShare ? .untold(.toldToOwner) : .told(NotificationKind(.refundReversed))
        case .expiryMoved:
            // A subscription that is ended, or renewed at once, ends now.
            revision.state.expiresDate.map { $0 > instant } ?? false
                ? .told(NotificationKind(.renewalExtended)) : .untold(.toldByAnother)
        case .upgraded: .untold(.toldByAnother)
        case .tokenSet: .untold(.ofTheApp)
        case .deleted: .untold(.deletes)
        }
    }

    private static func telling(_ change: AutoRenewChange) -> Telling {
        switch change.reason {
        case .expired: .untold(.toldByAnother)
        case .chosen, .renewalLimit, .productUnavailable, .revoked, .priceDeclined:
            .told(
                NotificationKind(
                    .didChangeRenewalStatus, change.isOn ? .autoRenewEnabled : .autoRenewDisabled))
        }
    }

    private static func telling(_ change: SubscriptionChange) -> Telling {
        switch change.event.kind {
        case .expired: .told(NotificationKind(.expired, subtype(of: change.event.reason)))
        case .billingFailed, .billingRetryFailed: .untold(.toldAtTheEnd)
        case .graceBegan: .told(NotificationKind(.didFailToRenew, .gracePeriod))
        case .billingRetryBegan: .told(NotificationKind(.didFailToRenew))
        case .graceEnded: .told(NotificationKind(.gracePeriodExpired))
        case .priceIncreaseAsked: .told(NotificationKind(.priceIncrease, .pending))
        case .priceIncreaseAgreed, .priceIncreaseNotified:
            .told(NotificationKind(.priceIncrease, .accepted))
        case .planChangePlanned:
            .told(
                NotificationKind(
                    change.state.redeemsOffer ? .offerRedeemed : .didChangeRenewalPref, .downgrade))
        case .planChangeTakenBack: .told(NotificationKind(.didChangeRenewalPref))
        case .offerRedeemed: .told(NotificationKind(.offerRedeemed))
        }
    }

    private static func subtype(of reason: ExpirationReason?) -> NotificationSubtype? {
        switch reason {
        case .autoRenewDisabled: .voluntary
        case .billingError: .billingRetry
        case .didNotConsentToPriceIncrease: .priceIncrease
        case .productUnavailable: .productNotForSale
        case .other, nil: nil
        }
    }
}

extension SubscriptionState {
    /// Whether the next renewal begins with an offer that a customer has redeemed.
    fileprivate var redeemsOffer: Bool { nextOffer != nil || afterCommitment?.offer != nil }
}
