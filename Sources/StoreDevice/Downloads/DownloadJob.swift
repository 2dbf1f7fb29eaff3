import StoreModel

/// The state machine of one download: it decides the next step after a success or a failure.
/// `DownloadManager` performs the steps.
///
/// A result that cannot be recorded stays the next step and is retried, so that a failing disk does
/// not lose it.
struct DownloadJob {
    enum Step: Hashable {
        case begin
        case fetch
        /// Record how it ended.
        case record(Ending)
        /// Finish the transaction, if none of its downloads is unfinished.
        case finishSale
    }

    enum Ending: Hashable {
        /// The package is in place, with the version and length of the manifest it was fetched by.
        case finished(version: String, length: Int64)
        case failed(StoreError)
    }

    /// The state and error that readers are shown while a step keeps failing.
    struct Standstill: Hashable {
        var state: Download.State
        var error: StoreError
        /// Installed, but not recorded yet.
        var version: String?
    }

    /// The next step; nil when the download has ended for this process.
    private(set) var step: Step? = .begin
    /// Nil while no step is failing.
    private(set) var standstill: Standstill?
    private var failuresInARow = 0

    /// Goes on to the step after the current one, which has succeeded.
    ///
    /// - Parameter fetched: the result of the step `fetch`.
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

    /// The download was paused or cancelled in the records.
    mutating func wasOvertaken() {
        standstill = nil
        step = nil
    }

    /// Keeps or replaces the current step, which has failed.
    ///
    /// - Returns: how long to wait before the next step is tried.
    mutating func failed(_ error: StoreError) -> Duration {
        guard let step else { return .zero }
        failuresInARow += 1
        if step == .fetch, !error.isTransient {
            self.step = .record(.failed(error))
            failuresInARow = 0
            return .zero
        }
        // Each step but `fetch` is tried a second time at once, before readers are shown an error.
        if step != .fetch, failuresInARow == 1, error.code != .storeReplaced { return .zero }
        standstill = Self.standstill(at: step, error)
        if error.code == .storeReplaced {
            // The records belong to a store that was replaced; no process would read what is
            // written there.
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

    /// The pause after `failures` failures in a row: `DeviceLimits.retryPauseMin`, doubled with
    /// each further failure up to `retryPauseMax`.
    static func pause(after failures: Int) -> Duration {
        var pause = DeviceLimits.retryPauseMin
        for _ in 1..<max(failures, 1) where pause < DeviceLimits.retryPauseMax { pause = pause * 2 }
        return min(pause, DeviceLimits.retryPauseMax)
    }
}

extension StoreError {
    /// Whether a fetch is retried without a person: the disk may get free space, a busy process may
    /// end, or the network may come back. After any other error the download has failed until a
    /// person resumes it.
    fileprivate var isTransient: Bool {
        [.deviceFull, .storeFull, .storeBusy].contains(code) || isNetworkOff
    }
}
