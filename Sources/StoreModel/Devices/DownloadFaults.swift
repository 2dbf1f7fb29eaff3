/// Faults that a device causes in its own downloads on purpose, for trials. Byte N of a download is
/// the one after N others: of the zip file, or of all files of a folder in the order of the
/// manifest. A fault at a byte only meets a download that gets there.
package struct DownloadFaults: Codable, Hashable, Sendable {
    /// Bytes a second, of each download; nil for what the device's connection has.
    package var bytesPerSecond: Int64?
    /// Milliseconds that each request takes longer.
    package var latencyMilliseconds: Int64?
    /// The byte at which a download stands still until this is taken back.
    package var stallAt: Int64?
    /// The byte at which the connection is lost, once: the download fails with `networkError`.
    package var disconnectAt: Int64?
    /// The byte that arrives as another one, once: the download fails with `contentMismatch`.
    package var corruptAt: Int64?
    /// The byte at which the disk is full (`deviceFull`) until this is taken back.
    package var fullAt: Int64?
    /// How many bytes of content the disk holds, as if it were so small; nil for the real disk.
    package var diskBytes: Int64?

    /// Memberwise: the values are not checked.
    package init(
        bytesPerSecond: Int64? = nil, latencyMilliseconds: Int64? = nil, stallAt: Int64? = nil,
        disconnectAt: Int64? = nil, corruptAt: Int64? = nil, fullAt: Int64? = nil,
        diskBytes: Int64? = nil
    ) {
        self.bytesPerSecond = bytesPerSecond
        self.latencyMilliseconds = latencyMilliseconds
        self.stallAt = stallAt
        self.disconnectAt = disconnectAt
        self.corruptAt = corruptAt
        self.fullAt = fullAt
        self.diskBytes = diskBytes
    }

    /// Whether nothing goes wrong.
    package var isEmpty: Bool { self == DownloadFaults() }

    /// How many of the faults are set.
    package var count: Int {
        [
            bytesPerSecond, latencyMilliseconds, stallAt, disconnectAt, corruptAt, fullAt,
            diskBytes,
        ].count { $0 != nil }
    }

    /// A fault that meets a download at one of its bytes.
    package enum Trouble: Hashable, Sendable, CaseIterable {
        // Each is described at the field that it sets.
        case stall, disconnect, corrupt, full
    }

    /// A byte of a download, named by how far the download has come there.
    package enum Place: Hashable, Sendable, CaseIterable {
        /// A quarter of the bytes have come.
        case quarter
        /// Half of the bytes have come.
        case half
        /// Nine tenths of the bytes have come.
        case nearEnd

        /// The byte of a download of so many bytes; below its length unless that is 0.
        package func byte(of length: Int64) -> Int64 {
            switch self {
            case .quarter: length / 4
            case .half: length / 2
            case .nearEnd: length - length / 10 - (length % 10 > 0 ? 1 : 0)
            }
        }
    }

    /// Sets a fault at a byte. The other faults stay; the same one at another byte is replaced.
    package mutating func set(_ trouble: Trouble, at byte: Int64) {
        switch trouble {
        case .stall: stallAt = byte
        case .disconnect: disconnectAt = byte
        case .corrupt: corruptAt = byte
        case .full: fullAt = byte
        }
    }
}
