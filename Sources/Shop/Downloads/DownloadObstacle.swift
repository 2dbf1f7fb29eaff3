package import StoreModel

/// The reason why a download does not go on, although it has neither failed nor been paused.
package enum DownloadObstacle: Hashable, Sendable {
    /// The download of `bytes` bytes waits for the customer's consent to use a metered connection.
    case consent(bytes: Int64)
    /// The disk is full: the download waits until the customer makes room or cancels it. The
    /// figures are nil if they are unknown.
    case room(RoomFigures?)
    /// The download continues without any action when the device's network is restored.
    case network

    /// Whether both obstacles have the same cause. The figures of a full disk are ignored, because
    /// the free space may change meanwhile.
    func isSame(as other: DownloadObstacle?) -> Bool {
        if case .room = self, case .room? = other { return true }
        return self == other
    }
}

/// The room that a download needs, if the device checked the free space before writing.
package struct RoomFigures: Hashable, Sendable {
    /// Bytes still to be written.
    package let needed: Int64
    /// Bytes free at the time of the check.
    package let free: Int64

    /// - Parameter error: a download's error. The result is nil for any error except a full disk,
    ///   and
    ///   for a full disk that was noticed by a failed write, whose error has no figures.
    package init?(_ error: StoreError) {
        guard error.code == .deviceFull, let needed = error.expected?.number,
            let free = error.found?.number
        else { return nil }
        self.needed = needed
        self.free = free
    }
}

extension ProductDownload {
    /// The reason why the download waits; nil if it progresses, is paused, or has ended.
    package var obstacle: DownloadObstacle? {
        guard isUnderWay else { return nil }
        if needsConsent { return .consent(bytes: expected) }
        guard let error else { return nil }
        if error.isNetworkOff { return .network }
        return error.code == .deviceFull ? .room(RoomFigures(error)) : nil
    }
}
