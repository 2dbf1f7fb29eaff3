#if os(Linux)
import Foundation
import StoreModel

/// The transactions in StoreKit 1's queue, and which of them wait for what.
struct PaymentQueueState {
    struct Entry {
        var queued: QueuedTransaction { didSet { transaction = SKPaymentTransaction(queued) } }
        /// The object of the present state.
        private(set) var transaction: SKPaymentTransaction
        /// The session of the transaction; nil while the store is being opened for it.
        var session: ObjectIdentifier?
        /// Once somebody has asked for them.
        var downloads: [SKDownload]?

        init(_ queued: QueuedTransaction) {
            self.queued = queued
            transaction = SKPaymentTransaction(queued)
        }
    }

    private(set) weak var session: AppStoreSession?
    /// Of the account, ISO 3166-1 alpha-3.
    var territory: String?
    var entries: [Int: Entry] = [:]
    private var lastNumber = 0
    /// The entries of payments that have no answer yet.
    private(set) var purchasing: [PaymentID: Int] = [:]
    /// The entries of payments that wait under a request's number.
    private var waiting: [TransactionID: [Int]] = [:]
    /// The payments that were interrupted, under their requests' numbers.
    private var interrupted: [TransactionID: SKPayment] = [:]
    private var sold: [TransactionID: [Int]] = [:]
    /// Sales that a call has shown although their events could not be read yet.
    private var shownEarly: Set<TransactionID> = []

    var observers: [AppObject] = []
    var delegate: AppObject?
    /// Purchases begun outside the app that no observer was asked about yet.
    var promoted: [ProductID] = []
    /// Reads the downloads that were started.
    var following: Task<Void, Never>?

    /// Oldest first.
    var transactions: [SKPaymentTransaction] {
        entries.sorted { $0.key < $1.key }.map(\.value.transaction)
    }

    /// - Returns: the transactions whose purchases ended with the former session, now failed.
    mutating func begin(with session: AppStoreSession?) -> [SKPaymentTransaction] {
        let ended = entries.filter { $0.value.session != nil && isPurchasing($0.key) }.keys
        let failed = ended.sorted().flatMap { fail($0, SKError(.unknown)) }
        following?.cancel()
        following = nil
        entries = entries.filter { $0.value.session == nil }
        (purchasing, waiting, interrupted, sold) = ([:], [:], [:], [:])
        shownEarly = []
        promoted = session?.intents.all.map(\.product) ?? []
        territory = session?.territory
        self.session = session
        return failed
    }

    private mutating func append(
        _ state: SKPaymentTransactionState, _ payment: SKPayment, in session: AppStoreSession?
    ) -> Int {
        lastNumber += 1
        var entry = Entry(QueuedTransaction(number: lastNumber, state: state, payment: payment))
        entry.session = session.map { ObjectIdentifier($0) }
        entries[lastNumber] = entry
        return lastNumber
    }

    mutating func add(_ payment: SKPayment) -> Int { append(.purchasing, payment, in: session) }

    mutating func send(_ payment: PaymentID, of number: Int) {
        if entries[number] != nil { purchasing[payment] = number }
    }

    /// The transactions of a sale: those that have waited for it, or a new one.
    mutating func sell(
        _ payload: TransactionPayload, answering payment: PaymentID?
    ) -> [SKPaymentTransaction] {
        let id = payload.transactionId
        let date = payload.purchaseDate.date
        let answered = settle(id, at: date, answering: payment, request: id)
        guard answered.isEmpty, sold[id] == nil, shownEarly.remove(id) == nil else {
            return answered
        }
        let made =
            interrupted.removeValue(forKey: id)
            ?? SKPayment(productID: payload.productId, quantity: payload.quantity)
        return [purchase(append(.purchased, made, in: session), id, at: date)]
    }

    /// The transactions that have waited for a payment's or a request's answer, now purchased.
    mutating func settle(
        _ id: TransactionID, at date: Date, answering payment: PaymentID?, request: TransactionID?
    ) -> [SKPaymentTransaction] {
        var numbers = request.flatMap { waiting.removeValue(forKey: $0) } ?? []
        if let payment, let number = purchasing.removeValue(forKey: payment) {
            numbers.append(number)
        }
        return numbers.filter { entries[$0] != nil }.sorted().map { purchase($0, id, at: date) }
    }

    private mutating func purchase(
        _ number: Int, _ id: TransactionID, at date: Date
    ) -> SKPaymentTransaction {
        sold[id, default: []].append(number)
        return change(number) { queued in
            queued.state = .purchased
            queued.id = id
            queued.date = date
        }
    }

    /// A call has returned a sale whose event, if it has one, is still to come.
    mutating func show(
        _ number: Int, soldAs id: TransactionID, at date: Date, hasEvent: Bool
    ) -> [SKPaymentTransaction] {
        guard isPurchasing(number) else { return [] }
        forget(number)
        if hasEvent { shownEarly.insert(id) }
        return [purchase(number, id, at: date)]
    }

    /// A payment that is purchasing waits under a request's number; one that was interrupted has
    /// failed, until the customer resolves the problem.
    mutating func hold(
        _ number: Int, as request: TransactionID, _ reason: RequestReason
    ) -> [SKPaymentTransaction] {
        guard isPurchasing(number) else { return [] }
        forget(number)
        guard reason != .interrupted else {
            interrupted[request] = entries[number]?.queued.payment
            return fail(number, SKError(.unknown))
        }
        waiting[request, default: []].append(number)
        return [change(number) { $0.state = .deferred }]
    }

    /// A request ended without a sale.
    mutating func fail(
        waitingAs request: TransactionID, _ error: StoreError
    ) -> [SKPaymentTransaction] {
        interrupted[request] = nil
        let numbers = waiting.removeValue(forKey: request) ?? []
        return numbers.flatMap { fail($0, SKError(error)) }
    }

    mutating func fail(_ number: Int, _ error: SKError) -> [SKPaymentTransaction] {
        guard entries[number] != nil else { return [] }
        forget(number)
        return [
            change(number) { queued in
                queued.state = .failed
                queued.error = error
            }
        ]
    }

    func isPurchasing(_ number: Int) -> Bool { entries[number]?.queued.state == .purchasing }

    /// From now on, no answer to its payments changes the transaction.
    private mutating func forget(_ number: Int) {
        purchasing = purchasing.filter { $0.value != number }
    }

    private mutating func change(
        _ number: Int, _ body: (inout QueuedTransaction) -> Void
    ) -> SKPaymentTransaction {
        guard var entry = entries[number] else { return SKPaymentTransaction() }
        body(&entry.queued)
        entries[number] = entry
        return entry.transaction
    }

    /// The transaction that this or an earlier restore has brought back.
    mutating func restore(_ payload: TransactionPayload, at date: Date) -> SKPaymentTransaction {
        let id = payload.transactionId
        let known = entries.values.first {
            $0.queued.state == .restored && $0.queued.id == id
        }
        if let known { return known.transaction }
        let payment = SKPayment(productID: payload.productId, quantity: payload.quantity)
        let number = append(.restored, payment, in: session)
        return change(number) { queued in
            queued.id = id
            queued.date = date
            queued.original = SKPaymentTransaction(
                QueuedTransaction(
                    number: -number, state: .purchased, payment: payment,
                    id: payload.originalTransactionId, date: payload.originalPurchaseDate.date))
        }
    }

    /// Nil if it has left the queue already.
    mutating func remove(_ number: Int) -> SKPaymentTransaction? {
        guard let entry = entries.removeValue(forKey: number) else { return nil }
        forget(number)
        if let id = entry.queued.id, entry.queued.state == .purchased {
            let others = sold[id, default: []].filter { $0 != number }
            sold[id] = others.isEmpty ? nil : others
        }
        return entry.transaction
    }

    /// Everything but what is being bought.
    mutating func removeAll() -> [SKPaymentTransaction] {
        (waiting, interrupted, shownEarly) = ([:], [:], [])
        let numbers = entries.filter { $0.value.queued.state != .purchasing }.map(\.key)
        return numbers.sorted().compactMap { remove($0) }
    }

    /// The transactions of a sale that was finished, or deleted from the store.
    mutating func remove(soldAs id: TransactionID) -> [SKPaymentTransaction] {
        (sold.removeValue(forKey: id) ?? []).compactMap { remove($0) }
    }
}
#endif
