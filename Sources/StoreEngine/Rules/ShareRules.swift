import StoreCatalog
import StoreModel

/// Decides which family shares exist. There is one share for each transaction and member, with its
/// own number. It is revoked while its owner or its member is not in the family, the owner does not
/// share it, or the sale itself is revoked. When that ends, it is restored under the same number.
enum ShareRules {
    /// Adds to a decision the shares that follow from it: shares of new sales, and changes of
    /// shares whose sale changes. Returns the decision unchanged if no share is affected.
    static func following(_ decision: Decision, in context: RuleContext) -> Decision {
        let isConcerned =
            !context.snapshot.families.isEmpty
            || context.snapshot.shares.values.contains { !$0.isEmpty }
        guard isConcerned else { return decision }
        var entries: [Entry] = []
        var reads = decision.reads
        for entry in decision.entries {
            entries.append(entry)
            guard let account = entry.account else { continue }
            let family = context.snapshot.families[account]
            var shares: [Entry] = []
            switch entry.fact {
            case .sold(let sale):
                // No member has a share of this new sale yet. Only its number is unknown until it
                // is recorded.
                let number: TransactionID =
                    if case .existing(let id) = entry.number { id } else {
                        .ofEntry(entries.count - 1)
                    }
                let row = TransactionRow(
                    id: number, account: account, device: entry.device, sale: sale)
                shares = self.entries(
                    for: row, family: family, at: entry.effectiveAt, in: context)
            case .revised(let revision):
                guard case .existing(let id) = entry.number,
                    var row = context.snapshot.sold(id, to: account)
                else { continue }
                row.state = revision.state
                shares = self.entries(for: row, family: family, in: context)
            default: continue
            }
            guard !shares.isEmpty else { continue }
            // The shares follow their sale, so that their numbers do not depend on the decision's
            // other entries.
            entries += shares
            let members = (family?.members ?? []).map { StreamID.account($0.account) }
            reads.merge(context.reads(members)) { kept, _ in kept }
        }
        var following = decision
        following.entries = entries
        following.reads = reads
        return following
    }

    /// The entries that make the shares of a sale agree with its owner's family: new shares, and
    /// revocations and restorations of existing ones.
    ///
    /// - Parameters:
    ///   - row: the sale, in its state after the decision.
    ///   - family: the owner's family after the decision; nil if the owner is in none.
    ///   - instant: when new shares take effect; nil for now.
    static func entries(
        for row: TransactionRow, family: Family?, at instant: Timestamp? = nil,
        in context: RuleContext
    ) -> [Entry] {
        guard canBeShared(row) else { return [] }
        let members = recipients(of: row, in: family, at: instant ?? context.now)
        let mayShare = isShareable(row.sale.productID, in: context)
        let known = context.snapshot.shares[row.id] ?? []
        var entries: [Entry] = []
        for share in known where !share.state.isDeleted {
            let isWanted = members.contains(share.account)
            // The share of a period that has ended is not changed, unless the sale itself was
            // revoked.
            let isMeant = row.state.isRevoked || share.isStillToUse(at: context.now)
            if !isWanted, isMeant, !share.state.isRevoked {
                entries.append(revision(of: share, isRevoked: true, in: context))
            } else if isWanted, mayShare, share.state.isRevoked {
                entries.append(revision(of: share, isRevoked: false, in: context))
            } else if !share.state.isRevoked, share.expiresDate != row.expiresDate {
                // The period of a share ends with that of its sale, even if that end was moved.
                var extended = share
                extended.state.expiresDate = row.expiresDate
                entries.append(extended.revised(.expiryMoved, at: context.now))
            }
        }
        guard mayShare else { return entries }
        for member in members where !known.contains(where: { $0.account == member }) {
            entries.append(
                share(of: row, with: member, at: instant ?? context.now, in: context))
        }
        return entries
    }

    /// Whether families may share this product: the catalog allows it, and it is a non-consumable
    /// or an auto-renewable subscription (StoreKit: `isFamilyShareable`).
    static func isShareable(_ id: ProductID, in context: RuleContext) -> Bool {
        guard let product = context.catalog.product(id) else { return false }
        return product.isFamilyShareable
            && (product.type == .nonConsumable || product.type == .autoRenewable)
    }

    /// Of a shareable type, and not itself a share.
    static func canBeShared(_ row: TransactionRow) -> Bool {
        row.sale.sharedTransaction == nil
            && (row.sale.type == .nonConsumable || row.sale.type == .autoRenewable)
    }

    /// In the order in which they joined.
    private static func recipients(
        of row: TransactionRow, in family: Family?, at instant: Timestamp
    ) -> [AccountName] {
        guard let family, let owner = family.member(row.account),
            owner.shares(row.sale.productID), row.isStillToUse(at: instant)
        else { return [] }
        return family.members.map(\.account).filter { $0 != row.account }
    }

    private static func share(
        of row: TransactionRow, with member: AccountName, at instant: Timestamp,
        in context: RuleContext
    ) -> Entry {
        let sale = row.sale
        let chain = LedgerQuery.Sold(account: member, id: row.originalID)
        let first = context.snapshot.sharedChains[chain]
        var share = Sale(
            cause: .familyShare(of: row.id), productID: sale.productID, quantity: sale.quantity,
            type: sale.type, groupID: sale.groupID,
            original: first.map {
                Sale.Original(id: $0.id, purchaseDate: $0.sale.purchaseDate)
            },
            purchaseDate: sale.purchaseDate, expiresDate: sale.expiresDate,
            storefront: sale.storefront,
            price: Money(milliunits: 0, currency: sale.price.currency), isHosted: sale.isHosted,
            share: SharedSale(
                owner: row.account, chain: sale.original?.id, isRenewal: sale.cause == .renewal))
        // An introductory offer counts as used by every member who shared it. A code or a signature
        // counts only for the account that redeemed it.
        share.offer = sale.offer
        share.offer?.code = nil
        share.offer?.nonce = nil
        share.offer?.payment = nil
        return Entry(
            account: member, device: nil, effectiveAt: instant, number: .next,
            fact: .sold(share))
    }

    private static func revision(
        of share: TransactionRow, isRevoked: Bool, in context: RuleContext
    ) -> Entry {
        var share = share
        share.state.revocation =
            isRevoked
            ? Revocation(
                date: context.now, reason: .other, takenBack: .all, refunded: .none,
                refundedMilliunits: 0) : nil
        let nothing = Money(milliunits: 0, currency: share.sale.price.currency)
        return share.revised(isRevoked ? .revoked : .refundReversed(nothing), at: context.now)
    }

    /// Adds the families of all accounts in the batch, and the shares of the transactions that it
    /// may change.
    static func addKeys(to lookup: inout Lookup) {
        let found = lookup.found
        addMembers(to: &lookup)
        for row in found.transactions.values
        where canBeShared(row) && found.families[row.account] != nil {
            addKeys(of: row, to: &lookup)
        }
        for row in found.wholeGroups.values.joined() where canBeShared(row) {
            addKeys(of: row, to: &lookup)
        }
        // The chains that a purchase may continue or change to another plan.
        for row in found.subscribed.values where canBeShared(row) {
            addKeys(of: row, to: &lookup)
        }
    }

    static func addMembers(to lookup: inout Lookup) {
        for account in lookup.query.accounts {
            let members = lookup.found.families[account]?.members ?? []
            lookup.query.accounts.formUnion(members.map(\.account))
        }
    }

    /// - Parameter joining: accounts that may get a share although they are not yet in a family
    ///   with its owner.
    static func addKeys(
        of row: TransactionRow, to lookup: inout Lookup, joining: Set<AccountName> = []
    ) {
        lookup.query.shares.insert(row.id)
        guard row.sale.groupID != nil else { return }
        let members = lookup.found.families[row.account]?.members.map(\.account) ?? []
        for account in joining.union(members) where account != row.account {
            lookup.query.sharedChains.insert(.init(account: account, id: row.originalID))
        }
    }
}

extension TransactionRow {
    /// Whether the share entitles at a given time or will later: a renewal is recorded before its
    /// period begins.
    fileprivate func isStillToUse(at now: Timestamp) -> Bool {
        sale.type == .autoRenewable ? isActive(at: now) : entitles(at: now)
    }
}

extension LedgerSnapshot {
    /// From any of the snapshot's collections; nil if none has it.
    fileprivate func sold(_ id: TransactionID, to account: AccountName) -> TransactionRow? {
        if let row = transactions[id], row.account == account { return row }
        if let row = subscribed.values.first(where: { $0.id == id && $0.account == account }) {
            return row
        }
        return wholeGroups.values.joined().first { $0.id == id && $0.account == account }
    }
}
