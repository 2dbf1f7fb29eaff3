import StoreModel

/// Decides changes of families, which account may act for which, and the family shares that follow.
///
/// Each account of a family has the whole family in its own stream. A change of the family is an
/// entry in the stream of every member before and after it. So any decision about a member
/// conflicts with the change.
enum FamilyRules {
    /// Nil if the family would not change. Throws as `FamilyAction` says, and `storeNewer`.
    static func change(
        _ action: FamilyAction, in context: RuleContext
    ) throws(StoreError) -> Decision? {
        let before = context.snapshot.families[action.account]
        func changed(
            _ what: FamilyChange.What, _ family: Family?, organizer: AccountName
        ) throws(StoreError) -> Decision {
            try decision(
                FamilyChange(what: what, organizer: organizer, family: family), from: before,
                in: context)
        }
        switch action {
        case .create(let organizer):
            if let before { throw already(organizer, in: before) }
            return try changed(.created, Family(organizer: organizer), organizer: organizer)
        case .join(let account, let organizer, let role):
            if let before {
                guard before.organizer == organizer, before.member(account)?.role == role else {
                    throw already(account, in: before)
                }
                return nil
            }
            guard var family = context.snapshot.families[organizer],
                family.organizer == organizer
            else {
                throw StoreError(
                    .notOrganizer, subject: organizer.rawValue,
                    expected: context.snapshot.families[organizer]?.organizer.rawValue)
            }
            guard family.members.count < Family.membersMax else {
                throw StoreError(
                    .familyFull, subject: organizer.rawValue,
                    found: family.members.count)
            }
            family.members.append(Family.Member(account: account, role: role))
            return try changed(.joined(account, role), family, organizer: organizer)
        case .leave(let account):
            var family = try self.family(of: account, in: context)
            let organizer = family.organizer
            if account == organizer {
                return try changed(.disbanded, nil, organizer: organizer)
            }
            family.members.removeAll { $0.account == account }
            return try changed(.left(account), family, organizer: organizer)
        case .setRole(let account, let role):
            var family = try self.family(of: account, in: context)
            guard role == .adult || account != family.organizer else {
                throw StoreError(.notForOrganizer, subject: account.rawValue)
            }
            guard family.change(account, { $0.role = role }) else { return nil }
            return try changed(.roleChanged(account, role), family, organizer: family.organizer)
        case .setSharing(let account, let product, let isOn):
            var family = try self.family(of: account, in: context)
            if let product, !ShareRules.isShareable(product, in: context) {
                throw StoreError(.notShareable, productID: product)
            }
            let isChanged = family.change(account) { member in
                guard let product else { return member.sharesPurchases = isOn }
                member.keptBack.removeAll { $0 == product }
                if !isOn { member.keptBack = (member.keptBack + [product]).sorted() }
            }
            guard isChanged else { return nil }
            return try changed(
                .sharingChanged(account, product, isOn: isOn), family,
                organizer: family.organizer)
        case .rescindConsent(let child): return try rescindConsent(for: child, in: context)
        }
    }

    /// - Parameter before: the family that the change is of; nil for one that it founds or joins.
    private static func decision(
        _ change: FamilyChange, from before: Family?, in context: RuleContext
    ) throws(StoreError) -> Decision {
        let after = change.family
        var accounts: [AccountName] = []
        for member in (before?.members ?? []) + (after?.members ?? [])
        where !accounts.contains(member.account) {
            accounts.append(member.account)
        }
        var entries: [Entry] = []
        for account in accounts {
            try context.snapshot.refuseUnknownFacts(of: account)
            let family = after.flatMap { $0.member(account) == nil ? nil : $0 }
            let own = FamilyChange(
                what: change.what, organizer: change.organizer, family: family)
            entries.append(context.entry(.familyChanged(own), of: account))
        }
        var begun = BegunShares()
        for owner in accounts {
            let family = after.flatMap { $0.member(owner) == nil ? nil : $0 }
            for row in lasting(of: owner, in: context) {
                for var entry in ShareRules.entries(for: row, family: family, in: context) {
                    begun.place(&entry, of: row.originalID, at: entries.count)
                    entries.append(entry)
                }
            }
        }
        return Decision(
            reads: context.reads([.store] + accounts.map { .account($0) }), entries: entries)
    }

    /// Told in the child's stream alone: the family stays as it is.
    private static func rescindConsent(
        for child: AccountName, in context: RuleContext
    ) throws(StoreError) -> Decision {
        try context.snapshot.refuseUnknownFacts(of: child)
        let family = try family(of: child, in: context)
        guard family.isChild(child) else {
            throw StoreError(.notAChild, subject: child.rawValue)
        }
        let change = FamilyChange(
            what: .consentRescinded(child), organizer: family.organizer, family: family)
        return Decision(
            reads: context.reads(child),
            entries: [context.entry(.familyChanged(change), of: child)])
    }

    /// The sales that an account may use now or soon. For a subscription whose renewal is already
    /// recorded, these include the period that contains now.
    private static func lasting(
        of owner: AccountName, in context: RuleContext
    ) -> [TransactionRow] {
        (context.snapshot.entitling[owner] ?? []).flatMap { row in
            guard row.sale.purchaseDate > context.now,
                let subscription = context.snapshot.subscriptions[row.originalID],
                subscription.latest == row.id,
                let current = subscription.previous.flatMap({ context.snapshot.transactions[$0] }),
                !current.state.isRevoked
            else { return [row] }
            return [current, row]
        }
    }

    private static func family(
        of account: AccountName, in context: RuleContext
    ) throws(StoreError) -> Family {
        guard let family = context.snapshot.families[account] else {
            throw StoreError(.notInFamily, subject: account.rawValue)
        }
        return family
    }

    private static func already(_ account: AccountName, in family: Family) -> StoreError {
        StoreError(
            .alreadyInFamily, subject: account.rawValue, found: family.organizer.rawValue)
    }

    /// Checks whether an account may act as an operator. A nil account is the operator of the whole
    /// store, who may do everything. An organizer answers the requests of its own family and
    /// changes it. Any adult member may leave and choose what it shares. On a child's own device
    /// the operator cannot answer the child's requests; only the organizer can.
    ///
    /// - Throws: `notOrganizer`, with the organizer's name; `operatorOnly`.
    static func authorize(
        _ action: OperatorAction, by actor: AccountName?, besides customer: AccountName? = nil,
        in context: RuleContext
    ) throws(StoreError) {
        guard let actor else {
            return try refuseOwnAnswer(action, besides: customer, in: context)
        }
        func isOrganizer(
            for account: AccountName, request: TransactionID? = nil
        ) throws(StoreError) {
            let organizer = context.snapshot.families[account]?.organizer
            guard organizer == actor else {
                throw StoreError(
                    .notOrganizer, transactionID: request, subject: account.rawValue,
                    found: actor.rawValue, expected: organizer?.rawValue)
            }
        }
        switch action {
        case .approve(let number), .decline(let number):
            guard let waiting = context.snapshot.pending[number] else { return }
            guard waiting.reason == .askToBuy else {
                throw StoreError(
                    .notAnswerable, productID: waiting.payment.productID, transactionID: number,
                    found: waiting.reason.rawValue)
            }
            try isOrganizer(for: waiting.account, request: number)
        case .family(.create(let organizer)), .family(.join(_, let organizer, _)):
            guard organizer == actor else {
                throw StoreError(.operatorOnly, found: actor.rawValue)
            }
        case .family(.leave(let account)), .family(.setSharing(let account, _, _)):
            // A child cannot leave by itself, because it could then buy without asking.
            let isChild = context.snapshot.families[account]?.isChild(account) == true
            if account != actor || isChild { try isOrganizer(for: account) }
        case .family(.setRole(let account, _)), .family(.rescindConsent(let account)):
            try isOrganizer(for: account)
        // On a customer's own device, these actions are the customer's own, for its own
        // subscription.
        case .setAutoRenew(let id, _), .resolveBilling(let id), .priceIncrease(let id, .consent),
            .priceIncrease(let id, .decline):
            guard let customer, context.snapshot.transactions[id]?.account == customer else {
                throw StoreError(.operatorOnly, found: actor.rawValue)
            }
        default:
            throw StoreError(.operatorOnly, found: actor.rawValue)
        }
    }

    /// From the console on the child's own device.
    private static func refuseOwnAnswer(
        _ action: OperatorAction, besides customer: AccountName?, in context: RuleContext
    ) throws(StoreError) {
        guard action.kind == .approve || action.kind == .decline, let customer,
            let number = action.transactionID, let waiting = context.snapshot.pending[number],
            waiting.account == customer, waiting.reason == .askToBuy,
            let family = context.snapshot.families[customer], family.isChild(customer)
        else { return }
        throw StoreError(
            .notOrganizer, transactionID: number, subject: customer.rawValue,
            found: customer.rawValue, expected: family.organizer.rawValue)
    }

    /// A share follows the sale that it shares.
    ///
    /// - Throws: `sharedPurchase`, with the sale and its owner.
    static func refuseShare(_ id: TransactionID, in context: RuleContext) throws(StoreError) {
        guard let row = context.snapshot.transactions[id],
            let shared = row.sale.sharedTransaction
        else { return }
        throw StoreError(
            .sharedPurchase, productID: row.sale.productID, transactionID: id,
            found: row.sale.share?.owner.rawValue, expected: shared.description)
    }

    /// A change of the family may start or end shares of any of its members.
    static func addKeys(of action: FamilyAction, to lookup: inout Lookup) {
        lookup.query.accounts.insert(action.account)
        if case .join(_, let organizer, _) = action { lookup.query.accounts.insert(organizer) }
        ShareRules.addMembers(to: &lookup)
        lookup.query.entitling = lookup.query.accounts
        for row in lookup.found.entitling.values.joined() where ShareRules.canBeShared(row) {
            if row.sale.term != nil {
                let chain = LedgerQuery.Sold(account: row.account, id: row.originalID)
                lookup.query.subscriptions.insert(chain)
                if let previous = lookup.found.subscriptions[chain.id]?.previous {
                    // The previous period may contain now and may be shared.
                    lookup.query.sales.insert(previous)
                    lookup.query.shares.insert(previous)
                }
            }
            ShareRules.addKeys(of: row, to: &lookup, joining: lookup.query.accounts)
        }
    }
}

/// The first share of each chain and member within one decision. A later share of the same chain
/// and member continues it.
private struct BegunShares {
    private var firsts: [LedgerQuery.Sold: (index: Int, date: Timestamp)] = [:]

    /// The first of its chain, or linked to the first.
    ///
    /// - Parameters:
    ///   - chain: the chain of the sale that is shared.
    ///   - index: the index of the entry in its decision.
    mutating func place(_ entry: inout Entry, of chain: TransactionID, at index: Int) {
        guard case .sold(var sale) = entry.fact, sale.original == nil, let member = entry.account
        else { return }
        let key = LedgerQuery.Sold(account: member, id: chain)
        guard let first = firsts[key] else {
            firsts[key] = (index, sale.purchaseDate)
            return
        }
        sale.original = Sale.Original(id: .ofEntry(first.index), purchaseDate: first.date)
        entry.fact = .sold(sale)
    }
}

extension Family {
    fileprivate mutating func change(
        _ account: AccountName, _ change: (inout Member) -> Void
    ) -> Bool {
        guard let index = members.firstIndex(where: { $0.account == account }) else {
            return false
        }
        let before = members[index]
        change(&members[index])
        return members[index] != before
    }
}

extension RuleContext {
    /// Why a payment of the account must wait; nil if it need not. A child's payment always waits
    /// for the organizer.
    func reasonToWait(_ settings: AccountSettings) -> RequestReason? {
        snapshot.families[settings.name]?.isChild(settings.name) == true
            ? .askToBuy : settings.reasonToWait
    }
}
