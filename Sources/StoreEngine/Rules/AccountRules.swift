import StoreModel

/// What the store keeps about a customer, and the failures set up on purpose.
enum AccountRules {
    static func change(_ change: Request.AccountChange, in context: RuleContext) -> Verdict {
        var settings = context.settings(of: change.account, home: change.homeTerritory)
        let before = context.snapshot.accounts[change.account]
        settings.askToBuy = change.askToBuy ?? settings.askToBuy
        settings.canMakePayments = change.canMakePayments ?? settings.canMakePayments
        if let text = change.territory {
            guard let storefront = Storefront.find(text) else {
                return .refuse(
                    StoreError(
                        .invalidName, subject: "territory", found: text,
                        expected: "an ISO 3166-1 code such as JPN or JP"))
            }
            settings.territory = storefront.countryCode
        }
        guard settings != before else { return .answer(.account(settings)) }
        let stream = StreamID.account(change.account)
        return .record(
            Decision(
                reads: [stream: context.snapshot.version(stream)],
                entries: [
                    Entry(
                        account: change.account, device: nil, effectiveAt: context.now,
                        fact: .accountChanged(settings))
                ]))
    }
}

enum FaultRules {
    static func set(
        _ call: Fault.Call, error: StoreError.Code, count: Int, in context: RuleContext
    ) -> Verdict {
        guard count >= 1 else {
            return .refuse(
                StoreError(
                    .invalidName, subject: "count", found: String(count), expected: "at least 1")
            )
        }
        // Later than every fault set before, so this number is new.
        let version = context.snapshot.version(.store)
        let fault = Fault(id: version + 1, call: call, error: error, remaining: count)
        return .record(
            Decision(
                reads: [.store: version],
                entries: [
                    Entry(
                        account: nil, device: nil, effectiveAt: context.now,
                        fact: .faultSet(fault))
                ]))
    }

    static func clear(in context: RuleContext) -> Verdict {
        guard !context.snapshot.faults.isEmpty else { return .answer(.faultsCleared) }
        return .record(
            Decision(
                reads: [.store: context.snapshot.version(.store)],
                entries: [
                    Entry(
                        account: nil, device: nil, effectiveAt: context.now,
                        fact: .faultsCleared(context.snapshot.faults))
                ]))
    }
}
