@testable import Shop
import ShopText
import StoreModel
import Terminal
import Testing

/// A shop under an exhaustive test: a change of the state or an effect that the test does not
/// expect is a failure. Each action happens a second after the one before, with another payment id.
struct ShopProbe {
    private(set) var state: ShopState
    var viewport: Viewport
    var elapsed = Duration.zero
    private var count = 0

    init(_ state: ShopState = SampleShop.empty(), viewport: Viewport = Viewport()) {
        self.state = state
        self.viewport = viewport
    }

    /// Sends an action, and compares the state and the effects with the expected ones.
    ///
    /// - Parameters:
    ///   - effects: the expected effects, in order. The queries among them are expected to be under
    ///     way afterwards.
    ///   - change: changes the state before the action into the expected one, apart from `now` and
    ///     queries.
    mutating func send(
        _ action: ShopAction, _ effects: [ShopEffect] = [],
        sourceLocation: SourceLocation = #_sourceLocation,
        _ change: (inout ShopState) -> Void = { _ in }
    ) {
        var expected = state
        let asked = happen(action)
        expected.now = state.now
        expected.viewport = state.viewport
        let followed = Self.queryEnded(by: action).map { expected.queries.ended($0) } ?? []
        for effect in effects where effect.isQuery && !followed.contains(effect) {
            if case .readLog = effect { continue }
            _ = expected.queries.ask(effect)
        }
        change(&expected)
        #expect(asked == effects, sourceLocation: sourceLocation)
        for difference in Self.differences(state, expected) {
            Issue.record("\(action): \(difference)", sourceLocation: sourceLocation)
        }
    }

    /// Sends an action without a comparison, in order to reach the state to be tested.
    @discardableResult
    mutating func happen(_ action: ShopAction) -> [ShopEffect] {
        count += 1
        return state.reduce(
            action,
            ShopMoment(
                now: Self.time(count), elapsed: elapsed, paymentID: id(count),
                viewport: viewport))
    }

    var nextPayment: PaymentID { id(count + 1) }

    private func id(_ number: Int) -> PaymentID { SampleShop.payment(1000 + number) }

    private static func time(_ number: Int) -> Timestamp {
        SampleShop.now.advanced(byMilliseconds: Int64(number) * 1000)
    }

    private static func queryEnded(by action: ShopAction) -> ShopEffect? {
        switch action {
        case .productsArrived, .productsFailed: .loadProducts
        case .accountArrived, .accountFailed: .refreshAccount
        case .consoleArrived, .consoleFailed: .refreshConsole
        case .refusalsFound(_, let asked), .refusalsFailed(_, let asked): .findRefusals(asked)
        case .transactionArrived(let details, let scope): .readTransaction(details.id, scope)
        case .transactionFailed(let id, let scope, _): .readTransaction(id, scope)
        default: nil
        }
    }

    /// The fields that differ, because two whole states are too long to compare by eye.
    private static func differences(_ actual: ShopState, _ expected: ShopState) -> [String] {
        guard actual != expected else { return [] }
        let fields = zip(Mirror(reflecting: actual).children, Mirror(reflecting: expected).children)
            .compactMap { actual, expected -> String? in
                let (is_, should) = ("\(actual.value)", "\(expected.value)")
                guard is_ != should else { return nil }
                return "\(actual.label ?? "") is \(is_.prefix(400)), not \(should.prefix(400))"
            }
        return fields.isEmpty ? ["the states differ in what no field prints"] : fields
    }

    // MARK: - Common sequences of actions

    /// A query for the account answers with the present snapshot and this change.
    @discardableResult
    mutating func refresh(_ change: (inout AccountSnapshot) -> Void) -> [ShopEffect] {
        var snapshot = state.snapshot
        change(&snapshot)
        return happen(.accountArrived(snapshot))
    }

    /// A query for the console answers, by default with the sample settings and no fault.
    @discardableResult
    mutating func consoleArrives(
        _ requests: [Int64] = [], faults: [Fault] = [],
        settings: AccountSettings = SampleShop.settings()
    ) -> [ShopEffect] {
        let requests = requests.map { SampleShop.request($0, of: "theme.sepia", in: state) }
        return happen(.consoleArrived(requests: requests, faults: faults, settings: settings))
    }

    mutating func open(_ product: ProductID) {
        if let row = state.productList.row(of: product) {
            if row != state.list.selectedRow { happen(.list(.pointed(row: row))) }
            happen(.confirmed)
        }
    }

    /// Opens the sheet for a product and chooses to pay.
    mutating func askToPay(for product: ProductID) {
        open(product)
        happen(.buyChosen)
        happen(.choiceMoved(1))
    }

    mutating func pay(for product: ProductID) throws -> Payment {
        askToPay(for: product)
        return try #require(happen(.confirmed).payments.first)
    }
}

extension ShopState {
    /// Reduces each action at the sample's time, with what a screen of this size draws.
    @discardableResult
    mutating func take(
        _ actions: [ShopAction], now: Timestamp = SampleShop.now, on size: Size? = nil
    ) -> [ShopEffect] {
        actions.flatMap { action in
            reduce(
                action,
                ShopMoment(
                    now: now, paymentID: SampleShop.payment(0),
                    viewport: size.map { Screens.viewport($0, in: self) } ?? Viewport()))
        }
    }
}

extension [ShopEffect] {
    var payments: [Payment] {
        compactMap { if case .purchase(let payment) = $0 { payment } else { nil } }
    }
}

extension ShopState {
    /// Expects a message with the time of the action.
    mutating func announces(_ what: StatusText) {
        let replaced = statusMessage.map { $0.isInHistory ? $0.replaced + 1 : $0.replaced }
        statusMessage = StatusMessage(at: now, what: what, replaced: replaced ?? 0)
    }

    func product(_ id: ProductID) throws -> Product { try #require(productList.product(id)) }

    func status(_ id: ProductID) throws -> ProductStatus { status(of: try product(id)) }
}

extension ShopAction {
    static func arrived(
        _ product: ProductID, _ number: Int64, isNew: Bool = true
    ) -> ShopAction {
        .updateArrived(
            .transaction(
                .verified(SampleShop.payload(product, number)), signed: "a.b.c", isNew: isNew))
    }

    static func sold(_ payment: Payment, _ number: Int64, alreadyOwned: Bool = false)
        -> ShopAction
    {
        .purchaseAnswered(
            payment,
            .purchased("a.b.c", id: TransactionID(number), alreadyOwned: alreadyOwned))
    }
}
