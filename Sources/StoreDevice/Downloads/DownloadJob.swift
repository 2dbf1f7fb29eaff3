import StoreModel

/// The steps of one download, and what follows where one fails. It only decides; `DownloadManager`
/// acts. What cannot be written down is kept here and tried again, so that no failure is forgotten
/// because its record failed too.
struct DownloadJob {
    enum Step: Hashable {
        /// Record that it is under way.
        case begin
        case fetch
        case record(Ending)
        /// Acknowledge the transaction, if nothing of it is left to fetch.
        case finishSale
    }

    enum Ending: Hashable {
        /// In place: the version and length the store announced when it was fetched.
        case finished(version: String, length: Int64)
        case failed(StoreError)
    }

    /// How the download is told while it cannot go on.
    struct Standstill: Hashable {
        var state: Download.State
        var error: StoreError
        /// What is in place, where the records do not say so yet.
        var version: String?
    }

    /// What is to be done next; nil when the download has ended for this process.
    private(set) var step: Step? = .begin
    /// Nil while all goes well.
    private(set) var standstill: Standstill?
    private var failuresInARow = 0

    /// A step is done.
    ///
    /// - Parameter fetched: what the fetch has put into place.
    mutating func succeeded(fetched: Ending? = nil) {
        standstill = nil
        failuresInARow = 0
        switch step {
        case .begin: step = .fetch
        case .fetch: step = fetched.map { .record($0) }
        case .record(.finished): step = .finishSale
        case .record(.failed), .finishSale, nil: step = nil
        }
    }

    /// The records say something else by now: somebody paused or cancelled it.
    mutating func wasOvertaken() {
        standstill = nil
        step = nil
    }

    /// A step has failed. Answers with how long to rest before the next one.
    mutating func failed(_ error: StoreError) -> Duration {
        guard let step else { return .zero }
        failuresInARow += 1
        if step == .fetch, !error.endsByItself {
            self.step = .record(.failed(error))
            failuresInARow = 0
            return .zero
        }
        // A disk that fails once is asked once more before anybody is bothered.
        if step != .fetch, failuresInARow == 1, error.code != .storeReplaced { return .zero }
        standstill = Self.standstill(at: step, error)
        if error.code == .storeReplaced {
            // Nobody will ever read what is written there: this is the last word.
            self.step = nil
            return .zero
        }
        return Self.pause(after: failuresInARow)
    }

    private static func standstill(at step: Step, _ error: StoreError) -> Standstill {
        switch step {
        case .begin, .fetch: Standstill(state: .waiting, error: error)
        case .record(.failed(let cause)): Standstill(state: .failed, error: cause)
        case .record(.finished(let version, _)):
            Standstill(state: .finished, error: error, version: version)
        case .finishSale: Standstill(state: .finished, error: error)
        }
    }

    /// Grows with every failure in a row.
    static func pause(after failures: Int) -> Duration {
        var pause = DeviceLimits.retryPauseMin
        for _ in 1..<max(failures, 1) where pause < DeviceLimits.retryPauseMax { pause = pause * 2 }
        return min(pause, DeviceLimits.retryPauseMax)
    }
}

extension StoreError {
    /// What a fetch waits for, without a person having to resume it: room on the disk, or another
    /// process that is busy.
    fileprivate var endsByItself: Bool {
        [.deviceFull, .storeFull, .storeBusy].contains(code)
    }
}
