package import StoreModel

/// One payment, from the moment it is sent until nothing is left to wait for. Joins the store's
/// answer, the observer's updates and looks at the account; does nothing itself.
///
/// Guarantees: an outcome is said once and never taken back. What fails after it (recording,
/// downloading, finishing, looking) is said as a second fact. Where nobody knows the outcome, that is
/// what is said, and never that nothing happened.
package struct PurchaseProgress: Hashable, Sendable {
    /// What the buyer waits for besides the outcome.
    package struct Wait: OptionSet, Hashable, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }

        /// Until the transaction is delivered, downloaded and finished.
        package static let delivery = Wait(rawValue: 1)
        /// Until a request for approval is answered.
        package static let approval = Wait(rawValue: 2)
    }

    package enum Input: Hashable, Sendable {
        /// What became of the payment so far, by whichever way it was asked.
        case answered(PurchaseOutcome)
        /// Asking about the payment failed.
        case couldNotAsk(StoreError)
        /// The observer told something.
        case observed(DeviceUpdate)
        /// A look at the sold transaction: whether it still waits to be finished, and its downloads.
        case queried(isUnfinished: Bool, downloads: [Download])
        /// Looking failed.
        case queryFailed(StoreError)
        /// Nothing more will ever be told.
        case observerEnded
    }

    /// What to say now, in order.
    package enum Fact: Hashable, Sendable {
        // The outcome: one of these, once; `pending` may be followed by another.
        case purchased(SignedTransaction, id: TransactionID, alreadyOwned: Bool)
        case pending(request: TransactionID)
        case failed(StoreError)
        /// It may be sold, or will be: asking again with the same id tells, and never charges twice.
        case unknown(StoreError)

        // What follows a known outcome.
        case finished
        /// A download waits for a person: it is paused, or says what it needs.
        case downloadStopped(Download)
        /// Another device took the transaction over to deliver it.
        case claimed(by: DeviceName)
        /// The transaction was not believed by this device, which granted nothing.
        case notVerified(VerificationError)
        /// The rest happens later by itself: at the next launch, or when the request is answered.
        case delayed(StoreError?)
    }

    private enum State: Hashable, Sendable {
        case asking
        case pending
        case sold(TransactionID)
        case ended
    }

    private let payment: PaymentID
    private let wait: Wait
    private var state = State.asking
    /// What keeps the observer from delivering, as far as it has told.
    package private(set) var trouble: StoreError?

    /// - Parameter trouble: what kept the observer from delivering before this payment.
    package init(_ payment: PaymentID, waitingFor wait: Wait, trouble: StoreError? = nil) {
        self.payment = payment
        self.wait = wait
        self.trouble = trouble
    }

    /// False once there is nothing more to wait for.
    package var isWaiting: Bool { state != .ended }

    /// The transaction, once the payment is known to be sold and its delivery is waited for.
    package var awaitedTransaction: TransactionID? {
        if case .sold(let id) = state { id } else { nil }
    }

    /// Errors that no waiting mends: a person must do something first, or the next launch does it.
    package static let needsPerson: Set<StoreError.Code> = [
        .storeFull, .deviceFull, .storeReadOnly, .storeUnreadable, .deviceUnreadable,
        .outcomeUnknown,
    ]

    package mutating func take(_ input: Input) -> [Fact] {
        if case .observed(let update) = input { note(update) }
        return switch state {
        case .asking: asking(input)
        case .pending: pending(input)
        case .sold(let id): sold(id, input)
        case .ended: []
        }
    }

    /// Remembers what keeps the observer from delivering until it has delivered something.
    private mutating func note(_ update: DeviceUpdate) {
        switch update {
        case .trouble(let error, let hasEnded):
            if hasEnded || Self.needsPerson.contains(error.code) { trouble = error }
        case .transaction(.verified, _, _), .finished, .leaseTaken: trouble = nil
        case .transaction(.unverified, _, _), .deferred, .failed, .claimed, .revised, .deleted,
            .autoRenewChanged, .clockSet, .renewalsSet, .unknown, .catalogRevised,
            .accountChanged, .faultSet, .faultCleared, .resending, .held, .downloadStopped:
            break
        }
    }

    private mutating func end(_ facts: Fact...) -> [Fact] {
        state = .ended
        return facts
    }

    private mutating func asking(_ input: Input) -> [Fact] {
        switch input {
        case .answered(let outcome): return learn(outcome)
        case .couldNotAsk(let error):
            return end(error.code == .outcomeUnknown ? .unknown(error) : .failed(error))
        case .observed(.failed(let failed, let error)) where failed.id == payment:
            return end(.failed(error))
        case .observed(.deferred(let deferred, let request)) where deferred.id == payment:
            return learn(.pending(request: request))
        case .observed, .queried, .queryFailed, .observerEnded: return []
        }
    }

    private mutating func learn(_ outcome: PurchaseOutcome) -> [Fact] {
        switch outcome {
        case .failed(let error): return end(.failed(error))
        case .pending(let request):
            state = wait.contains(.approval) ? .pending : .ended
            return [.pending(request: request)]
        case .purchased(let signed, let id, let alreadyOwned):
            state = wait.contains(.delivery) ? .sold(id) : .ended
            return [.purchased(signed, id: id, alreadyOwned: alreadyOwned)]
        }
    }

    private mutating func pending(_ input: Input) -> [Fact] {
        switch input {
        case .answered(.pending): return []
        case .answered(let outcome): return learn(outcome)
        case .observed(.failed(let failed, let error)) where failed.id == payment:
            return end(.failed(error))
        case .couldNotAsk(let error), .queryFailed(let error): return end(.delayed(error))
        case .observed(.trouble(let error, ended: true)): return end(.delayed(error))
        case .observerEnded: return end(.delayed(trouble))
        case .observed, .queried: return []
        }
    }

    private mutating func sold(_ id: TransactionID, _ input: Input) -> [Fact] {
        switch input {
        case .observed(.finished(id)): return end(.finished)
        case .observed(.claimed(id, let device)): return end(.claimed(by: device))
        case .observed(.transaction(.unverified(let claimed?, let error), _, _))
        where claimed.transactionId == id:
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
