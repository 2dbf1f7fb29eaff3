package import StoreModel

/// The state machine of one payment, from sending it until no further fact about it is expected.
/// Its inputs are the store's answer, the observer's updates and queries of the account; its
/// outputs are facts to report. It has no side effects.
///
/// A known outcome is reported once and never contradicted: whatever fails after it (recording,
/// downloading, finishing, a query) is reported as a second fact. An outcome that cannot be known
/// is reported as `unknown`, never as a failure.
package struct PurchaseProgress: Hashable, Sendable {
    /// The steps to wait for besides the purchase's outcome.
    package struct Wait: OptionSet, Hashable, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }

        /// Until the transaction is delivered, downloaded and finished.
        package static let delivery = Wait(rawValue: 1)
        /// Until a request for approval is answered.
        package static let approval = Wait(rawValue: 2)
        /// Until the observer has published the transaction. The sale of a product that was owned
        /// already is not published again, and not waited for.
        package static let arrival = Wait(rawValue: 4)
    }

    /// An answer, an update or a query's result that concerns the payment.
    package enum Input: Hashable, Sendable {
        /// The outcome from `ShopDevice.buy` or from sending the payment again. The error says why
        /// a sale's signed text was not verified; nil if it is verified.
        case answered(PurchaseOutcome, VerificationError? = nil)
        case couldNotAsk(StoreError)
        case observed(DeviceUpdate)
        /// A query of the sold transaction: whether it is unfinished, and its downloads.
        case queried(isUnfinished: Bool, downloads: [Download])
        case queryFailed(StoreError)
        /// The observer's stream has ended: no update follows.
        case observerEnded
    }

    /// Something to report to the buyer.
    package enum Fact: Hashable, Sendable {
        // The outcome: one of these, once; only `pending` may be followed by another.
        case purchased(SignedTransaction, id: TransactionID, alreadyOwned: Bool)
        case pending(request: TransactionID, reason: RequestReason)
        case failed(StoreError)
        /// The store may have sold the payment, or may still sell it. Sending it again with the
        /// same id returns the outcome and charges at most once.
        case unknown(StoreError)

        // After a known outcome, at most one of these.
        case finished
        /// The transaction has arrived, which ends the wait for its arrival.
        case arrived
        /// A download is paused, has failed, or waits until the cause of its error ends.
        case downloadStopped(Download)
        /// Another device claimed the transaction and delivers it.
        case claimed(by: DeviceName)
        /// The transaction's signature was not verified, so this device granted nothing.
        case notVerified(VerificationError)
        /// The rest needs no action of the buyer and happens later: at the next launch, or with the
        /// answer to the request. The error is the cause, if there is one.
        case delayed(StoreError?)
    }

    private enum State: Hashable, Sendable {
        case asking
        case pending
        case sold(TransactionID, SignedTransaction)
        case ended
    }

    /// Transactions that the observer published before the store's answer. Only the answer
    /// identifies the transaction of this payment.
    private struct EarlyArrivals: Hashable, Sendable {
        var verified: Set<TransactionID> = []
        var unverified: [TransactionID: VerificationError] = [:]
        /// The error of an unverified text without a readable transaction id. The observer
        /// publishes it only once, so it is taken for this payment's text.
        var unreadable: VerificationError?
    }

    package let payment: PaymentID
    private let wait: Wait
    private var state = State.asking
    private var early = EarlyArrivals()
    /// The error that keeps the observer from delivering, so far; nil if none does.
    package private(set) var trouble: StoreError?

    /// - Parameter trouble: the `trouble` of the previous payment.
    package init(_ payment: PaymentID, waitingFor wait: Wait, trouble: StoreError? = nil) {
        self.payment = payment
        self.wait = wait
        self.trouble = trouble
    }

    /// Whether a further input can produce a further fact.
    package var isWaiting: Bool { state != .ended }

    /// The sold transaction while its delivery is awaited; otherwise nil.
    package var awaitedTransaction: TransactionID? {
        if case .sold(let id, _) = state { id } else { nil }
    }

    /// Errors that last while the buyer waits: a person or the next launch ends them.
    package static let needsPerson: Set<StoreError.Code> = [
        .storeFull, .deviceFull, .storeReadOnly, .storeUnreadable, .deviceUnreadable,
        .outcomeUnknown, .deviceBusy, .deliveredLate, .deliveredOutOfOrder,
    ]

    /// Returns the facts to report now, in order; often none.
    package mutating func take(_ input: Input) -> [Fact] {
        if case .observed(let update) = input { note(update) }
        return switch state {
        case .asking: asking(input)
        case .pending: pending(input)
        case .sold(let id, let signed): sold(id, signed, input)
        case .ended: []
        }
    }

    /// Keeps the last lasting error until the observer delivers, finishes or takes the lease.
    /// Errors of unlocks and of verification are ignored: they do not prevent a delivery.
    private mutating func note(_ update: DeviceUpdate) {
        switch update {
        case .trouble(_, in: .unlocks, ended: _), .trouble(_, in: .verification, ended: _): break
        case .trouble(let error, in: .delivery, ended: let hasEnded):
            if hasEnded || Self.needsPerson.contains(error.code) { trouble = error }
        case .transaction(.verified, _, _), .event(.finished), .leaseTaken: trouble = nil
        default: break
        }
    }

    private mutating func end(_ facts: Fact...) -> [Fact] {
        state = .ended
        return facts
    }

    private mutating func asking(_ input: Input) -> [Fact] {
        switch input {
        case .answered(let outcome, let problem): return learn(outcome, problem)
        case .couldNotAsk(let error):
            return end(error.code == .outcomeUnknown ? .unknown(error) : .failed(error))
        case .observed(.event(.failed(let failed, let error, _))) where failed.id == payment:
            return end(.failed(error))
        case .observed(.event(.deferred(let deferred, let request, let reason)))
        where deferred.id == payment:
            return learn(.pending(request: request, reason: reason))
        case .observed(.transaction(let result, _, _)) where wait.contains(.arrival):
            keep(result)
            return []
        case .observed, .queried, .queryFailed, .observerEnded: return []
        }
    }

    private mutating func keep(_ early: VerificationResult<TransactionPayload>) {
        switch early {
        case .verified(let payload): self.early.verified.insert(payload.transactionId)
        case .unverified(let claimed?, let error):
            self.early.unverified[claimed.transactionId] = error
        case .unverified(nil, let error): self.early.unreadable = error
        }
    }

    /// - Parameter problem: why the text of a sale was not verified. The wait then ends: the
    ///   observer does not deliver this transaction before the next launch.
    private mutating func learn(
        _ outcome: PurchaseOutcome, _ problem: VerificationError? = nil
    ) -> [Fact] {
        switch outcome {
        case .failed(let error): return end(.failed(error))
        case .pending(let request, let reason):
            state = wait.contains(.approval) ? .pending : .ended
            return [.pending(request: request, reason: reason)]
        case .purchased(let signed, let id, let alreadyOwned):
            let purchased = Fact.purchased(signed, id: id, alreadyOwned: alreadyOwned)
            if let problem { return end(purchased, .notVerified(problem)) }
            if early.verified.contains(id) { return end(purchased, .arrived) }
            if let problem = early.unverified[id] ?? early.unreadable {
                return end(purchased, .notVerified(problem))
            }
            let mustWait =
                wait.contains(.delivery) || wait.contains(.arrival) && !alreadyOwned
            state = mustWait ? .sold(id, signed) : .ended
            return [purchased]
        }
    }

    private mutating func pending(_ input: Input) -> [Fact] {
        switch input {
        case .answered(.pending, _): return []
        case .answered(let outcome, let problem): return learn(outcome, problem)
        case .observed(.event(.failed(let failed, let error, _))) where failed.id == payment:
            return end(.failed(error))
        case .couldNotAsk(let error), .queryFailed(let error): return end(.delayed(error))
        case .observed(.trouble(let error, in: _, ended: true)): return end(.delayed(error))
        case .observerEnded: return end(.delayed(trouble))
        case .observed, .queried: return []
        }
    }

    private mutating func sold(
        _ id: TransactionID, _ answer: SignedTransaction, _ input: Input
    ) -> [Fact] {
        switch input {
        case .observed(.event(.finished(id))): return end(.finished)
        case .observed(.transaction(.verified(let payload), _, _))
        where wait.contains(.arrival) && payload.transactionId == id:
            return end(.arrived)
        case .observed(.event(.claimed(id, let device))): return end(.claimed(by: device))
        // An unverifiable text may lack a transaction id; then the answer's text identifies it.
        case .observed(.transaction(.unverified(let claimed, let error), let signed, _))
        where claimed.map { $0.transactionId == id }
            ?? (signed == answer || wait.contains(.arrival)):
            return end(.notVerified(error))
        case .queried(let isUnfinished, let downloads):
            if let stopped = downloads.first(where: \.isStopped) {
                return end(.downloadStopped(stopped))
            }
            let isFetching = downloads.contains { !$0.state.isComplete }
            if !isUnfinished && !isFetching { return end(.finished) }
            return trouble.map { end(.delayed($0)) } ?? []
        case .queryFailed(let error), .couldNotAsk(let error): return end(.delayed(error))
        case .observerEnded: return end(.delayed(trouble))
        case .answered, .observed: return []
        }
    }
}
