import StoreModel
import Synchronization

/// Calls back when the downloads of a device have not changed for a while, so that a command that
/// waits for them can end.
final class DownloadMovement: Sendable {
    private struct Known {
        var downloads: [Download]?
        var isOver = false
        /// Sleeps for the patience, then ends the wait. A movement cancels it.
        var pause: Task<Void, Never>?
        /// Counts the movements. A pause that was started by an earlier movement finds a higher
        /// number and does nothing.
        var movements = 0
    }

    private let patience: Duration
    private let known = Mutex(Known())
    private let onEnd: @Sendable () -> Void

    /// - Parameters:
    ///   - patience: how long the downloads may stay unchanged.
    ///   - onEnd: called once they have stayed unchanged for that long, on any thread.
    init(patience: Duration, onEnd: @escaping @Sendable () -> Void) {
        self.patience = patience
        self.onEnd = onEnd
    }

    deinit { known.withLock { $0.pause?.cancel() } }

    /// Takes the present downloads. Any difference from the last ones counts as a movement: a
    /// received byte, a state, an error. The free bytes that the error of a full disk names do not
    /// count.
    func note(_ downloads: [Download]) {
        // The rate of a stalled download falls for a few seconds, which is no movement.
        let downloads = downloads.map { download in
            var download = download
            download.bytesPerSecond = nil
            if download.error?.code == .deviceFull { download.error?.found = nil }
            return download
        }
        known.withLock { known in
            guard known.downloads != downloads else { return }
            known.downloads = downloads
            known.isOver = false
            known.pause?.cancel()
            known.movements += 1
            known.pause = Task { [patience, weak self, movements = known.movements] in
                guard (try? await Task.sleep(for: patience)) != nil else { return }
                self?.end(after: movements)
            }
        }
    }

    private func end(after movements: Int) {
        let isLast = known.withLock { known in
            guard known.movements == movements else { return false }
            known.isOver = true
            return true
        }
        if isLast { onEnd() }
    }

    /// Whether the downloads have stayed unchanged for as long as the patience.
    var isOver: Bool { known.withLock { $0.isOver } }
}
