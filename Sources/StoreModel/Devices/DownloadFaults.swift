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
}
