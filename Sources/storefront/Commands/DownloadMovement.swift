import StoreModel

/// Tells a command that waits for downloads that they have not changed for a while.
struct DownloadMovement: ~Copyable {
    private let patience: Duration
    private let onEnd: @Sendable () -> Void
    private var downloads: [Download]?
    private var movedAt = ContinuousClock.now
    /// Sleeps for the patience, then calls back. A movement cancels it.
    private var pause: Task<Void, Never>?

    /// - Parameter onEnd: called on any thread once nothing has changed for `patience`.
    init(patience: Duration, onEnd: @escaping @Sendable () -> Void) {
        self.patience = patience
        self.onEnd = onEnd
    }

    deinit { pause?.cancel() }

    /// Any difference from the last downloads counts as a movement: a received byte, a state, an
    /// error. The free bytes that the error of a full disk names do not count.
    mutating func note(_ downloads: [Download]) {
        // The rate of a stalled download falls for a few seconds, which is no movement.
        let downloads = downloads.map { download in
            var download = download
            download.bytesPerSecond = nil
            if download.error?.code == .deviceFull { download.error?.found = nil }
            return download
        }
        guard self.downloads != downloads else { return }
        self.downloads = downloads
        movedAt = .now
        pause?.cancel()
        pause = Task { [patience, onEnd] in
            guard (try? await Task.sleep(for: patience)) != nil else { return }
            onEnd()
        }
    }

    var isOver: Bool { movedAt.duration(to: .now) >= patience }
}
