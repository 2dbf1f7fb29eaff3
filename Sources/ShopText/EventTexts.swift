package import StoreModel

/// Names for the contents of events, in the console and in `watch`.
extension Strings {
    /// "purchased": the kind of an event in a word or two, as the logs of the shop name it.
    ///
    /// - Parameter isRenewal: whether a sale is a subscription's next period.
    package func event(_ kind: EventKind, isRenewal: Bool = false) -> String {
        switch kind {
        case .sold: self[isRenewal ? .eventRenewed : .eventPurchased]
        case .deferred: self[.eventDeferred]
        case .failed: self[.eventFailed]
        case .purchaseCancelled: self[.eventCancelled]
        case .promoted: self[.eventPromoted]
        case .refundRequested: self[.eventRefundRequested]
        case .refundDeclined: self[.eventRefundDeclined]
        case .finished: self[.eventFinished]
        case .claimed: self[.eventClaimed]
        case .refunded: event(RevisionKind.refunded)
        case .revoked: event(RevisionKind.revoked)
        case .refundReversed: event(RevisionKind.refundReversed)
        case .expiryMoved: event(RevisionKind.expiryMoved)
        case .upgraded: event(RevisionKind.upgraded)
        case .deleted: self[.eventDeleted]
        case .autoRenewEnabled: "\(self[.eventRenews]) \(self[.on])"
        case .autoRenewDisabled: "\(self[.eventRenews]) \(self[.off])"
        case .expired: self[.eventExpired]
        case .billingFailed: self[.eventBilling]
        case .priceIncrease: self[.eventPriceIncrease]
        case .planChange: self[.eventPlanChange]
        case .offerRedeemed: self[.eventOffer]
        case .accountChanged: self[.eventAccount]
        case .familyChanged: self[.eventFamily]
        case .catalogRevised: self[.eventCatalog]
        case .clockSet: self[.eventClock]
        case .renewalsSet: self[.eventRenewals]
        case .faultSet, .faultCleared: self[.eventFailure]
        case .unknown: self[.eventUnknown]
        }
    }

    /// "1 month in 0:30": how quickly the periods of subscriptions pass.
    package func renewalRate(_ rate: RenewalRate) -> String {
        let period: SubscriptionPeriod
        switch rate {
        case .realTime: return self[.realTime]
        case .oneHourIsOneDay, .thirtyMinutesIsOneDay, .fiveMinutesIsOneDay,
            .oneMinuteIsOneDay, .thirtySecondsIsOneDay, .oneSecondIsOneDay:
            period = SubscriptionPeriod(unit: .day, value: 1)
        case .monthlyRenewalEveryHour, .monthlyRenewalEveryThirtyMinutes,
            .monthlyRenewalEveryFifteenMinutes, .monthlyRenewalEveryFiveMinutes,
            .monthlyRenewalEveryThirtySeconds, .oneRenewalEveryFifteenMinutes,
            .oneRenewalEveryFiveMinutes, .oneRenewalEveryMinute,
            .oneRenewalEveryThirtySeconds, .oneRenewalEveryTenSeconds,
            .oneRenewalEveryTwoSeconds:
            period = SubscriptionPeriod(unit: .month, value: 1)
        }
        return self[
            .rateOf(
                length(period), time: Measures.clock(seconds: Double(rate.seconds(of: period) ?? 0))
            )]
    }

    /// "refunded"
    package func event(_ kind: RevisionKind) -> String {
        switch kind {
        case .refunded: self[.eventRefunded]
        case .revoked: self[.eventRevoked]
        case .refundReversed: self[.eventReversed]
        case .expiryMoved: self[.eventMoved]
        case .upgraded: self[.eventUpgraded]
        }
    }

    /// "billing"
    package func event(_ event: SubscriptionEvent) -> String {
        switch event.kind {
        case .expired: self[.eventExpired]
        case .billingFailed, .graceBegan, .graceEnded, .billingRetryBegan, .billingRetryFailed:
            self[.eventBilling]
        case .priceIncreaseAsked, .priceIncreaseAgreed, .priceIncreaseNotified:
            self[.eventPriceIncrease]
        case .planChangePlanned, .planChangeTakenBack: self[.eventPlanChange]
        case .offerRedeemed: self[.eventOffer]
        }
    }

    /// "payments off, Ask to Buy on, United States": first what is other than before.
    ///
    /// - Parameter before: the settings before the event; nil where they are not known.
    package func event(_ settings: AccountSettings, before: AccountSettings? = nil) -> String {
        func part(_ text: ScreenText, _ field: KeyPath<AccountSettings, Bool>) -> Part {
            Part(
                text: self[text],
                isNew: before.map { $0[keyPath: field] != settings[keyPath: field] } ?? false)
        }
        var parts = [
            part(.accountAskToBuy(isOn: settings.askToBuy), \.askToBuy),
            part(
                .accountPayments(areAllowed: settings.canMakePayments), \.canMakePayments),
        ]
        // These are rare: told while they are on, and when they change.
        let rare = [
            (settings.asksBank, part(.accountAsksBank(isOn: settings.asksBank), \.asksBank)),
            (
                settings.interruptsPurchases,
                part(
                    .accountInterrupts(isOn: settings.interruptsPurchases),
                    \.interruptsPurchases)
            ),
            (
                settings.disablesDialogs,
                part(.accountDialogs(isOn: !settings.disablesDialogs), \.disablesDialogs)
            ),
            (
                settings.locale != nil,
                Part(
                    text: self[.accountLocale(settings.locale)],
                    isNew: before.map { $0.locale != settings.locale } ?? false)
            ),
        ]
        parts += rare.filter { $0.0 || $0.1.isNew }.map(\.1)
        parts.append(
            Part(
                text: territoryName(settings.territory),
                isNew: before.map { $0.territory != settings.territory } ?? false))
        return (parts.filter(\.isNew) + parts.filter { !$0.isNew }).map(\.text)
            .joined(separator: self[.listSeparator])
    }

    /// "kai joined the family of me"
    ///
    /// - Parameter product: the name of the product that is shared or not; nil if none is.
    package func event(_ change: FamilyChange, product: String?) -> String {
        self[
            .familyEvent(
                change.what, organizer: change.organizer.rawValue,
                product: product ?? change.productID?.rawValue ?? "")]
    }

    /// "Family: me (organizer), kai, nia (child)"
    package func family(_ family: Family) -> String {
        let members = family.members.map { member($0, of: family) }
        return self[.familyLine(members: members.joined(separator: self[.listSeparator]))]
    }

    /// "me (organizer)", "kai", "nia (child)"
    package func member(_ member: Family.Member, of family: Family) -> String {
        let name = member.account.rawValue
        if member.account == family.organizer { return self[.familyOrganizer(name)] }
        return member.role == .child ? self[.familyChild(name)] : name
    }

    /// "One device, many accounts: terminal of aoi, kai, me"
    package func notice(_ notice: AccountNotice) -> String {
        // Of a digest the beginning is enough to tell it from others.
        let isDigest = notice.kind == .applicationUsername
        let subject = isDigest ? notice.subject.prefix(12) + "…" : notice.subject[...]
        let more = notice.accounts.count == AccountNotice.accountsMax ? ["…"] : []
        return self[
            .noticeLine(
                notice.kind, subject: String(subject),
                accounts: (notice.accounts.map(\.rawValue) + more).joined(
                    separator: self[.listSeparator]))]
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
        fault.isInForce
            ? self[.failureLeft(error: fault.error.rawValue, count: fault.remaining)]
            : self[.failureUsedUp(error: fault.error.rawValue)]
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

/// A part of what is told about settings.
private struct Part {
    var text: String
    /// Whether it differs from the settings before.
    var isNew: Bool
}
