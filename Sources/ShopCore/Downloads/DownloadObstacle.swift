package import StoreModel

/// The reason why a download does not go on, although it has neither failed nor been paused.
package enum DownloadObstacle: Hashable, Sendable {
    /// It waits for a person's consent: the connection is metered, and it has so many bytes.
    case consent(bytes: Int64)
    /// It waits for a person who makes room on the full disk, or drops it.
    case room(RoomFigures?)
    /// It goes on by itself when the device's network is back.
    case network

    /// Whether both wait for the same: the free space may change meanwhile.
    func isSame(as other: DownloadObstacle?) -> Bool {
        if case .room = self, case .room? = other { return true }
        return self == other
    }
}

/// How much room a download needs, where it found that out before it wrote.
package struct RoomFigures: Hashable, Sendable {
    /// Bytes that it still needs.
    package let needed: Int64
    /// Bytes that were free.
    package let free: Int64

    /// - Parameter error: of a download that found the disk full; nil is returned for any other, and
    ///   where a write found it out, which knows no figures.
    package init?(_ error: StoreError) {
        guard error.code == .deviceFull, let needed = error.expected.flatMap({ Int64($0) }),
            let free = error.found.flatMap({ Int64($0) })
        else { return nil }
        self.needed = needed
        self.free = free
    }
}

extension ProductDownload {
    /// The reason why it waits; nil if it goes on, is paused, or has ended.
    package var obstacle: DownloadObstacle? {
        guard isUnderWay else { return nil }
        if needsConsent { return .consent(bytes: expected) }
        guard let error else { return nil }
        if error.isNetworkOff { return .network }
        return error.code == .deviceFull ? .room(RoomFigures(error)) : nil
    }
}
