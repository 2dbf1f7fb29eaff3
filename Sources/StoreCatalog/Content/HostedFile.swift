/// A file of a hosted package, as it was found on disk.
struct HostedFile {
    /// Relative to the package, with `/`.
    var path: String
    /// Absolute, with symbolic links resolved; inside the content folder.
    var realPath: String
    var length: Int64
    /// Device and inode identify the file, even if its path later leads to another file.
    var device: UInt64
    var inode: UInt64
    /// In nanoseconds since 1970.
    var changedAt: Int64 = 0
}
