import StoreCatalog
import StoreEngine
import StoreModel
import StoreSigning
import StoreTestSupport
import Testing

/// Families of three accounts in two processes: which shares each member gets, and when they end.
@Suite("families, end to end", .timeLimit(.minutes(10)))
struct FamilyLifeTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Two processes of one store.
    private struct Stores {
        let one: TestStore
        let two: TestStore

        init(_ kind: LedgerKind, in folder: TemporaryFolder) async throws {
            let handles = try kind.handles(in: folder)
            let clock = ManualClock()
            one = try await TestStore(ledger: handles.ledger, clock: clock, elapsed: nil)
            two = try await TestStore(ledger: handles.other, clock: clock, elapsed: nil)
        }

        @discardableResult
        func perform(_ action: FamilyAction) async throws -> [StoreEvent] {
            try await one.console.perform(.family(action))
        }

        /// Makes the family of kai with aoi, and with nia as a child if `child` is true.
        func found(child: Bool = true) async throws {
            try await perform(.create(organizer: "kai"))
            try await perform(.join("aoi", organizer: "kai", role: .adult))
            if child { try await perform(.join("nia", organizer: "kai", role: .child)) }
        }

        func buy(_ product: ProductID, as account: AccountName = "kai") async throws
            -> TransactionID
        {
            let outcome = try await one.session(account: account).purchase(.of(product))
            return try #require(outcome.isPurchased ? outcome.number : nil)
        }

        /// The products that the other process lets an account use, with their owners.
        func uses(_ account: AccountName) async throws -> [String] {
            let session = two.session(account: account, device: "tablet")
            let status = try await session.familyStatus()
            return try await session.entitlements().map { entitlement in
                let owner = status.owner(of: entitlement.transactionID)
                return "\(entitlement.productID)\(owner.map { " of \($0)" } ?? "")"
            }.sorted()
        }

        func payload(_ id: TransactionID, of account: AccountName) async throws
            -> TransactionPayload
        {
            let signed = try await two.session(account: account).transaction(id)
            return try #require(TransactionVerifier.unverifiedPayload(of: signed))
        }
    }

    private static let theme = SampleCatalog.otherTheme
    private static let shared = ["test.theme.other of kai"]

    @Test(
        "what a member buys comes to the others under numbers of their own [F8]",
        arguments: LedgerKind.allCases)
    func sharesArrive(_ kind: LedgerKind) async throws {
        let stores = try await Stores(kind, in: folder)
        try await stores.found()
        let cursor = try await stores.two.session(account: "nia").head()
        let sold = try await stores.buy(Self.theme)
        for account: AccountName in ["aoi", "nia"] {
            #expect(try await stores.uses(account) == Self.shared)
            let session = stores.two.session(account: account, device: "tablet")
            let share = try #require(try await session.familyStatus().shares.first)
            #expect(share.transactionID != sold && share.owner == "kai")
            let payload = try await stores.payload(share.transactionID, of: account)
            #expect(payload.inAppOwnershipType == .familyShared)
            #expect(payload.price == 0 && payload.appAccountToken == nil)
            #expect(payload.originalTransactionId == share.transactionID)
            #expect(payload.appTransactionId != nil)
            let own = try await stores.payload(sold, of: "kai")
            #expect(payload.appTransactionId != own.appTransactionId)
            #expect(own.inAppOwnershipType == .purchased)
            // A share is delivered and finished like any other transaction, on any device.
            #expect(
                try await session.unfinished(allDevices: false).map(\.id) == [share.transactionID])
            #expect(try await session.finish(share.transactionID) == .finished)
        }
        #expect(try await stores.uses("kai") == ["test.theme.other"])
        var feed = stores.two.session(account: "nia").updates(after: cursor).makeAsyncIterator()
        let batch = try #require(try await feed.next())
        guard let issued = batch.events.first?.issued, batch.events.first?.kind == .sold else {
            Issue.record("no share in the feed")
            return
        }
        #expect(issued.payment == nil)
        #expect(try await stores.one.console.takings().map(\.sales) == [1], "charged once")
        // The same payment again adds no share.
        #expect(try await stores.one.session(account: "kai").purchase(.of(Self.theme)).isPurchased)
        #expect(try await stores.uses("aoi") == Self.shared)
        let entries = try await stores.one.entries()
        #expect(entries.count { if case .sold = $0.entry.fact { true } else { false } } == 3)
    }

    /// An action that ends a share, and the action that restores it.
    enum Ending: CaseIterable {
        case sharingOff, productOff, memberLeaves, ownerRefunded, ownerRevoked, ownerDeleted

        func actions(_ sold: TransactionID) -> (OperatorAction, back: OperatorAction?) {
            switch self {
            case .sharingOff:
                (.family(.setSharing("kai", nil, false)), .family(.setSharing("kai", nil, true)))
            case .productOff:
                (
                    .family(.setSharing("kai", theme, false)),
                    .family(.setSharing("kai", theme, true))
                )
            case .memberLeaves:
                (.family(.leave("aoi")), .family(.join("aoi", organizer: "kai", role: .adult)))
            case .ownerRefunded: (.refund(sold, .rest, reason: .other), .reverseRefund(sold))
            case .ownerRevoked: (.revoke(sold), .reverseRefund(sold))
            case .ownerDeleted: (.delete(sold, wholeChain: false), nil)
            }
        }
    }

    @Test(
        "a share is revoked with a revision of its own, and comes back under its number [F8]",
        arguments: LedgerKind.allCases, Ending.allCases)
    func sharesEnd(_ kind: LedgerKind, _ ending: Ending) async throws {
        let stores = try await Stores(kind, in: folder)
        try await stores.found(child: false)
        let sold = try await stores.buy(Self.theme)
        let session = stores.two.session(account: "aoi", device: "tablet")
        let share = try #require(try await session.familyStatus().shares.first?.transactionID)
        let (end, back) = ending.actions(sold)
        let cursor = try await session.head()
        _ = try await stores.one.console.perform(end)
        #expect(try await stores.uses("aoi") == [])
        #expect(try await session.restorable(before: nil, limit: 10).transactions.isEmpty)
        let revoked = try await stores.payload(share, of: "aoi")
        #expect(revoked.revocationDate != nil && revoked.revocationType == .family)
        var feed = session.updates(after: cursor).makeAsyncIterator()
        let events = try #require(try await feed.next()).events
        #expect(
            events.contains { $0.kind == .revoked })
        let before = try await stores.one.entries().count
        _ = try? await stores.one.console.perform(end)
        let shares = try await stores.one.entries().dropFirst(before).count {
            $0.number == share
        }
        #expect(shares == 0)
        guard let back else { return }
        _ = try await stores.one.console.perform(back)
        #expect(try await stores.uses("aoi") == Self.shared)
        #expect(try await session.familyStatus().shares.map(\.transactionID) == [share])
        #expect(try await stores.payload(share, of: "aoi").revocationDate == nil)
    }

    @Test(
        "with the organizer the family ends, and with it every share",
        arguments: LedgerKind.allCases)
    func disbanding(_ kind: LedgerKind) async throws {
        let stores = try await Stores(kind, in: folder)
        try await stores.found()
        _ = try await stores.buy(Self.theme, as: "aoi")
        #expect(try await stores.uses("kai") == ["test.theme.other of aoi"])
        let events = try await stores.perform(.leave("kai"))
        #expect(events.count { $0.kind == .familyChanged } == 3)
        #expect(events.count { $0.kind == .revoked } == 2)
        for account: AccountName in ["kai", "nia"] {
            #expect(try await stores.uses(account) == [])
            let status = try await stores.two.session(account: account).familyStatus()
            #expect(status == FamilyStatus())
        }
        #expect(try await stores.uses("aoi") == ["test.theme.other"])
        #expect(try await stores.one.console.families().isEmpty)
    }

    @Test(
        "whoever joins gets what is there, and gives what it has", arguments: LedgerKind.allCases)
    func joining(_ kind: LedgerKind) async throws {
        let stores = try await Stores(kind, in: folder)
        try await stores.perform(.create(organizer: "kai"))
        _ = try await stores.buy(Self.theme)
        _ = try await stores.buy(SampleCatalog.theme)
        _ = try await stores.buy(SampleCatalog.coins)
        _ = try await stores.buy(SampleCatalog.book, as: "aoi")
        try await stores.perform(.join("aoi", organizer: "kai", role: .adult))
        #expect(try await stores.uses("aoi") == ["test.book", "test.theme.other of kai"])
        #expect(
            try await stores.uses("kai")
                == ["test.book of aoi", "test.theme", "test.theme.other"])
    }

    @Test(
        "a shared subscription follows its owner's chain, period by period",
        arguments: LedgerKind.allCases)
    func sharedSubscriptions(_ kind: LedgerKind) async throws {
        let stores = try await Stores(kind, in: folder)
        try await stores.found(child: false)
        _ = try await stores.buy(SampleCatalog.monthly)
        let session = stores.two.session(account: "aoi", device: "tablet")
        let first = try #require(try await session.familyStatus().shares.first?.transactionID)
        for month in 1...3 {
            stores.one.clock.advance(byMilliseconds: 31 * 86_400_000)
            // The member's own read records the owner's due renewal.
            #expect(try await stores.uses("aoi") == ["test.monthly of kai"], "month \(month)")
            let now = try #require(try await session.familyStatus().shares.first?.transactionID)
            let payload = try await stores.payload(now, of: "aoi")
            #expect(payload.originalTransactionId == first && now != first)
            #expect(payload.transactionReason == .renewal)
            #expect(payload.inAppOwnershipType == .familyShared)
        }
        #expect(try await session.entitlements().map(\.renews) == [true], "as its owner's")
        // After the member returns, the months outside the family are not shared.
        try await stores.perform(.leave("aoi"))
        stores.one.clock.advance(byMilliseconds: 31 * 86_400_000)
        #expect(try await stores.uses("aoi") == [])
        #expect(try await stores.uses("kai") == ["test.monthly"])
        try await stores.perform(.join("aoi", organizer: "kai", role: .adult))
        #expect(try await stores.uses("aoi") == ["test.monthly of kai"])
        let share = try #require(try await session.familyStatus().shares.first?.transactionID)
        #expect(try await stores.payload(share, of: "aoi").originalTransactionId == first)
        let periods = try await session.history(before: nil, limit: 100)
            .compactMap { TransactionVerifier.unverifiedPayload(of: $0)?.purchaseDate }
        #expect(periods.count == Set(periods).count, "a period is shared once")
        #expect(periods.count == 5)
    }

    @Test(
        "the owner who comes back after an early charge shares the present period under its number",
        arguments: LedgerKind.allCases)
    func backAfterAnEarlyCharge(_ kind: LedgerKind) async throws {
        let stores = try await Stores(kind, in: folder)
        try await stores.found(child: false)
        try await stores.perform(.leave("kai"))
        try await stores.perform(.create(organizer: "aoi"))
        _ = try await stores.buy(SampleCatalog.monthly)
        try await stores.perform(.join("kai", organizer: "aoi", role: .adult))
        let session = stores.two.session(account: "aoi", device: "tablet")
        let share = try #require(try await session.familyStatus().shares.first?.transactionID)
        try await stores.perform(.leave("kai"))
        // The next period is charged a day before the present one ends.
        _ = try await stores.one.console.perform(.clock(.next))
        try await stores.perform(.join("kai", organizer: "aoi", role: .adult))
        #expect(try await stores.uses("aoi") == ["test.monthly of kai"])
        #expect(try await session.familyStatus().shares.map(\.transactionID) == [share])
    }

    @Test(
        "of one plan shared by two members the latest share entitles",
        arguments: LedgerKind.allCases)
    func twoOwners(_ kind: LedgerKind) async throws {
        let stores = try await Stores(kind, in: folder)
        try await stores.perform(.create(organizer: "kai"))
        _ = try await stores.buy(SampleCatalog.monthly)
        stores.one.clock.advance(byMilliseconds: 3_600_000)
        _ = try await stores.buy(SampleCatalog.monthly, as: "nia")
        for account: AccountName in ["aoi", "nia"] {
            try await stores.perform(.join(account, organizer: "kai", role: .adult))
        }
        let session = stores.two.session(account: "aoi", device: "tablet")
        let latest = try await session.familyStatus().shares.map(\.owner)
        #expect(latest == ["nia"])
        // The next periods are recorded before they begin: first that of the earlier sale.
        for _ in 0..<2 {
            _ = try await stores.one.console.perform(.clock(.next))
            #expect(try await session.familyStatus().shares.map(\.owner) == latest)
        }
    }

    @Test(
        "after an early charge neither period is shared with those who left",
        arguments: LedgerKind.allCases, [true, false])
    func leavingAfterAnEarlyCharge(_ kind: LedgerKind, _ isOwner: Bool) async throws {
        let stores = try await Stores(kind, in: folder)
        try await stores.perform(.create(organizer: "nia"))
        for account: AccountName in ["aoi", "kai"] {
            try await stores.perform(.join(account, organizer: "nia", role: .adult))
        }
        _ = try await stores.buy(SampleCatalog.monthly)
        _ = try await stores.one.console.perform(.clock(.next))
        #expect(try await stores.uses("aoi") == ["test.monthly of kai"])
        try await stores.perform(.leave(isOwner ? "kai" : "aoi"))
        for days: Int64 in [0, 2, 40] {
            stores.one.clock.advance(byMilliseconds: days * 86_400_000)
            #expect(try await stores.uses("aoi") == [], "after \(days) days")
            #expect(try await stores.uses("kai") == ["test.monthly"])
        }
    }

    @Test(
        "an owner's grace period lasts for a member while the owner shares it",
        arguments: LedgerKind.allCases)
    func leavingInGrace(_ kind: LedgerKind) async throws {
        let stores = try await Stores(kind, in: folder)
        try await stores.found(child: false)
        _ = try await stores.buy(SampleCatalog.monthly)
        _ = try await stores.one.console.perform(
            .setRenewals(RenewalsChange(failsBilling: true, hasGracePeriod: true)))
        stores.one.clock.advance(byMilliseconds: 32 * 86_400_000)
        let shared = ["test.monthly of kai"]
        #expect(try await stores.uses("aoi") == shared)
        try await stores.perform(.leave("aoi"))
        #expect(try await stores.uses("aoi") == [])
        try await stores.perform(.join("aoi", organizer: "kai", role: .adult))
        #expect(try await stores.uses("aoi") == shared)
        try await stores.perform(.setSharing("kai", SampleCatalog.monthly, false))
        #expect(try await stores.uses("aoi") == [])
        #expect(try await stores.uses("kai") == ["test.monthly"], "the owner's own stays")
    }

    @Test(
        "who buys again after a refund of the next period has one period, and who left shares none",
        arguments: LedgerKind.allCases, [SampleCatalog.monthly, SampleCatalog.yearly])
    func leavingAfterBuyingAgain(_ kind: LedgerKind, _ bought: ProductID) async throws {
        let stores = try await Stores(kind, in: folder)
        try await stores.found(child: false)
        let first = try await stores.buy(SampleCatalog.monthly)
        // The next period is charged a day before the present one ends, and refunded.
        _ = try await stores.one.console.perform(.clock(.next))
        let next = try #require(
            try await stores.two.session(account: "kai").history(before: nil, limit: 10)
                .compactMap { TransactionVerifier.unverifiedPayload(of: $0)?.transactionId }.max())
        _ = try await stores.one.console.perform(.refund(next, .rest, reason: .other))
        #expect(try await stores.uses("aoi") == ["test.monthly of kai"])
        let again = try await stores.buy(bought)
        #expect(again != first && again != next)
        let present = try await stores.payload(first, of: "kai")
        #expect(present.revocationDate != nil && present.isUpgraded == true)
        #expect(try await stores.uses("kai") == [bought.rawValue])
        let shared = bought == SampleCatalog.monthly ? ["\(bought) of kai"] : []
        #expect(try await stores.uses("aoi") == shared)
        try await stores.perform(.leave("aoi"))
        #expect(try await stores.uses("aoi") == [])
    }

    /// A monthly subscription of kai, its share with aoi, and aoi's session.
    private func sharedSubscription(
        _ kind: LedgerKind
    ) async throws -> (stores: Stores, sold: TransactionID, member: some Store) {
        let stores = try await Stores(kind, in: folder)
        try await stores.found(child: false)
        let sold = try await stores.buy(SampleCatalog.monthly)
        return (stores, sold, stores.two.session(account: "aoi"))
    }

    @Test(
        "a member's status is that of its owner's subscription, while that is shared",
        arguments: LedgerKind.allCases)
    func statuses(_ kind: LedgerKind) async throws {
        let (stores, sold, member) = try await sharedSubscription(kind)
        func expect(_ state: RenewalState) async throws -> RenewalInfoPayload {
            let statuses = try await member.subscriptionStatuses()
            #expect(statuses.count == 1)
            let status = try #require(statuses.first)
            let owner = try await stores.two.session(account: "kai").subscriptionStatuses()
            #expect(status.state == state && owner.map(\.state) == [state])
            #expect(status.sharedBy == "kai" && owner.map(\.sharedBy) == [nil])
            #expect(status.problem == nil && status.plans.isEmpty)
            let share = try #require(
                TransactionVerifier.unverifiedPayload(of: status.transaction))
            #expect(share.inAppOwnershipType == .familyShared)
            let info = try await TestStore.verifier().verify(status.renewalInfo)
            #expect(info.originalTransactionId == share.originalTransactionId)
            #expect(info.renewalPrice == nil, "the owner pays")
            return info
        }
        #expect(try await expect(.subscribed).autoRenewStatus == 1)
        _ = try await stores.one.console.perform(
            .setRenewals(RenewalsChange(failsBilling: true, hasGracePeriod: true)))
        stores.one.clock.advance(byMilliseconds: 32 * 86_400_000)
        #expect(try await expect(.inGracePeriod).gracePeriodExpiresDate != nil)
        stores.one.clock.advance(byMilliseconds: 20 * 86_400_000)
        #expect(try await expect(.inBillingRetryPeriod).isInBillingRetryPeriod == true)
        #expect(try await stores.uses("aoi") == [])
        _ = try await stores.one.console.perform(.resolveBilling(sold))
        #expect(try await expect(.subscribed).renewalDate != nil)
        _ = try await stores.one.console.perform(.setAutoRenew(sold, false))
        #expect(try await expect(.subscribed).renewalDate == nil)
        stores.one.clock.advance(byMilliseconds: 40 * 86_400_000)
        let reason = ExpirationReason.autoRenewDisabled.rawValue
        #expect(try await expect(.expired).expirationIntent == reason)
        // A period that had ended before the member left is not revoked.
        try await stores.perform(.leave("aoi"))
        #expect(try await member.subscriptionStatuses().map(\.state) == [.expired])
    }

    @Test(
        "a member's timeline tells the owner's grace period and the end, while that is shared",
        arguments: LedgerKind.allCases)
    func timeline(_ kind: LedgerKind) async throws {
        let (stores, sold, member) = try await sharedSubscription(kind)
        func timeline() async throws -> SubscriptionTimeline {
            let info = try await TestStore.verifier().verify(
                try #require(try await member.subscriptionStatuses().first).renewalInfo)
            var events: [StoreEvent] = []
            var next: FeedCursor?
            // Small pages, so that the events of both accounts are merged from several pages.
            repeat {
                let page = try await member.events(
                    before: next, filter: HistoryFilter(kinds: SubscriptionTimeline.kinds),
                    limit: 2)
                events += page.events
                next = page.next
            } while next != nil
            #expect(events.allSatisfy { $0.account == "aoi" })
            return SubscriptionTimeline(events.reversed(), of: info.originalTransactionId)
        }
        _ = try await stores.one.console.perform(
            .setRenewals(RenewalsChange(failsBilling: true, hasGracePeriod: true)))
        let day: Int64 = 86_400_000
        stores.one.clock.advance(byMilliseconds: 50 * day)
        #expect(
            try await timeline().items.map(\.what) == [
                .subscribed, .event(.graceBegan), .event(.graceEnded),
            ])
        _ = try await stores.one.console.perform(.resolveBilling(sold))
        let recovered = try await timeline()
        #expect(recovered.items.last?.what == .recovered)
        // The member had access during the grace period, and none after it.
        let graceEnd = recovered.items.first { $0.what == .event(.graceBegan) }?.until
        #expect(recovered.active.first?.until == graceEnd && recovered.active.count == 2)
        _ = try await stores.one.console.perform(.setRenewals(RenewalsChange(failsBilling: false)))
        _ = try await stores.one.console.perform(.setAutoRenew(sold, false))
        stores.one.clock.advance(byMilliseconds: 40 * day)
        #expect(try await timeline().items.last?.what == .expired(.autoRenewDisabled))
        // A member who has left is not told of the owner's later events.
        try await stores.perform(.leave("aoi"))
        let before = try await timeline().items.count
        _ = try await stores.buy(SampleCatalog.monthly)
        _ = try await stores.one.console.perform(.setRenewals(RenewalsChange(failsBilling: true)))
        stores.one.clock.advance(byMilliseconds: 120 * day)
        #expect(try await timeline().items.count <= before)
    }

    @Test(
        "what was shared and revoked has the status revoked, and each share its own",
        arguments: LedgerKind.allCases, [true, false])
    func revokedStatuses(_ kind: LedgerKind, isAhead: Bool) async throws {
        let stores = try await Stores(kind, in: folder)
        try await stores.found(child: false)
        let sold = try await stores.buy(SampleCatalog.monthly)
        try await stores.perform(.join("mo", organizer: "kai", role: .adult))
        _ = try await stores.buy(SampleCatalog.monthly, as: "mo")
        let member = stores.two.session(account: "aoi")
        func states() async throws -> [AccountName?: RenewalState] {
            var found: [AccountName?: RenewalState] = [:]
            for status in try await member.subscriptionStatuses() {
                found[status.sharedBy] = status.state
                let payload = try #require(
                    TransactionVerifier.unverifiedPayload(of: status.transaction))
                #expect((payload.revocationDate != nil) == (status.state == .revoked))
                let info = try await TestStore.verifier().verify(status.renewalInfo)
                if status.state == .revoked {
                    #expect(info.renewalDate == nil && info.autoRenewStatus == 0)
                }
                #expect((status.paidUntil == nil) == (status.state == .revoked))
            }
            return found
        }
        // If the next period is charged already, it is revoked together with the present one.
        if isAhead { _ = try await stores.one.console.perform(.clock(.next)) }
        #expect(try await states() == ["kai": .subscribed, "mo": .subscribed])
        _ = try await stores.one.console.perform(.refund(sold, .rest, reason: .other))
        #expect(try await states() == ["kai": .revoked, "mo": .subscribed])
        _ = try await stores.one.console.perform(.reverseRefund(sold))
        #expect(try await states()["kai"] != .revoked)
        try await stores.perform(.setSharing("mo", nil, false))
        #expect(try await states()["mo"] == .revoked)
        try await stores.perform(.setSharing("mo", nil, true))
        #expect(try await states()["mo"] == .subscribed)
        _ = try await stores.buy(SampleCatalog.monthly, as: "aoi")
        #expect(try await states()[nil] == .subscribed)
        try await stores.perform(.leave("aoi"))
        #expect(
            try await states() == [nil: .subscribed, "kai": .revoked, "mo": .revoked])
        // The owner's later periods are not shared: the revoked one stays the last that was.
        stores.one.clock.advance(byMilliseconds: 70 * 86_400_000)
        #expect(
            try await states() == [nil: .subscribed, "kai": .revoked, "mo": .revoked])
    }

    @Test("a refund of a period that is over takes its share back, too")
    func refundOfThePast() async throws {
        let (stores, sold, member) = try await sharedSubscription(.memory)
        let share = try #require(try await member.familyStatus().shares.first?.transactionID)
        stores.one.clock.advance(byMilliseconds: 40 * 86_400_000)
        #expect(try await member.familyStatus().shares.map(\.transactionID) != [share])
        _ = try await stores.one.console.perform(.refund(sold, .rest, reason: .other))
        #expect(try await stores.payload(share, of: "aoi").revocationType == .family)
    }

    @Test("a share whose next period is charged ahead is in its present one")
    func statusAhead() async throws {
        let stores = try await Stores(.memory, in: folder)
        try await stores.found(child: false)
        _ = try await stores.buy(SampleCatalog.monthly)
        _ = try await stores.one.console.perform(.clock(.next))
        let status = try #require(
            try await stores.two.session(account: "aoi").subscriptionStatuses().first)
        let share = try #require(TransactionVerifier.unverifiedPayload(of: status.transaction))
        let info = try await TestStore.verifier().verify(status.renewalInfo)
        let (end, next) = (try #require(share.expiresDate), try #require(info.renewalDate))
        #expect(status.state == .subscribed && next > end)
    }

    @Test("an account's own purchase stays when the share goes", arguments: LedgerKind.allCases)
    func ownAndShared(_ kind: LedgerKind) async throws {
        let stores = try await Stores(kind, in: folder)
        try await stores.found(child: false)
        _ = try await stores.buy(SampleCatalog.monthly)
        func sharers() async throws -> [AccountName?] {
            try await stores.two.session(account: "aoi").subscriptionStatuses().map(\.sharedBy)
        }
        #expect(try await sharers() == ["kai"])
        // A shared subscription does not keep the member from buying it, too.
        let own = try await stores.buy(SampleCatalog.monthly, as: "aoi")
        #expect(try await stores.uses("aoi") == ["test.monthly"])
        #expect(try await sharers() == [nil, "kai"])
        let payload = try await stores.payload(own, of: "aoi")
        #expect(payload.originalTransactionId == own, "a chain of its own")
        try await stores.perform(.leave("aoi"))
        #expect(try await stores.uses("aoi") == ["test.monthly"])
    }

    @Test("only the organizer's console answers a child", arguments: LedgerKind.allCases)
    func organizerAnswers(_ kind: LedgerKind) async throws {
        let stores = try await Stores(kind, in: folder)
        try await stores.found()
        let outcome = try await stores.one.session(account: "nia").purchase(.of(Self.theme))
        guard case .pending(let request, .askToBuy) = outcome else {
            Issue.record("a child did not ask")
            return
        }
        #expect(try await stores.one.session(account: "nia").settings().askToBuy)
        let parent = stores.two.engine.storeOperator(as: "kai")
        #expect(try await parent.pendingRequests().map(\.number) == [request])
        for account: AccountName in ["aoi", "nia", "mo"] {
            let other = stores.two.engine.storeOperator(as: account)
            #expect(try await other.pendingRequests().isEmpty)
            let refusal = await #expect(throws: StoreError.self) {
                try await other.perform(.approve(request))
            }
            #expect(refusal?.code == .notOrganizer && refusal?.expected == "kai")
            #expect(try await other.refusal(of: .decline(request)) != nil)
        }
        let own = stores.two.engine.storeOperator(as: nil, besides: "nia")
        let refusal = await #expect(throws: StoreError.self, "the child's own console") {
            try await own.perform(.approve(request))
        }
        #expect(refusal?.code == .notOrganizer && refusal?.expected == "kai")
        #expect(try await own.refusal(of: .decline(request))?.code == .notOrganizer)
        // Two operators at the same time: one succeeds, and the other gets an error.
        func attempt(_ body: () async throws -> [StoreEvent]) async -> StoreError.Code? {
            do {
                _ = try await body()
                return nil
            } catch { return (error as? StoreError)?.code }
        }
        async let yes = attempt { try await parent.perform(.approve(request)) }
        async let no = attempt { try await stores.one.console.perform(.decline(request)) }
        let (approved, declined) = (await yes, await no)
        #expect(Set([approved, declined]) == [nil, .requestNotPending])
        // The child's purchase, if it was approved, is shared with the parents.
        #expect(
            try await stores.uses("kai") == (approved == nil ? ["test.theme.other of nia"] : []))
    }

    @Test("two operators at once found and change one family", arguments: LedgerKind.allCases)
    func twoOperators(_ kind: LedgerKind) async throws {
        let stores = try await Stores(kind, in: folder)
        try await stores.perform(.create(organizer: "kai"))
        try await stores.perform(.create(organizer: "mo"))
        func attempt(_ store: TestStore, _ action: FamilyAction) async -> StoreError.Code? {
            do {
                _ = try await store.console.perform(.family(action))
                return nil
            } catch { return error.code }
        }
        async let one = attempt(stores.one, .join("aoi", organizer: "kai", role: .adult))
        async let two = attempt(stores.two, .join("aoi", organizer: "mo", role: .adult))
        #expect(Set([await one, await two]) == [nil, .alreadyInFamily])
        let joined = try await stores.one.console.families().filter { $0.member("aoi") != nil }
        #expect(joined.count == 1)
        // A purchase while a member leaves: the share agrees with one of the two orders.
        let owner = try #require(joined.first?.organizer)
        async let bought = stores.buy(Self.theme, as: owner)
        async let left = attempt(stores.two, .leave("aoi"))
        _ = try await bought
        #expect(await left == nil)
        #expect(try await stores.uses("aoi") == [])
    }

    @Test("a session as the organizer sees its own family and no other account")
    func organizersSight() async throws {
        let store = try await TestStore(ledger: InMemoryLedger())
        for action: FamilyAction in [
            .create(organizer: "kai"), .join("nia", organizer: "kai", role: .child),
            .create(organizer: "mo"),
        ] { _ = try await store.console.perform(.family(action)) }
        let parent = store.engine.storeOperator(as: "kai")
        #expect(try await parent.families().map(\.organizer) == ["kai"])
        #expect(try await parent.takings().isEmpty)
        let cursor = try await parent.head()
        for account: AccountName in ["mo", "nia", "kai"] {
            _ = try await store.session(account: account).purchase(.of(SampleCatalog.coins))
        }
        var accounts: [AccountName] = []
        for try await batch in parent.events(after: cursor) {
            accounts += batch.events.compactMap(\.account)
            if accounts.contains("kai") { break }
        }
        #expect(Set(accounts) == ["nia", "kai"])
        let request = try #require(try await parent.pendingRequests().first?.number)
        _ = try await parent.perform(.approve(request))
        let page = try await parent.history(before: nil, filter: HistoryFilter(), limit: 100)
        #expect(Set(page.events.compactMap(\.account)) == ["nia", "kai"])
        // The pages contain the same events in the same order, each once.
        var events: [StoreEvent] = []
        var next: FeedCursor?
        repeat {
            let page = try await parent.history(before: next, filter: HistoryFilter(), limit: 1)
            events += page.events
            next = page.next
        } while next != nil
        #expect(events == page.events)
        let sold = try #require(
            events.first { $0.account == "nia" && $0.kind == .sold }?.transactionID)
        _ = try await parent.transaction(sold)
        let strangers = try await store.console.history(
            before: nil, filter: HistoryFilter(kinds: [.sold], account: "mo"), limit: 1)
        let strange = try #require(strangers.events.first?.transactionID)
        await #expect(throws: StoreError.self) { try await parent.transaction(strange) }
    }

    @Test("beside the organizer's console a customer manages its own subscription, and no other")
    func ownSubscription() async throws {
        let store = try await TestStore(ledger: InMemoryLedger())
        for action: FamilyAction in [
            .create(organizer: "kai"), .join("nia", organizer: "kai", role: .child),
        ] { _ = try await store.console.perform(.family(action)) }
        func subscribe(_ account: AccountName) async throws -> TransactionID {
            _ = try await store.console.perform(
                .buyOutside(SampleCatalog.monthly, account: account, quantity: 1))
            let page = try await store.session(account: account).events(
                before: nil, filter: HistoryFilter(kinds: [.sold]), limit: 1)
            return try #require(page.events.first?.transactionID)
        }
        let (own, other) = (try await subscribe("nia"), try await subscribe("kai"))
        let console = store.engine.storeOperator(as: "kai", besides: "nia")
        #expect(try await console.refusal(of: .setAutoRenew(other, false))?.code == .operatorOnly)
        #expect(try await console.refusal(of: .expire(own))?.code == .operatorOnly)
        #expect(try await console.perform(.setAutoRenew(own, false)).count == 1)
        let elsewhere = store.engine.storeOperator(as: "kai")
        #expect(try await elsewhere.refusal(of: .setAutoRenew(own, true))?.code == .operatorOnly)
    }

    @Test("a catalog that turns family sharing of a sold product off is refused")
    func sharingStaysOn() async throws {
        var shareable = SampleCatalog.catalog()
        for index in shareable.products.indices {
            shareable.products[index].isFamilyShareable =
                shareable.products[index].type == .nonConsumable
        }
        let store = try await TestStore(catalog: shareable)
        _ = try await store.session().purchase(.of(SampleCatalog.theme))
        var other = shareable
        for index in other.products.indices { other.products[index].isFamilyShareable = false }
        let error = await #expect(throws: StoreError.self) {
            try await store.engine.sell(other, digest: "two")
        }
        #expect(error?.code == .soldProductChanged && error?.subject == "family sharing")
        #expect(error?.productID == SampleCatalog.theme)
        #expect(try await store.engine.conflicts(of: other).count == 1)
    }
}
