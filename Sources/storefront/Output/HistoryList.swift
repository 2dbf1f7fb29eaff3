import ShopText
import StoreModel

/// Past events for a person or a script: a table, or one JSON object per line.
struct HistoryList {
    private let isJSON: Bool
    private(set) var hasWritten = false
    private var table = TextTable()
    private static var columns: [Column<[String]>] {
        [
            Column(.columnDate) { $0[0] }, Column(.columnEvent) { $0[1] },
            Column(.columnTransaction) { $0[2] }, Column(.columnProduct) { $0[3] },
            Column(.columnPrice, isRight: true) { $0[4] }, Column(.columnAccount) { $0[5] },
            Column(.columnDevice) { $0[6] }, Column(.columnDetail) { $0[7] },
        ]
    }

    init(isJSON: Bool) { self.isJSON = isJSON }

    /// A line of the history: an event of the store, or an entry of the device's log about a
    /// transaction that the device could not verify.
    enum Line {
        case event(StoreEvent)
        case unverified(DeviceLogEntry)

        /// The error of a transaction that could not be verified.
        var problem: StoreError? {
            if case .unverified(let entry) = self, case .trouble(let error) = entry.what {
                error
            } else {
                nil
            }
        }

        fileprivate var products: [ProductID] {
            switch self {
            case .event(let event): [event.productID, event.nextProductID].compactMap { $0 }
            case .unverified: [problem?.productID].compactMap { $0 }
            }
        }
    }

    mutating func write(_ lines: [Line], of store: OpenStore) async throws {
        hasWritten = hasWritten || !lines.isEmpty
        guard !isJSON else {
            for line in lines {
                switch line {
                case .event(let event): try Output.json(PastEventLine(event))
                case .unverified(let entry):
                    try Output.json(UnverifiedLine(at: entry.at, problem: line.problem))
                }
            }
            return
        }
        let names = try await ProductNames(lines.flatMap(\.products), in: store)
        table.write(
            lines.map { line in
                switch line {
                case .event(let event): cells(event, names)
                case .unverified(let entry):
                    [
                        Output.strings.date(entry.at), Output.strings[CommandText.eventUnverified],
                        line.problem?.transactionID?.description ?? "",
                        line.problem?.productID.map { names.item($0) } ?? "", "",
                        store.account.rawValue, store.deviceName.rawValue,
                        line.problem?.found?.text ?? "",
                    ]
                }
            }, Self.columns)
    }

    private func cells(_ event: StoreEvent, _ names: ProductNames) -> [String] {
        let price = event.price.map {
            Output.strings.price(Price(money: $0, locale: "en_US"))
        }
        return [
            Output.strings.date(event.happenedAt),
            Output.strings.event(event.kind, isRenewal: event.sale?.reason == .renewal),
            (event.transactionID ?? event.requestID)?.description ?? "",
            event.productID.map { names.item($0, quantity: event.quantity ?? 1) } ?? "",
            price ?? "", event.account?.rawValue ?? "", event.device?.rawValue ?? "",
            detail(event.change, names),
        ]
    }

    /// The details that no other column shows; empty if there are none.
    private func detail(_ change: StoreEvent.Change, _ names: ProductNames) -> String {
        let strings = Output.strings
        switch change {
        case .sold(let sale):
            return sale.sharedBy.map { strings[.sharedBy(account: $0.rawValue)] } ?? ""
        case .autoRenewChanged(_, _, _, let end):
            return end.map { strings[.offAfterCommitment(day: strings.date($0))] } ?? ""
        case .deleted, .finished, .promoted, .purchaseCancelled: return ""
        case .familyChanged(let change): return strings.event(change, product: nil)
        case .subscriptionChanged(let event):
            if event.isAtRenewalLimit == true { return strings[.expiredAtRenewalLimit] }
            var parts = [strings[.subscriptionEvent(event.kind)]]
            if event.kind == .planChangePlanned {
                parts +=
                    event.nextProductID.map {
                        [
                            strings[
                                .renewsAs(product: names.item(event.productID), to: names.item($0))]
                        ]
                    } ?? []
                parts += event.nextBillingPlan.map { [strings[.billingPlanName($0)]] } ?? []
                parts += event.until.map { [strings[.timelineFrom(strings.date($0))]] } ?? []
            }
            return parts.joined(separator: strings[.listSeparator])
        case .deferred(_, _, let reason): return strings.waiting(for: reason)
        case .refundRequested(let request), .refundDeclined(let request):
            return strings[CommandText.refundReason(request.reason)]
        case .revised(let revision):
            if revision.kind == .expiryMoved {
                return revision.sale?.expiresAt.map { strings[.timelineUntil(strings.date($0))] }
                    ?? ""
            }
            return revision.money.map { strings.price(Price(money: $0, locale: "en_US")) } ?? ""
        case .failed(_, let error, _): return error.code.rawValue
        case .claimed(let id, let device): return strings.claimed(id, by: device)
        case .catalogRevised(let revision, let release):
            guard let release else { return String(revision) }
            return strings[.packageIs(package: release.name, release.state)]
        case .accountChanged(let settings): return strings.event(settings)
        case .clockSet(let state): return strings.event(state)
        case .renewalsSet(let settings): return strings.renewalRate(settings.rate)
        case .faultSet(let fault): return strings.faultSet(fault)
        case .faultCleared(let fault): return strings.faultCleared(fault)
        case .unknown(let kind): return String(kind)
        }
    }
}

extension StoreEvent {
    /// The product that a planned change of plan changes to.
    fileprivate var nextProductID: ProductID? {
        if case .subscriptionChanged(let event) = change { event.nextProductID } else { nil }
    }
}

/// A transaction that this device could not verify, in the JSON of a history.
struct UnverifiedLine: Encodable {
    /// The name of the event. The store has no such event, so the name is not an `EventKind`.
    static let event = "unverified"

    var event = Self.event
    var at: Timestamp
    var transactionId: TransactionID?
    var productId: ProductID?
    /// The name of StoreKit's `VerificationError`.
    var verificationError: String?

    init(at: Timestamp, problem: StoreError?) {
        self.at = at
        transactionId = problem?.transactionID
        productId = problem?.productID
        verificationError = problem?.found?.text
    }
}

/// A past event in JSON, with the field names of `operator events`; without signed texts.
struct PastEventLine: Encodable {
    var event: EventKind
    /// The position of its entry in the ledger; events of one entry share it.
    var position: Int64
    /// When it was recorded, in store time.
    var at: Timestamp
    /// The store time at which it took effect, if it was recorded later.
    var happenedAt: Timestamp?
    var account: AccountName?
    var device: DeviceName?
    var transactionId: TransactionID?
    var originalTransactionId: TransactionID?
    /// When the commitment ends: its payments continue until then, although auto-renew was turned
    /// off.
    var commitmentEnds: Timestamp?
    var requestId: TransactionID?
    /// Why a payment is pending, or why a refund was requested.
    var reason: String?
    var paymentId: PaymentID?
    var productId: ProductID?
    var quantity: Int?
    /// The price of the whole quantity, in milliunits.
    var price: Int64?
    var currency: String?
    /// The sum that a refund returned, or its reversal took back, in milliunits.
    var money: Int64?
    var revocation: Revocation?
    var revision: Int64?
    /// The package of content that was hosted or put into another state.
    var release: PackageRelease?
    var settings: AccountSettings?
    var family: FamilyLine?
    /// The buyer of a sale that a family member shares, and how the account owns it.
    var sharedBy: AccountName?
    var inAppOwnershipType: TransactionPayload.Ownership?
    var fault: Fault?
    var error: StoreError?
    var clock: ClockFields?
    var renewals: RenewalSettings?
    var subscription: SubscriptionEventFields?
    var kind: Int?

    init(_ past: StoreEvent) {
        event = past.kind
        position = past.cursor.position
        at = past.at
        happenedAt = past.happenedAt == past.at ? nil : past.happenedAt
        account = past.account
        device = past.device
        transactionId = past.transactionID
        originalTransactionId = past.sale?.originalID
        requestId = past.requestID
        paymentId = past.paymentID
        productId = past.productID
        quantity = past.quantity
        price = past.price?.milliunits
        currency = past.price?.currency
        error = past.error
        sharedBy = past.sale?.sharedBy
        inAppOwnershipType = past.sale?.ownership
        switch past.change {
        case .sold, .deleted, .failed, .finished, .promoted, .purchaseCancelled: break
        case .deferred(_, _, let reason): self.reason = reason.rawValue
        case .refundRequested(let request), .refundDeclined(let request):
            reason = request.reason.rawValue
        case .revised(let change):
            money = change.money?.milliunits
            revocation = change.revocation
        case .autoRenewChanged(let chain, _, _, let end):
            commitmentEnds = end
            transactionId = nil
            originalTransactionId = chain
        case .subscriptionChanged(let event):
            transactionId = nil
            originalTransactionId = event.chain
            subscription = SubscriptionEventFields(event)
        case .claimed(_, let claimer): device = claimer
        case .catalogRevised(let number, let hosted):
            revision = number
            release = hosted
        case .accountChanged(let account): settings = account
        case .familyChanged(let change): family = FamilyLine(change)
        case .clockSet(let state): clock = ClockFields(state)
        case .renewalsSet(let renewing): renewals = renewing
        case .faultSet(let fault), .faultCleared(let fault): self.fault = fault
        case .unknown(let number): kind = number
        }
    }
}
