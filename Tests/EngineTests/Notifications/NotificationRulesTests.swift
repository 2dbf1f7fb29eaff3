import Foundation
@testable import StoreEngine
@testable import StoreModel
import StoreTestSupport
import Testing

/// The table of which notification tells of which event.
@Suite("which notification tells of an event") struct NotificationRulesTests {
    /// One way in which an event can happen, and what is told of it.
    struct Row: CustomTestStringConvertible {
        var fact: Entry.Fact
        var before = NotificationRules.Before()
        /// `TYPE.SUBTYPE`, or `none: ` and why.
        var told: String

        init(_ fact: Entry.Fact, _ told: String) {
            self.fact = fact
            self.told = told
        }

        init(_ fact: Entry.Fact, _ before: NotificationRules.Before, _ told: String) {
            self.init(fact, told)
            self.before = before
        }

        var recorded: RecordedEntry {
            RecordedEntry(
                position: 7, recordedAt: Self.now, number: Self.chain,
                entry: Entry(
                    account: "aoi", device: nil, effectiveAt: Self.now,
                    number: .existing(Self.chain), fact: fact))
        }

        var kind: EventKind? { recorded.changes(nil).first?.kind }
        var testDescription: String { "\(kind?.rawValue ?? "no event"): \(told)" }

        static let now = Timestamp(milliseconds: 1_800_000_000_000)
        static let chain = TransactionID(1_000_001)
    }

    private static let dollar = Money(milliunits: 1_000, currency: "USD")

    // MARK: - Facts

    private static func sold(
        _ type: ProductType, _ cause: Sale.Cause = .payment(PaymentID(UUID()), shownPrice: dollar),
        isFirst: Bool = true, offer: OfferKind? = nil, sharesRenewal: Bool? = nil
    ) -> Entry.Fact {
        var sale = Sale(
            cause: cause, productID: SampleCatalog.monthly, type: type, purchaseDate: Row.now,
            storefront: "USA", price: dollar)
        if !isFirst { sale.original = .init(id: Row.chain, purchaseDate: Row.now) }
        sale.offer = offer.map { self.offer($0) }
        sale.share = sharesRenewal.map { SharedSale(owner: "kai", chain: nil, isRenewal: $0) }
        return .sold(sale)
    }

    private static func offer(_ kind: OfferKind) -> SoldOffer {
        SoldOffer(
            kind: kind, mode: .freeTrial, period: SubscriptionPeriod(unit: .month, value: 1),
            price: dollar, periodsLeft: 0)
    }

    private static func revised(
        _ change: TransactionRevision.Change, endsIn milliseconds: Int64? = nil
    ) -> Entry.Fact {
        var state = TransactionState(revision: 1)
        state.expiresDate = milliseconds.map { Row.now.advanced(byMilliseconds: $0) }
        return .revised(
            TransactionRevision(
                state: state, change: change, productID: SampleCatalog.monthly,
                type: .autoRenewable))
    }

    private static func autoRenew(_ isOn: Bool, _ reason: AutoRenewChange.Reason) -> Entry.Fact {
        .autoRenewChanged(
            AutoRenewChange(
                chain: Row.chain, productID: SampleCatalog.monthly, isOn: isOn, reason: reason,
                state: .renewing))
    }

    private static func changed(
        _ kind: SubscriptionEvent.Kind, reason: ExpirationReason? = nil, next: ProductID? = nil,
        _ state: SubscriptionState = .renewing
    ) -> Entry.Fact {
        var event = SubscriptionEvent(
            kind: kind, chain: Row.chain, productID: SampleCatalog.monthly)
        event.reason = reason
        event.nextProductID = next
        return .subscriptionChanged(
            SubscriptionChange(event: event, autoRenews: true, state: state))
    }

    private static let withOffer = SubscriptionState(nextOffer: offer(.promotional))
    private static let withLaterOffer = SubscriptionState(
        afterCommitment: AfterCommitment(productID: SampleCatalog.yearly, offer: offer(.code)))
    private static let share = Sale.Cause.familyShare(of: Row.chain)
    private static let isShare = NotificationRules.Before(isShare: true)
    private static let endedAnotherPlan = NotificationRules.Before(endedAnotherPlan: true)
    private static let isRecovery = NotificationRules.Before(isRecovery: true)
    private static let refund = RefundRequest(
        transactionID: Row.chain, account: "aoi", device: "phone",
        productID: SampleCatalog.monthly, reason: .broken, askedAt: Row.now)
    private static let payment = Payment.of(SampleCatalog.coins)
    private static let fault = Fault(
        id: 1, call: .verification, error: .invalidSignature, remaining: nil)
    private static let request = ExtensionRequest(
        id: UUID(), productID: SampleCatalog.monthly, days: 3)

    // MARK: - The table

    private static let sales: [Row] = [
        Row(sold(.consumable), "ONE_TIME_CHARGE"),
        Row(sold(.nonConsumable), "ONE_TIME_CHARGE"),
        Row(sold(.nonRenewing), "ONE_TIME_CHARGE"),
        Row(sold(.nonConsumable, .outsideApp), "ONE_TIME_CHARGE"),
        Row(sold(.nonConsumable, share, sharesRenewal: false), isShare, "ONE_TIME_CHARGE"),
        Row(sold(.autoRenewable), "SUBSCRIBED.INITIAL_BUY"),
        Row(sold(.autoRenewable, .outsideApp, offer: .code), "SUBSCRIBED.INITIAL_BUY"),
        Row(sold(.autoRenewable, share, sharesRenewal: false), isShare, "SUBSCRIBED.INITIAL_BUY"),
        Row(sold(.autoRenewable, share, sharesRenewal: true), isShare, "SUBSCRIBED.INITIAL_BUY"),
        Row(sold(.autoRenewable, isFirst: false), "SUBSCRIBED.RESUBSCRIBE"),
        Row(sold(.autoRenewable, isFirst: false, offer: .winBack), "SUBSCRIBED.RESUBSCRIBE"),
        Row(
            sold(.autoRenewable, isFirst: false), endedAnotherPlan,
            "DID_CHANGE_RENEWAL_PREF.UPGRADE"),
        Row(
            sold(.autoRenewable, isFirst: false, offer: .introductory), endedAnotherPlan,
            "DID_CHANGE_RENEWAL_PREF.UPGRADE"),
        Row(
            sold(.autoRenewable, isFirst: false, offer: .promotional), endedAnotherPlan,
            "OFFER_REDEEMED.UPGRADE"),
        Row(sold(.autoRenewable, .renewal, isFirst: false), "DID_RENEW"),
        Row(
            sold(.autoRenewable, .renewal, isFirst: false), isRecovery,
            "DID_RENEW.BILLING_RECOVERY"),
        Row(sold(.autoRenewable, share, isFirst: false, sharesRenewal: true), isShare, "DID_RENEW"),
    ]

    private static let revisions: [Row] = [
        Row(revised(.refunded(dollar)), "REFUND"),
        Row(revised(.revoked), "REFUND"),
        Row(revised(.refunded(dollar)), isShare, "REVOKE"),
        Row(revised(.revoked), isShare, "REVOKE"),
        Row(revised(.refundReversed(dollar)), "REFUND_REVERSED"),
        Row(revised(.refundReversed(dollar)), isShare, "none: toldToOwner"),
        Row(revised(.expiryMoved, endsIn: 1), "RENEWAL_EXTENDED"),
        Row(revised(.expiryMoved, endsIn: 0), "none: toldByAnother"),
        Row(revised(.expiryMoved), "none: toldByAnother"),
        Row(revised(.upgraded(dollar)), "none: toldByAnother"),
        Row(revised(.tokenSet), "none: ofTheApp"),
        Row(revised(.deleted(sold: dollar, refunded: dollar)), "none: deletes"),
    ]

    private static let subscriptions: [Row] = [
        Row(autoRenew(true, .chosen), "DID_CHANGE_RENEWAL_STATUS.AUTO_RENEW_ENABLED"),
        Row(autoRenew(false, .chosen), "DID_CHANGE_RENEWAL_STATUS.AUTO_RENEW_DISABLED"),
        Row(autoRenew(false, .renewalLimit), "DID_CHANGE_RENEWAL_STATUS.AUTO_RENEW_DISABLED"),
        Row(
            autoRenew(false, .productUnavailable),
            "DID_CHANGE_RENEWAL_STATUS.AUTO_RENEW_DISABLED"),
        Row(autoRenew(false, .revoked), "DID_CHANGE_RENEWAL_STATUS.AUTO_RENEW_DISABLED"),
        Row(autoRenew(false, .priceDeclined), "DID_CHANGE_RENEWAL_STATUS.AUTO_RENEW_DISABLED"),
        Row(autoRenew(false, .expired), "none: toldByAnother"),
        Row(changed(.expired, reason: .autoRenewDisabled), "EXPIRED.VOLUNTARY"),
        Row(changed(.expired, reason: .billingError), "EXPIRED.BILLING_RETRY"),
        Row(changed(.expired, reason: .didNotConsentToPriceIncrease), "EXPIRED.PRICE_INCREASE"),
        Row(changed(.expired, reason: .productUnavailable), "EXPIRED.PRODUCT_NOT_FOR_SALE"),
        Row(changed(.expired, reason: .other), "EXPIRED"),
        Row(changed(.billingFailed), "none: toldAtTheEnd"),
        Row(changed(.billingRetryFailed), "none: toldAtTheEnd"),
        Row(changed(.graceBegan), "DID_FAIL_TO_RENEW.GRACE_PERIOD"),
        Row(changed(.billingRetryBegan), "DID_FAIL_TO_RENEW"),
        Row(changed(.graceEnded), "GRACE_PERIOD_EXPIRED"),
        Row(changed(.priceIncreaseAsked), "PRICE_INCREASE.PENDING"),
        Row(changed(.priceIncreaseAgreed), "PRICE_INCREASE.ACCEPTED"),
        Row(changed(.priceIncreaseNotified), "PRICE_INCREASE.ACCEPTED"),
        Row(
            changed(.planChangePlanned, next: SampleCatalog.yearly),
            "DID_CHANGE_RENEWAL_PREF.DOWNGRADE"),
        Row(changed(.planChangeTakenBack), "DID_CHANGE_RENEWAL_PREF"),
        Row(changed(.offerRedeemed), "OFFER_REDEEMED"),
        Row(
            changed(.planChangePlanned, next: SampleCatalog.yearly, withOffer),
            "OFFER_REDEEMED.DOWNGRADE"),
        Row(
            changed(.planChangePlanned, next: SampleCatalog.yearly, withLaterOffer),
            "OFFER_REDEEMED.DOWNGRADE"),
        Row(
            .extensionDone(
                ExtensionOutcome(
                    request: request, succeeded: 1, failed: 0, failures: [], completedAt: Row.now)),
            "RENEWAL_EXTENSION.SUMMARY"),
    ]

    private static let others: [Row] = [
        Row(.refundRequested(refund), "CONSUMPTION_REQUEST"),
        Row(.refundDeclined(refund), "REFUND_DECLINED"),
        Row(.deferred(payment, .askToBuy), "none: sellsNothing"),
        Row(.failed(payment, StoreError(.paymentDeclined)), "none: sellsNothing"),
        Row(.purchaseCancelled(SampleCatalog.coins), "none: sellsNothing"),
        Row(.promoted(SampleCatalog.coins), "none: sellsNothing"),
        Row(.finished, "none: ofTheApp"),
        Row(.claimed(by: "phone"), "none: ofTheApp"),
        Row(.valueChanged(AccountValue(key: "theme", value: "sepia")), "none: ofTheApp"),
        Row(
            .consumptionAnswered(
                ConsumptionAnswer(
                    transactionID: Row.chain, productID: SampleCatalog.coins, answeredAt: Row.now,
                    deliveryStatus: .delivered, sampleContentProvided: false)), "none: ofTheApp"),
        Row(.storeOpened(identity: TestStore.identity), "none: setting"),
        Row(
            .catalogRevised(CatalogRevision(number: 1, digest: "one", productCount: 1)),
            "none: setting"),
        Row(.accountChanged(AccountSettings(name: "aoi", territory: "USA")), "none: setting"),
        Row(
            .familyChanged(
                FamilyChange(what: .created, organizer: "aoi", family: nil)),
            "none: setting"),
        Row(
            .familyChanged(
                FamilyChange(what: .consentRescinded("aoi"), organizer: "kai", family: nil)),
            "RESCIND_CONSENT"),
        Row(.faultSet(fault), "none: setting"),
        Row(.faultsCleared([fault]), "none: setting"),
        Row(.clockSet(.system), "none: setting"),
        Row(.renewalsSet(.standard), "none: setting"),
        Row(.extensionAsked(request), "none: setting"),
        Row(.serverSet(ServerSettings()), "none: setting"),
        Row(.moved(.closed(goesOnAt: "elsewhere")), "none: setting"),
        Row(.outbox(.queued([], through: 1)), "none: ofTheOutbox"),
        Row(.unknown(kind: 99, body: Data()), "none: unknown"),
    ]

    static let all = sales + revisions + subscriptions + others

    // MARK: - Tests

    @Test("each event has its notification, or none for a reason [G2]", arguments: all)
    func tells(_ row: Row) {
        let told: String =
            switch NotificationRules.telling(row.recorded, row.before) {
            case .told(let kind): kind.description
            case .untold(let why): "none: \(why)"
            }
        #expect(told == row.told)
    }

    @Test("every kind of event is in the table, with every reason and kind of product")
    func walk() {
        #expect(Set(Self.all.compactMap(\.kind)) == Set(EventKind.allCases))
        var events: Set<SubscriptionEvent.Kind> = []
        var reasons: Set<ExpirationReason> = []
        var revisions: Set<RevisionKind> = []
        var types: Set<ProductType> = []
        for row in Self.all {
            switch row.recorded.changes(nil).first {
            case .subscriptionChanged(let event):
                events.insert(event.kind)
                if let reason = event.reason { reasons.insert(reason) }
            case .revised(let revision): revisions.insert(revision.kind)
            case .sold(let sale): types.insert(sale.type)
            default: break
            }
        }
        #expect(events == Set(SubscriptionEvent.Kind.allCases))
        #expect(reasons == Set(ExpirationReason.allCases))
        #expect(revisions == Set(RevisionKind.allCases))
        #expect(types == Set(ProductType.allCases))
    }

    @Test("every type and subtype is told of something, or is one that nothing here causes [G2]")
    func complete() {
        let told = Set(Self.all.map(\.told))
        let missing = NotificationKind.all.filter { !told.contains($0.description) }
        // The first is sent on request, the second for each subscription of an extension.
        let besides: Set = ["TEST", "RENEWAL_EXTENSION.FAILURE"]
        #expect(
            Set(missing.map(\.description)).subtracting(besides)
                == Set(NotificationKind.all.filter(\.type.isNeverSent).map(\.description)))
        for silence in NotificationRules.Silence.allCases {
            #expect(told.contains("none: \(silence)"), "\(silence)")
        }
    }

    @Test("a notification's name is read in any case, and no other is")
    func names() {
        for kind in NotificationKind.all {
            #expect(NotificationKind(kind.description.lowercased()) == kind)
        }
        for text in ["", "DID_RENEW.", "DID_RENEW.UPGRADE", "SUBSCRIBED", "REFUND.INITIAL_BUY"] {
            #expect(NotificationKind(text) == nil, "\(text)")
        }
    }

    @Test("a failed notification is sent again after 1, 12, 24, 48 and 72 hours [G2]")
    func retries() {
        var attempts: [OutboxAttempt] = []
        var at = Row.now
        var hours: [Int64] = []
        func next(
            _ environment: StoreEnvironment, _ settings: NotificationSettings? = nil
        ) -> Timestamp? {
            RetryRules.next(after: attempts, environment, settings)
        }
        var retrying = NotificationSettings()
        retrying.retriesInSandbox = true
        while true {
            attempts.append(OutboxAttempt(at: at, result: .timedOut, milliseconds: 1, status: nil))
            #expect(next(.sandbox) == nil)
            #expect(next(.sandbox, retrying) == next(.production))
            guard let due = next(.production) else { break }
            hours.append(due.milliseconds(since: at) / 3_600_000)
            at = due
        }
        #expect(hours == [1, 12, 24, 48, 72])
        attempts = [OutboxAttempt(at: at, result: .success, milliseconds: 1, status: 200)]
        #expect(next(.production) == nil)
    }
}
