/// A file of a hosted package.
struct HostedFile {
    /// Relative to the package, with `/`.
    var path: String
    /// Absolute, links resolved: known to stand inside the content folder.
    var realPath: String
    var length: Int64
    /// Which file it is, whatever comes to stand at its path.
    var device: UInt64
    var inode: UInt64
}
