#if os(Linux)
package import StoreModel

/// An update for an app's readers.
package enum AppUpdate: Sendable {
    /// A transaction that a new reader gets because the app has not finished it.
    case unfinished(VerificationResult<Transaction>)
    /// An event of the account's feed; of a sale or a change of one with its transaction. A sale
    /// that is returned is no update: by a call of this process, or known as unfinished.
    case event(StoreEvent, VerificationResult<Transaction>?, isReturned: Bool)
}

/// An update with the number of the session that tells it.
package struct SessionUpdate: Sendable {
    let session: Int
    package var update: AppUpdate
}

/// One reader's position among the updates of a session, or of the process's present one.
package struct AppUpdateReader {
    private var updates: AsyncStream<SessionUpdate>.AsyncIterator
    /// Whether the reader hears one session, also when another is the process's.
    private let isBound: Bool

    /// It misses nothing that is published after this call.
    package init(_ board: UpdateBoard<SessionUpdate>, isBound: Bool) {
        updates = board.subscribe().makeAsyncIterator()
        self.isBound = isBound
    }

    /// The next update; nil for a reader that was cancelled. What an ended session has told a reader
    /// of the process that had not read it yet, is left out.
    package mutating func next() async -> AppUpdate? {
        while let told = await updates.next() {
            if isBound || AppStoreProcess.follows(told.session) { return told.update }
        }
        return nil
    }
}

extension UpdateBoard<SessionUpdate> {
    /// Tells readers of an update of the session with this number.
    package func publish(_ update: AppUpdate, of number: Int, on device: DeviceName) {
        publish(SessionUpdate(session: number, update: update)) { told, unfinished in
            told.note(in: &unfinished, on: device)
        }
    }
}

extension SessionUpdate {
    /// Notes which transactions wait for the app after this update.
    fileprivate mutating func note(
        in unfinished: inout UpdateBoard<SessionUpdate>.Unfinished, on device: DeviceName
    ) {
        func keep(_ transaction: VerificationResult<Transaction>) {
            unfinished[transaction.number] = SessionUpdate(
                session: session, update: .unfinished(transaction))
        }
        switch update {
        case .unfinished(let transaction): keep(transaction)
        case .event(let event, let transaction, let isReturned):
            switch event.change {
            case .sold:
                guard let transaction, !isReturned else { break }
                if unfinished[transaction.number] != nil {
                    update = .event(event, transaction, isReturned: true)
                }
                keep(transaction)
            case .revised:
                if let transaction, unfinished[transaction.number] != nil { keep(transaction) }
            case .claimed(let id, let claimer):
                if claimer != device { unfinished[id] = nil }
            case .finished(let id), .deleted(let id, _, _): unfinished[id] = nil
            default: break
            }
        }
    }
}

extension VerificationResult<Transaction> {
    fileprivate var number: TransactionID { unsafePayloadValue.payload.transactionId }
}
#endif
