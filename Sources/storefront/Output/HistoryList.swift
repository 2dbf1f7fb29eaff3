import Basics
import ShopText
import StoreModel

/// Past events for a person, a script or a spreadsheet.
struct HistoryList {
    private var list: ListOutput
    var isEmpty: Bool { list.isEmpty }

    init(_ format: ListFormat) { list = ListOutput(format) }

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

        fileprivate var event: StoreEvent? {
            if case .event(let event) = self { event } else { nil }
        }

        fileprivate var at: Timestamp {
            switch self {
            case .event(let event): event.happenedAt
            case .unverified(let entry): entry.at
            }
        }

        fileprivate var product: ProductID? { event?.productID ?? problem?.productID }
        fileprivate var productID: String { product?.rawValue ?? "" }
        fileprivate var price: Money? { event?.price }
        fileprivate var quantity: CSV.Field {
            guard let quantity = event?.quantity else { return .empty }
            return .count(quantity)
        }

        fileprivate var products: [ProductID] {
            [event?.productID, event?.nextProductID, problem?.productID].compactMap(\.self)
        }

        fileprivate var fields: JSONFields {
            switch self {
            case .event(let event): event.historyFields
            // The store has no such event, so the name is not an `EventKind`.
            case .unverified(let entry):
                [
                    "event": "unverified", "at": entry.at,
                    "transactionId": problem?.transactionID, "productId": problem?.productID,
                    "verificationError": problem?.found?.text,
                ]
            }
        }
    }

    /// - Parameter earlierRenewals: the settings before a change of renewals, by its position.
    mutating func write(
        _ lines: [Line], earlierRenewals: [Int64: RenewalSettings], of store: OpenStore
    ) async throws {
        try await list.write(lines, line: { $0.fields }) {
            let names = try await ProductNames(lines.flatMap(\.products), in: store)
            let strings = Output.strings
            return [
                Column(.columnDate) { strings.date($0.at) },
                Column(.columnEvent) { line in
                    guard let event = line.event else {
                        return strings[ColumnText.eventUnverified]
                    }
                    return strings.event(event.kind, isRenewal: event.sale?.reason == .renewal)
                },
                Column(.columnTransaction) {
                    ($0.event?.transactionID ?? $0.event?.requestID ?? $0.problem?.transactionID)?
                        .description ?? ""
                },
                Column(
                    .columnProduct, mayBeCut: true,
                    field: { line in .text(line.product.map { names.item($0) } ?? "") }
                ) { line in
                    line.product.map { names.item($0, quantity: line.event?.quantity ?? 1) } ?? ""
                },
                .inCSV(.columnIdentifier) { .text($0.productID) },
                .inCSV(.columnQuantity) { $0.quantity },
                Column(.columnPrice, isRight: true, field: { .amount($0.price) }) { line in
                    line.price.map { strings.price(Price(money: $0, locale: "en_US")) } ?? ""
                },
                .inCSV(.columnRefunded) { .amount($0.event?.refunded) },
                .inCSV(.columnCurrency) { .text($0.price?.currency ?? "") },
                Column(.columnAccount) { line in
                    line.event.map { $0.account?.rawValue ?? "" } ?? store.account.rawValue
                },
                Column(.columnDevice) { line in
                    line.event.map { $0.device?.rawValue ?? "" } ?? store.deviceName.rawValue
                },
                Column(.columnDetail) { line in
                    line.event.map {
                        Self.detail($0.change, names, earlierRenewals[$0.cursor.position])
                    }
                        ?? line.problem?.found?.text ?? ""
                },
            ]
        }
    }

    /// The details that no other column shows; empty if there are none.
    private static func detail(
        _ change: StoreEvent.Change, _ names: ProductNames, _ earlierRenewals: RenewalSettings?
    ) -> String {
        let strings = Output.strings
        switch change {
        case .sold(let sale):
            return sale.sharedBy.map { strings[.sharedBy(account: $0.rawValue)] } ?? ""
        case .autoRenewChanged(_, _, _, let end):
            return end.map { strings[.offAfterCommitment(day: strings.date($0))] } ?? ""
        case .familyChanged(let change): return strings.event(change, product: nil)
        case .valueChanged(let change): return UntrustedText.clean(change.key)
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
        case .consumptionAnswered(let answer): return strings[ColumnText.backendSays(answer)]
        case .extensionDone(let outcome): return "\(outcome.succeeded) / \(outcome.failed)"
        case .revised(let revision):
            if revision.kind == .expiryMoved {
                return revision.sale?.expiresAt.map { strings[.timelineUntil(strings.date($0))] }
                    ?? ""
            }
            return revision.money.map { strings.price(Price(money: $0, locale: "en_US")) } ?? ""
        case .failed(_, let error, _): return error.code.rawValue
        case .claimed(let id, let device): return strings.claimed(id, by: device)
        case .catalogRevised(let revision, let release, _):
            guard let release else { return String(revision) }
            return strings[.packageIs(package: release.name, release.state)]
        case .accountChanged(let settings): return strings.event(settings)
        case .clockSet(let state): return strings.event(state)
        case .renewalsSet(let settings): return strings.event(settings, before: earlierRenewals)
        case .faultSet(let fault): return strings.faultSet(fault)
        case .faultCleared(let fault): return strings.faultCleared(fault)
        case .unknown(let kind): return String(kind)
        default: return ""
        }
    }
}

extension StoreEvent {
    fileprivate var refunded: Money? {
        if case .revised(let revision) = change { revision.returned } else { nil }
    }

    /// The product that a planned change of plan changes to.
    fileprivate var nextProductID: ProductID? {
        if case .subscriptionChanged(let event) = change { event.nextProductID } else { nil }
    }
}
