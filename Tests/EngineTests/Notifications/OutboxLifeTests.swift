import Foundation
@testable import StoreEngine
import StoreModel
import StoreSigning
import StoreTestSupport
import Testing

/// Notifications of a store's life: what is told, with the state of which moment, and signed.
@Suite("the outbox of a store", .timeLimit(.minutes(10))) struct OutboxLifeTests {
    private static let day: Int64 = 86_400_000
    private static let hour: Int64 = 3_600_000

    /// A store that sends to an address, and its outbox.
    struct Told {
        let store: TestStore
        let outbox: any OutboxStore

        init(environment: StoreEnvironment = .sandbox) async throws {
            store = try await TestStore(
                elapsed: nil,
                identity: AppIdentity(
                    bundleID: TestStore.identity.bundleID, environment: environment))
            outbox = store.engine.outboxStore
            _ = try await outbox.change(.send(to: "http://127.0.0.1:3000/apple", host: "here"))
        }

        func buy(_ product: ProductID, as account: AccountName = "aoi") async throws
            -> TransactionID
        {
            let outcome = try await store.session(account: account).purchase(.of(product))
            return try #require(outcome.isPurchased ? outcome.number : nil)
        }

        @discardableResult
        func perform(_ action: OperatorAction) async throws -> [StoreEvent] {
            try await store.console.perform(action)
        }

        func advance(_ milliseconds: Int64) async throws {
            try await perform(.clock(.advance(.seconds(milliseconds / 1_000))))
        }

        /// All notifications so far, in order; what has happened since is told first.
        func all() async throws -> [QueuedNotification] {
            _ = try await outbox.deriveNotifications()
            return try await outbox.outbox(OutboxQuery(.oldest(after: nil), limit: .max)).items
                .map(\.notification)
        }

        func kinds() async throws -> [String] { try await all().map(\.kind.description) }
    }

    /// A life of two accounts in which nearly everything happens. `then` is called after each step.
    private func live(_ told: Told, _ then: () async throws -> Void) async throws {
        let day = Self.day
        _ = try await told.buy(SampleCatalog.coins)
        try await then()
        let theme = try await told.buy(SampleCatalog.otherTheme)
        let month = try await told.buy(SampleCatalog.monthly)
        try await then()
        try await told.perform(.family(.create(organizer: "aoi")))
        try await told.perform(.family(.join("kai", organizer: "aoi", role: .adult)))
        try await then()
        try await told.advance(40 * day)
        try await then()
        try await told.perform(.setAutoRenew(month, false))
        try await told.perform(.setAutoRenew(month, true))
        try await then()
        try await told.perform(.extend(month, days: 5))
        try await told.perform(
            .setRenewals(RenewalsChange(failsBilling: true, hasGracePeriod: true)))
        try await told.advance(40 * day)
        try await then()
        try await told.perform(.resolveBilling(month))
        try await told.perform(.setRenewals(RenewalsChange(failsBilling: false)))
        try await then()
        _ = try await told.buy(SampleCatalog.yearly)
        try await then()
        _ = try await told.buy(SampleCatalog.monthly)
        try await told.advance(3 * day)
        try await then()
        _ = try await told.store.session().requestRefund(of: theme, reason: .broken)
        try await told.perform(.declineRefund(theme))
        try await told.perform(.refund(theme, .rest, reason: .app))
        try await then()
        try await told.perform(.reverseRefund(theme))
        try await told.perform(.family(.leave("kai")))
        try await told.perform(.priceIncrease(month, .ask))
        try await told.perform(.priceIncrease(month, .consent))
        try await then()
        try await told.perform(.expire(month))
        try await told.perform(.extendAll(SampleCatalog.monthly, days: 3, id: UUID()))
        try await told.advance(70 * day)
        try await then()
        _ = try await told.buy(SampleCatalog.monthly)
        try await told.advance(100 * day)
        try await then()
    }

    @Test("what is told late is the same as what is told at once [G2]")
    func moments() async throws {
        let (soon, late) = (try await Told(), try await Told())
        try await live(soon) { _ = try await soon.outbox.deriveNotifications() }
        try await live(late) {}
        let (atOnce, afterwards) = (try await soon.all(), try await late.all())
        #expect(atOnce.map(\.kind) == afterwards.map(\.kind))
        for (one, other) in zip(atOnce, afterwards) {
            #expect(one.at == other.at)
            #expect(one.contents.transaction == other.contents.transaction, "\(one.kind)")
            #expect(one.contents.renewalInfo == other.contents.renewalInfo, "\(one.kind)")
            #expect(one.contents.status == other.contents.status, "\(one.kind) of \(one.at)")
        }
        let kinds = Set(atOnce.map(\.kind.description))
        for kind in [
            "ONE_TIME_CHARGE", "SUBSCRIBED.INITIAL_BUY", "SUBSCRIBED.RESUBSCRIBE", "DID_RENEW",
            "DID_RENEW.BILLING_RECOVERY", "DID_CHANGE_RENEWAL_STATUS.AUTO_RENEW_DISABLED",
            "DID_CHANGE_RENEWAL_STATUS.AUTO_RENEW_ENABLED", "RENEWAL_EXTENDED",
            "DID_FAIL_TO_RENEW.GRACE_PERIOD", "DID_CHANGE_RENEWAL_PREF.UPGRADE",
            "DID_CHANGE_RENEWAL_PREF.DOWNGRADE", "CONSUMPTION_REQUEST", "REFUND_DECLINED",
            "REFUND", "REFUND_REVERSED", "REVOKE", "PRICE_INCREASE.PENDING",
            "PRICE_INCREASE.ACCEPTED", "EXPIRED", "RENEWAL_EXTENSION.SUMMARY",
        ] {
            #expect(kinds.contains(kind), "\(kind)")
        }
        #expect(Set(atOnce.map(\.id)).count == atOnce.count)
    }

    @Test("a subscription's notifications have its status at their moment")
    func status() async throws {
        let told = try await Told()
        try await told.perform(
            .setRenewals(RenewalsChange(failsBilling: true, hasGracePeriod: true)))
        _ = try await told.buy(SampleCatalog.monthly)
        try await told.advance(120 * Self.day)
        let all = try await told.all()
        #expect(
            all.map(\.kind.description) == [
                "SUBSCRIBED.INITIAL_BUY", "DID_FAIL_TO_RENEW.GRACE_PERIOD", "GRACE_PERIOD_EXPIRED",
                "EXPIRED.BILLING_RETRY",
            ])
        #expect(
            all.map(\.contents.status) == [
                .subscribed, .inGracePeriod, .inBillingRetryPeriod, .expired,
            ])
        #expect(all.map(\.contents.renewalInfo?.autoRenewStatus) == [1, 1, 1, 0])
        #expect(all.last?.contents.renewalInfo?.expirationIntent == 2)
        #expect(all[1].contents.renewalInfo?.gracePeriodExpiresDate != nil)
        #expect(all.allSatisfy { $0.contents.transaction?.signedDate == $0.at })
    }

    @Test("every part of a notification is signed and verified [G2]")
    func signatures() async throws {
        let told = try await Told()
        _ = try await told.buy(SampleCatalog.monthly)
        let first = try #require(try await told.all().first)
        let verifier = try TestStore.verifier()
        let payload = try await verifier.verify(told.outbox.signed(first))
        #expect(payload.notificationUUID == first.id && payload.version == "2.0")
        #expect(payload.notificationType == .subscribed && payload.subtype == .initialBuy)
        let data = try #require(payload.data)
        #expect(data.bundleId == TestStore.identity.bundleID && data.environment == .sandbox)
        #expect(data.status == .subscribed)
        let renewal = try await verifier.verify(try #require(data.signedRenewalInfo))
        #expect(renewal == first.contents.renewalInfo)
        let signed = try #require(data.signedTransactionInfo)
        guard
            case .verified(let transaction) = await verifier.verify(
                signed, allowingNoDevice: true)
        else {
            Issue.record("not verified")
            return
        }
        #expect(transaction.payload == first.contents.transaction)
    }

    @Test("only the backend is told that a parent withdraws the consent to the app for a child")
    func consent() async throws {
        let told = try await Told()
        let theme = try await told.buy(SampleCatalog.otherTheme)
        try await told.perform(.family(.create(organizer: "kai")))
        try await told.perform(.family(.join("aoi", organizer: "kai", role: .child)))
        let before = try await told.all().count
        let events = try await told.perform(.family(.rescindConsent("aoi")))
        #expect(events.map(\.kind) == [.consentRescinded] && events.first?.account == "aoi")
        let notification = try #require(try await told.all().dropFirst(before).first)
        #expect(try await told.all().count == before + 1)
        #expect(notification.kind == NotificationKind(.rescindConsent))
        #expect(notification.account == "aoi" && notification.transaction == nil)
        let verifier = try TestStore.verifier()
        let payload = try await verifier.verify(told.outbox.signed(notification))
        #expect(payload.data == nil && payload.summary == nil)
        let app = try #require(payload.appData)
        #expect(app.bundleId == TestStore.identity.bundleID && app.environment == .sandbox)
        let decoded = try await verifier.verify(app.signedAppTransactionInfo)
        let served = try #require(try await told.store.engine.servedStore.served(theme)).payload
        #expect(decoded.appTransactionId == served.appTransactionId)
        #expect(decoded.deviceVerification == nil)
        // It is in the history of the customer.
        var query = OutboxQuery(.newest(before: nil), limit: 1)
        query.account = "aoi"
        #expect(try await told.outbox.outbox(query).items.map(\.id) == [notification.id])
        let start = FeedCursor(epoch: 1, position: 0)
        var feed = told.store.session().updates(after: start).makeAsyncIterator()
        let batch = try #require(try await feed.next())
        #expect(batch.events.contains { $0.kind == .familyChanged })
        #expect(!batch.events.contains { $0.kind == .consentRescinded })
    }

    @Test("nothing is told of what happened before anybody was to be told")
    func since() async throws {
        let store = try await TestStore(elapsed: nil)
        let outbox = store.engine.outboxStore
        _ = try await store.session().purchase(.of(SampleCatalog.coins))
        #expect(try await outbox.deriveNotifications() == 0)
        _ = try await store.session().purchase(.of(SampleCatalog.theme))
        #expect(try await outbox.deriveNotifications() == 1)
        var items = try await outbox.outbox(OutboxQuery(.oldest(after: nil), limit: 9)).items
        #expect(items.map(\.state) == [.noAddress])
        #expect(try await outbox.queueTest() == nil, "there is no address")
        _ = try await outbox.change(.send(to: "http://localhost:3000", host: "here"))
        #expect(try await outbox.outboxDue().count == 0, "made without an address")
        _ = try await store.session().purchase(.of(SampleCatalog.coins))
        // Another process derives nothing twice.
        #expect(try await store.engine.outboxStore.deriveNotifications() == 1)
        #expect(try await outbox.deriveNotifications() == 0)
        items = try await outbox.outbox(OutboxQuery(.oldest(after: nil), limit: 9)).items
        #expect(items.map(\.state) == [.noAddress, .waiting])
        #expect(try await outbox.queueTest()?.notification.kind == NotificationKind(.test))
    }

    @Test(
        "while notifications are off nothing is made that is sent later, and before nothing is lost"
    )
    func off() async throws {
        let told = try await Told()
        _ = try await told.buy(SampleCatalog.coins)
        // Nothing has run that makes notifications.
        _ = try await told.outbox.change(.stop)
        _ = try await told.buy(SampleCatalog.coins)
        _ = try await told.outbox.change(.send(to: "http://127.0.0.1:3000/", host: "here"))
        _ = try await told.buy(SampleCatalog.coins)
        _ = try await told.all()
        let items = try await told.outbox.outbox(OutboxQuery(.oldest(after: nil), limit: 9)).items
        #expect(items.map(\.state) == [.waiting, .noAddress, .waiting])
        #expect(try await told.outbox.outboxDue().count == 2)
    }

    @Test("the latest notifications tell of what has just happened: they are made first")
    func latest() async throws {
        let told = try await Told()
        _ = try await told.buy(SampleCatalog.coins)
        _ = try await told.buy(SampleCatalog.theme)
        let found = try await told.outbox.latest(limit: 1)
        #expect(found.items.map(\.notification.productID) == [SampleCatalog.theme])
        #expect(found.settings.notifications?.url != nil)
        let narrowed = try await told.outbox.latest(limit: 9) { $0.type = .didRenew }
        #expect(narrowed.items.isEmpty)
    }

    @Test("a purchase after another plan has ended is no change of plan, also at the same instant")
    func noChangeOfPlan() async throws {
        let told = try await Told()
        _ = try await told.buy(SampleCatalog.monthly)
        let yearly = try await told.buy(SampleCatalog.yearly)
        try await told.perform(.expire(yearly))
        _ = try await told.buy(SampleCatalog.monthly)
        #expect(
            try await told.kinds() == [
                "SUBSCRIBED.INITIAL_BUY", "DID_CHANGE_RENEWAL_PREF.UPGRADE", "EXPIRED",
                "SUBSCRIBED.RESUBSCRIBE",
            ])
    }

    @Test("a store that was emptied gives its notifications other numbers, although its keys stay")
    func emptied() async throws {
        var ids: [UUID] = []
        for start in [1_800_000_000_000, 1_800_000_001_000] as [Int64] {
            let clock = ManualClock(Timestamp(milliseconds: start))
            let store = try await TestStore(clock: clock, elapsed: nil)
            let outbox = store.engine.outboxStore
            _ = try await outbox.change(.send(to: "http://127.0.0.1:3000/", host: "here"))
            _ = try await store.session().purchase(.of(SampleCatalog.coins))
            _ = try await outbox.deriveNotifications()
            let items = try await outbox.outbox(OutboxQuery(.oldest(after: nil), limit: 9)).items
            ids += items.map(\.id)
        }
        #expect(ids.count == 2 && ids.first != ids.last)
    }

    @Test(
        "a notification has the app's Apple ID in production only",
        arguments: [(.sandbox, nil), (.production, 7)] as [(StoreEnvironment, Int64?)])
    func appleID(_ environment: StoreEnvironment, _ expected: Int64?) async throws {
        let told = try await Told(environment: environment)
        _ = try await told.buy(SampleCatalog.coins)
        let sold = try #require(try await told.all().first)
        let identity = AppIdentity(bundleID: "a.b", appAppleID: 7, environment: environment)
        func payload(_ queued: QueuedNotification) -> NotificationPayload {
            queued.payload(
                identity, version: "1", transaction: nil, renewalInfo: nil, appTransaction: nil)
        }
        let data = try #require(payload(sold).data)
        #expect(data.appAppleId == expected && data.environment == environment)
    }

    @Test("only http addresses of this machine are taken")
    func addresses() async throws {
        let outbox = try await TestStore(elapsed: nil).engine.outboxStore
        for url in [
            "https://127.0.0.1/apple", "http://192.0.2.1/", "http://example.com/",
            "ftp://localhost/",
            "127.0.0.1:3000", "", "http://user@127.0.0.1/", "http://127.0.0.1.example.com/",
            "http://127.0.0.1:3000/applehttps://127.0.0.1/",
        ] {
            let error = await #expect(throws: StoreError.self) {
                _ = try await outbox.change(.send(to: url, host: "here"))
            }
            #expect(error?.serverFailure == .addressRefused, "\(url)")
        }
        var server = try await outbox.change(.send(to: "http://[::1]:3000/a?b=c", host: "here"))
        #expect(server.obstacle(on: "here") == nil && server.obstacle(on: "there") == .otherHost)
        server = try await outbox.change(.stop)
        #expect(server.obstacle(on: "here") == .noAddress)
    }

    @Test("attempts of several notifications are recorded in one write, all of them or none")
    func together() async throws {
        let ledger = FaultyLedger(InMemoryLedger())
        let store = try await TestStore(ledger: ledger, elapsed: nil)
        let outbox = store.engine.outboxStore
        _ = try await outbox.change(.send(to: "http://127.0.0.1:3000/apple", host: "here"))
        for _ in 0..<4 { _ = try await store.session().purchase(.of(SampleCatalog.coins)) }
        _ = try await outbox.deriveNotifications()
        func items() async throws -> [OutboxItem] {
            try await outbox.outbox(OutboxQuery(.oldest(after: nil), limit: 9)).items
        }
        let results: [SendAttemptResult] = [.success, .timedOut, .noResponse, .success]
        let ended = zip(try await items(), results).map { item, result in
            EndedAttempt(
                OutboxAttempt(at: outbox.now, result: result, milliseconds: 1, status: nil),
                of: item.id, seen: item.changedAt)
        }
        ledger.refuseWrites(with: .storeFull)
        await #expect(throws: StoreError.self) { try await outbox.record(ended) }
        #expect(try await items().allSatisfy { $0.state == .waiting })
        ledger.refuseWrites(with: nil)

        let start = ledger.calls
        try await outbox.record([ended[3]])
        let ofOne = ledger.calls - start
        var unknown = ended[0]
        unknown.id = UUID()
        try await outbox.record(Array(ended.prefix(3)) + [unknown])
        #expect(ledger.calls - start == 2 * ofOne, "as many reads and writes as for one")
        #expect(try await items().map(\.state) == [.sent, .failed, .failed, .sent])
        #expect(try await items().map { $0.attempts.map(\.result) } == results.map { [$0] })
    }

    @Test("a resend that comes during an attempt is not lost")
    func resend() async throws {
        let told = try await Told(environment: .production)
        _ = try await told.buy(SampleCatalog.coins)
        let id = try #require(try await told.all().first?.id)
        func item() async throws -> OutboxItem {
            try #require(try await told.outbox.item(id))
        }
        func record(_ result: SendAttemptResult, of item: OutboxItem) async throws {
            let attempt = OutboxAttempt(
                at: told.outbox.now, result: result, milliseconds: 1, status: nil)
            try await told.outbox.record([
                EndedAttempt(attempt, of: item.id, seen: item.changedAt)
            ])
        }
        let begun = try await item()
        try await told.advance(Self.hour)
        _ = try await told.outbox.resend(id)
        let asked = told.outbox.now
        try await record(.success, of: begun)
        #expect(try await item().next == asked)
        #expect(try await item().state == .waiting)
        try await record(.timedOut, of: try await item())
        #expect(try await item().next == asked.advanced(byMilliseconds: 12 * Self.hour))
        #expect(try await item().attempts.map(\.result) == [.success, .timedOut])
        #expect(try await told.outbox.resend(UUID()) == nil)
    }
}
