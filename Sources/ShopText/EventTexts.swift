package import StoreModel

/// Names of events and their contents, for the console and `watch`.
extension Strings {
    /// The kind of an event in a word or two, as the shop's logs name it: "purchased".
    ///
    /// - Parameter isRenewal: whether the sale is a further period of a subscription.
    package func event(_ kind: EventKind, isRenewal: Bool = false) -> String {
        switch kind {
        case .sold where isRenewal: self[.eventRenewed]
        case .autoRenewEnabled: "\(self[.eventName(kind)]) \(self[.on])"
        case .autoRenewDisabled: "\(self[.eventName(kind)]) \(self[.off])"
        default: self[.eventName(kind)]
        }
    }

    /// The rate of renewals: "1 month in 0:30".
    package func renewalRate(_ rate: RenewalRate) -> String {
        let unit: SubscriptionPeriod.Unit
        switch rate.pace {
        case .realTime: return self[.realTime]
        case .day: unit = .day
        case .month, .period: unit = .month
        }
        let period = SubscriptionPeriod(unit: unit, value: 1)
        return self[
            .rateOf(
                length(period), time: Measures.clock(seconds: Double(rate.seconds(of: period) ?? 0))
            )]
    }

    /// The settings in words, the changed ones first: "payments off, Ask to Buy on, United States".
    ///
    /// - Parameter before: the settings before the event; nil if they are unknown.
    package func event(_ settings: AccountSettings, before: AccountSettings? = nil) -> String {
        func part(_ text: String, _ field: KeyPath<AccountSettings, some Equatable>) -> Part {
            Part(
                text: text,
                isNew: before.map { $0[keyPath: field] != settings[keyPath: field] } ?? false)
        }
        // Rare settings are named only while they are on, and when they change.
        var parts = AccountSwitch.allCases.compactMap { setting -> Part? in
            let isOn = settings[setting]
            let part = part(self[.accountSwitch(setting, isOn: isOn)], \.[setting])
            let isUsual = setting == .askToBuy || setting == .canMakePayments
            return isUsual || isOn || part.isNew ? part : nil
        }
        let locale = part(self[.accountLocale(settings.locale)], \.locale)
        if settings.locale != nil || locale.isNew { parts.append(locale) }
        parts.append(part(territoryName(settings.territory), \.territory))
        return (parts.filter(\.isNew) + parts.filter { !$0.isNew }).map(\.text)
            .joined(separator: self[.listSeparator])
    }

    /// How subscriptions renew, in words: only what has changed, "payments fail"; of settings whose
    /// earlier state is unknown the rate, and what differs from a new store's.
    ///
    /// - Parameter before: the settings before the event; nil if they are unknown.
    package func event(_ settings: RenewalSettings, before: RenewalSettings? = nil) -> String {
        let known = before ?? .standard
        var parts: [String] = []
        if before?.rate != settings.rate { parts.append(renewalRate(settings.rate)) }
        if settings.failsBilling != known.failsBilling {
            parts.append(self[.renewalPayments(fail: settings.failsBilling)])
        }
        if settings.hasGracePeriod != known.hasGracePeriod {
            parts.append(self[.gracePeriod(isOn: settings.hasGracePeriod)])
        }
        if settings.limit != known.limit || settings.isEndless != known.isEndless {
            let limit = settings.limit.map { RenewalsChange.Limit.count($0) }
            parts.append(
                self[
                    .renewalLimit(limit ?? (settings.isEndless ? .endless : .none), inDay: false)])
        }
        if settings.limitPerDay != known.limitPerDay {
            let limit = settings.limitPerDay.map { RenewalsChange.Limit.count($0) }
            parts.append(self[.renewalLimit(limit ?? .none, inDay: true)])
        }
        return parts.joined(separator: self[.listSeparator])
    }

    /// A change of a family: "kai joined the family of aoi"; to aoi "kai joined your family".
    ///
    /// - Parameters:
    ///   - product: the name of the product whose sharing changed; nil if none did.
    ///   - reader: the account of the customer who reads it; nil for the store's operator.
    package func event(
        _ change: FamilyChange, product: String?, reader: AccountName? = nil
    ) -> String {
        self[
            .familyEvent(
                change.what, organizer: change.organizer.rawValue,
                product: product ?? change.productID?.rawValue ?? "", reader: reader?.rawValue)]
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

    /// What follows the error of a fault: " by 10 min", " until May 3, 10:00"; empty for most.
    package func timing(of fault: Fault) -> String {
        timing(of: fault.error, fault.delayMilliseconds)
            + (fault.until.map { " " + self[.until(date($0))] } ?? "")
    }

    /// Before the fault is set: " by 10 min" for what comes late, " for 2 days" for any other.
    func timing(of error: StoreError.Code, _ milliseconds: Int64?) -> String {
        guard let milliseconds else { return "" }
        let length = length(milliseconds: milliseconds)
        let isLate = error == .deliveredLate || error == .lateAnswer
        return " " + self[isLate ? .lateBy(length) : .lasting(length)]
    }

    /// A fault that was set: "networkError for the next purchase".
    package func faultSet(_ fault: Fault) -> String {
        self[
            .failureForNext(
                error: fault.error.rawValue + timing(of: fault), call: fault.call,
                count: fault.remaining)]
    }

    /// A fault that has ended: "networkError: used up".
    package func faultCleared(_ fault: Fault) -> String {
        fault.isInForce
            ? self[.failureLeft(error: fault.error.rawValue, count: fault.remaining)]
            : self[.failureUsedUp(error: fault.error.rawValue)]
    }

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
        // A clock stopped and started by hand shifts by less than a second: that is no move.
        return jump >= 1000 ? jump : nil
    }
}

/// The text of one setting.
private struct Part {
    var text: String
    /// Whether the setting differs from the one before.
    var isNew: Bool
}
