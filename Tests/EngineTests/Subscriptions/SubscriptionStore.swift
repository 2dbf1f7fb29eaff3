import StoreEngine
import StoreModel
import StoreTestSupport
import Testing

/// A store in memory with one monthly subscription, which the test's operator changes.
struct SubscriptionStore {
    let store: TestStore
    let id: TransactionID

    init(
        _ product: ProductID = SampleCatalog.monthly, _ settings: RenewalsChange? = nil
    ) async throws {
        store = try await TestStore(elapsed: nil)
        if let settings { _ = try await store.console.perform(.setRenewals(settings)) }
        id = try #require(try await store.session().purchase(.of(product)).number)
    }

    @discardableResult
    func perform(_ action: OperatorAction) async throws -> [StoreEvent] {
        try await store.console.perform(action)
    }

    func refusal(of action: OperatorAction) async throws -> StoreError.Code? {
        try await store.console.refusal(of: action)?.code
    }

    /// Moves the clock by days. Returns the names of the subscription's events (`name(of:)`).
    func days(_ count: Int) async throws -> [String] {
        try await perform(
            .clock(.advance(.calendar(SubscriptionPeriod(unit: .day, value: count))))
        ).compactMap { name(of: $0) }
    }

    /// Moves the clock to the next due item. Returns the names of the subscription's events.
    func next() async throws -> [String] {
        try await perform(.clock(.next)).compactMap { name(of: $0) }
    }

    func name(of event: StoreEvent) -> String? {
        switch event.change {
        case .sold: "sold"
        case .revised(let revision): revision.kind.rawValue
        case .autoRenewChanged(_, _, let isOn, _): isOn ? "on" : "off"
        case .subscriptionChanged(let change):
            change.kind == .expired
                ? "expired \(change.reason.map { $0.name } ?? "")" : change.kind.rawValue
        case .deleted, .clockSet, .renewalsSet, .unknown, .deferred, .failed, .refundRequested,
            .refundDeclined, .promoted, .purchaseCancelled, .finished, .claimed, .catalogRevised,
            .accountChanged, .familyChanged, .valueChanged, .faultSet, .faultCleared, .serverSet,
            .consumptionAnswered, .extensionDone:
            nil
        }
    }

    /// The periods sold so far, in order, with their present ends.
    func periods() async throws -> [TransactionRow] {
        try await store.ledger.allRows().transactions.values.filter { $0.sale.term != nil }
            .sorted { $0.id < $1.id }
    }

    func entitlement() async throws -> Entitlement? {
        try await store.session().entitlements().first
    }

    func timeline() async throws -> SubscriptionTimeline {
        let page = try await store.session().events(
            before: nil, filter: HistoryFilter(), limit: 500)
        return SubscriptionTimeline(page.events.reversed(), of: id)
    }

    func now() async throws -> Timestamp { try await store.console.clock().now }
}
