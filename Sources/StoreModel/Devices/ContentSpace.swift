/// The disk space that downloaded content occupies on a device.
package struct ContentSpace: Codable, Hashable, Sendable {
    package var packages: Int
    /// Of the files of these packages.
    package var bytes: Int64
    /// Bytes on disk of packages that are being downloaded.
    package var partialBytes: Int64
    /// Nil if the file system does not say.
    package var freeBytes: Int64?

    package init(packages: Int, bytes: Int64, partialBytes: Int64, freeBytes: Int64?) {
        self.packages = packages
        self.bytes = bytes
        self.partialBytes = partialBytes
        self.freeBytes = freeBytes
    }
}
