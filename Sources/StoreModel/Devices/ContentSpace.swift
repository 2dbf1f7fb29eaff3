/// The disk space that downloaded content occupies on a device.
package struct ContentSpace: Codable, Hashable, Sendable {
    /// Packages that are on the device.
    package var packages: Int
    /// Bytes of their files.
    package var bytes: Int64
    /// Bytes of packages that are being fetched.
    package var partialBytes: Int64
    /// Bytes that may still be written; nil if the file system does not say.
    package var freeBytes: Int64?

    /// Memberwise: the values are not checked.
    package init(packages: Int, bytes: Int64, partialBytes: Int64, freeBytes: Int64?) {
        self.packages = packages
        self.bytes = bytes
        self.partialBytes = partialBytes
        self.freeBytes = freeBytes
    }
}
