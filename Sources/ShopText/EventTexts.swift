package import StoreModel

/// Names of events and their contents, for the console and `watch`.
extension Strings {
    /// The kind of an event in a word or two, as the shop's logs name it: "purchased".
    ///
    /// - Parameter isRenewal: whether the sale is a further period of a subscription.
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

    /// The rate of renewals: "1 month in 0:30".
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

    /// The settings in words, the changed ones first: "payments off, Ask to Buy on, United States".
    ///
    /// - Parameter before: the settings before the event; nil if they are unknown.
    package func event(_ settings: AccountSettings, before: AccountSettings? = nil) -> String {
        func part(_ text: EventText, _ field: KeyPath<AccountSettings, Bool>) -> Part {
            Part(
                text: self[text],
                isNew: before.map { $0[keyPath: field] != settings[keyPath: field] } ?? false)
        }
        var parts = [
            part(.accountAskToBuy(isOn: settings.askToBuy), \.askToBuy),
            part(
                .accountPayments(areAllowed: settings.canMakePayments), \.canMakePayments),
        ]
        // Rare settings are named only while they are on, and when they change.
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

    /// A change of a family: "kai joined the family of me".
    ///
    /// - Parameter product: the name of the product whose sharing changed; nil if none did.
    package func event(_ change: FamilyChange, product: String?) -> String {
        self[
            .familyEvent(
                change.what, organizer: change.organizer.rawValue,
                product: product ?? change.productID?.rawValue ?? "")]
    }

    /// A family in a line: "Family: me (organizer), kai, nia (child)".
    package func family(_ family: Family) -> String {
        let members = family.members.map { member($0, of: family) }
        return self[.familyLine(members: members.joined(separator: self[.listSeparator]))]
    }

    /// The members of a family: "me (organizer)", "kai", "nia (child)".
    package func member(_ member: Family.Member, of family: Family) -> String {
        let name = member.account.rawValue
        if member.account == family.organizer { return self[.familyOrganizer(name)] }
        return member.role == .child ? self[.familyChild(name)] : name
    }

    /// A notice in a line: "One device, many accounts: terminal of aoi, kai, me".
    package func notice(_ notice: AccountNotice) -> String {
        // The beginning of a digest is enough to distinguish it from others.
        let isDigest = notice.kind == .applicationUsername
        let subject = isDigest ? notice.subject.prefix(12) + "…" : notice.subject[...]
        let more = notice.accounts.count == AccountNotice.accountsMax ? ["…"] : []
        return self[
            .noticeLine(
                notice.kind, subject: String(subject),
                accounts: (notice.accounts.map(\.rawValue) + more).joined(
                    separator: self[.listSeparator]))]
    }

    /// The state of the clock: "stopped".
    package func event(_ clock: ClockState) -> String {
        self[clock.isStopped ? .stopped : .running]
    }

    /// A move of the clock in words: "moved 31 days ahead to Dec 22, 14:02:11"; nil if the clock
    /// was only stopped or started, or if its earlier state is unknown.
    package func clockMoved(from before: ClockState?, to clock: ClockState, at instant: Timestamp)
        -> String?
    {
        guard let jump = before?.jump(to: clock) else { return nil }
        return self[.clockMoved(by: length(milliseconds: jump), to: self.instant(instant))]
    }

    /// A length of time in its largest unit: "31 days", "5 h".
    private func length(milliseconds: Int64) -> String {
        let days = milliseconds / 86_400_000
        return days >= 2
            ? self[.lengthOfTime(Int(clamping: days), .day)]
            : roughly(seconds: milliseconds / 1000)
    }

    /// A claimed transaction and its device: "1000003 by tablet".
    package func claimed(_ id: TransactionID, by device: DeviceName) -> String {
        self[.claimedBy(transaction: id.description, device: device.rawValue)]
    }

    /// A fault that was set: "networkError for the next purchase".
    package func faultSet(_ fault: Fault) -> String {
        self[
            .failureForNext(
                error: fault.error.rawValue, call: fault.call, count: fault.remaining)]
    }

    /// A fault that has ended: "networkError: used up".
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

extension ClockState {
    /// The milliseconds by which the store's time moves when the clock changes from this state to
    /// `other`; nil if the clock is only stopped or started.
    package func jump(to other: ClockState) -> Int64? {
        let jump: Int64
        switch (self, other) {
        case (.running(let before), .running(let after)):
            jump = after.subtractingReportingOverflow(before).partialValue
        case (.stopped(let before), .stopped(let after)):
            jump = after.milliseconds.subtractingReportingOverflow(before.milliseconds).partialValue
        case (.running, .stopped), (.stopped, .running): return nil
        }
        // Stopping and starting a clock by hand shifts it by less than a second, which is not a
        // move.
        return jump >= 1000 ? jump : nil
    }
}

/// The text of one setting.
private struct Part {
    var text: String
    /// Whether the setting differs from the one before.
    var isNew: Bool
}
