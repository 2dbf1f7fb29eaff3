/// Faults that a device causes in its own downloads on purpose, for trials. Byte positions count
/// from 0: in the zip file, or in all files of a folder in the order of the manifest. A fault at a
/// byte affects only a download that reaches this byte.
package struct DownloadFaults: Codable, Hashable, Sendable {
    /// Of each download; nil for the speed of the device's connection.
    package var bytesPerSecond: Int64?
    package var latencyMilliseconds: Int64?
    /// The byte at which a download stalls until this fault is removed.
    package var stallAt: Int64?
    /// The byte at which the connection is lost, once: the download fails with `networkError`.
    package var disconnectAt: Int64?
    /// The byte that arrives altered, once: the download fails with `contentMismatch`.
    package var corruptAt: Int64?
    /// The byte at which the disk counts as full (`deviceFull`) until this fault is removed.
    package var fullAt: Int64?
    /// The bytes of content that a simulated small disk holds; nil for the real disk.
    package var diskBytes: Int64?

    package static let none = DownloadFaults()

    package var isEmpty: Bool { self == .none }

    package var count: Int {
        [
            bytesPerSecond, latencyMilliseconds, stallAt, disconnectAt, corruptAt, fullAt,
            diskBytes,
        ].count { $0 != nil }
    }

    /// A fault at a byte position of a download.
    package enum Trouble: Hashable, Sendable, CaseIterable {
        // Each is described at the field that it sets.
        case stall, disconnect, corrupt, full
    }

    /// A byte position, as a share of a download's length.
    package enum Place: Hashable, Sendable, CaseIterable {
        case quarter
        case half
        /// Nine tenths of the bytes have come.
        case nearEnd

        /// Below `length` unless that is 0.
        package func byte(of length: Int64) -> Int64 {
            switch self {
            case .quarter: length / 4
            case .half: length / 2
            case .nearEnd: length - length / 10 - (length % 10 > 0 ? 1 : 0)
            }
        }
    }

    /// Replaces the same fault at another byte; the other faults stay.
    package mutating func set(_ trouble: Trouble, at byte: Int64) {
        switch trouble {
        case .stall: stallAt = byte
        case .disconnect: disconnectAt = byte
        case .corrupt: corruptAt = byte
        case .full: fullAt = byte
        }
    }
}
