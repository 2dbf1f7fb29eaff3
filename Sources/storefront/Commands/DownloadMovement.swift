import StoreModel
import Synchronization

/// Tells when the downloads of a device have not moved for a while, so that a command that waits for
/// them ends by itself.
final class DownloadMovement: Sendable {
    private struct Known {
        var downloads: [Download]?
        var isOver = false
        /// Ends the patience unless something moves.
        var pause: Task<Void, Never>?
        /// Movements so far: a pause that ends late belongs to an earlier one.
        var movements = 0
    }

    private let patience: Duration
    private let known = Mutex(Known())
    private let onEnd: @Sendable () -> Void

    /// - Parameters:
    ///   - patience: how long nothing may move.
    ///   - onEnd: called when nothing has moved for so long, from any thread.
    init(patience: Duration, onEnd: @escaping @Sendable () -> Void) {
        self.patience = patience
        self.onEnd = onEnd
    }

    deinit { known.withLock { $0.pause?.cancel() } }

    /// Takes the downloads as they are now. Any difference to the last ones is a movement: a byte that
    /// has come, a state, an error that came or went. The free bytes of a full disk are none.
    func note(_ downloads: [Download]) {
        // The rate of a download that stands still falls for a few seconds.
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

    /// Whether nothing has moved for as long as the patience.
    var isOver: Bool { known.withLock { $0.isOver } }
}
