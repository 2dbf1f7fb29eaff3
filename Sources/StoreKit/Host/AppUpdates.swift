#if os(Linux)
package import StoreModel

/// What a session tells its readers.
package enum AppUpdate: Sendable {
    /// A transaction that a new reader gets because the app has not finished it.
    case unfinished(VerificationResult<Transaction>)
    /// An event of the account's feed; of a sale or a change of one with its transaction.
    ///
    /// - Parameter isReturned: whether the sale is no update: a call in this process returns it, or
    ///   readers know it as unfinished.
    case event(StoreEvent, VerificationResult<Transaction>?, isReturned: Bool)
}

/// An update of the session that is the process's at that time.
package struct ProcessUpdate: Sendable {
    /// The session's.
    var number: Int
    var update: AppUpdate
}

/// One reader's position among the updates of a session, or of the process.
package struct AppUpdateReader {
    enum Source {
        case session(AsyncStream<AppUpdate>.AsyncIterator)
        case process(AsyncStream<ProcessUpdate>.AsyncIterator)
    }
    var source: Source

    /// The next update; nil for a reader that was cancelled. What an ended session has told a reader
    /// that had not read it yet, is left out.
    mutating func next() async -> AppUpdate? {
        switch source {
        case .session(var stream):
            defer { source = .session(stream) }
            return await stream.next()
        case .process(var stream):
            defer { source = .process(stream) }
            while let told = await stream.next() {
                if AppStoreProcess.follows(told.number) { return told.update }
            }
            return nil
        }
    }
}

extension UpdateBoard<AppUpdate> {
    package func publish(_ update: AppUpdate, on device: DeviceName) {
        publish(update) { update, unfinished in
            update.note(in: &unfinished, on: device) { $0 }
        }
    }
}

extension UpdateBoard<ProcessUpdate> {
    func publish(_ update: AppUpdate, of number: Int, on device: DeviceName) {
        publish(ProcessUpdate(number: number, update: update)) { told, unfinished in
            told.update.note(in: &unfinished, on: device) {
                ProcessUpdate(number: number, update: $0)
            }
        }
    }
}

extension AppUpdate {
    /// Notes which transactions wait for the app after this update.
    fileprivate mutating func note<Update>(
        in unfinished: inout [TransactionID: Update], on device: DeviceName,
        _ telling: (AppUpdate) -> Update
    ) {
        switch self {
        case .unfinished(let transaction):
            unfinished[transaction.number] = telling(self)
        case .event(let event, let transaction, let isReturned):
            switch event.change {
            case .sold:
                guard let transaction, !isReturned else { break }
                if unfinished[transaction.number] != nil {
                    self = .event(event, transaction, isReturned: true)
                }
                unfinished[transaction.number] = telling(.unfinished(transaction))
            case .revised:
                if let transaction, unfinished[transaction.number] != nil {
                    unfinished[transaction.number] = telling(.unfinished(transaction))
                }
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
