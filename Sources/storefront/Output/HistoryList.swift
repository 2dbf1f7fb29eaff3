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

    /// An event of the store, or a transaction in the device's log that it could not verify.
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
                case .event(let event): try Output.json(event.historyFields)
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
                        Output.strings.date(entry.at), Output.strings[ColumnText.eventUnverified],
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
            return strings[ColumnText.refundReason(request.reason)]
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
        default: return ""
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
