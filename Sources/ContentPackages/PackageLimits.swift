/// The limits of a package of hosted content, checked when it is packed, hosted and unpacked.
package enum PackageLimits {
    /// The most bytes of a package, both packed and unpacked: also the App Store's limit.
    package static let bytesMax: Int64 = 2_000_000_000
    /// The most files in a package, without its `ContentInfo.plist`.
    package static let filesMax = 20_000
    /// The most folders that a package lists.
    package static let foldersMax = 20_000
    /// The deepest nesting of folders, including `Contents`.
    package static let depthMax = 32
    /// The most bytes of one name, as in common file systems.
    package static let nameBytesMax = 255
    /// The most bytes of a path.
    package static let pathBytesMax = 1024
    /// The most times that a package may be larger unpacked than packed. Text compresses about 4
    /// times; a package made to fill the disk, up to 1,000 times.
    package static let ratioMax: Int64 = 200
    /// Unpacked bytes up to which the ratio is not checked.
    package static let ratioFreeBytes: Int64 = 1_000_000
    /// The most bytes of a `ContentInfo.plist`.
    package static let infoBytesMax = 16_384
    /// The most bytes of a zip's list of entries (its central directory).
    static let directoryBytesMax: Int64 = 24 << 20
    /// Bytes read and written at a time.
    static let pieceBytes = 1 << 17
    /// The most problems that an inspection lists.
    package static let problemsMax = 100
}
