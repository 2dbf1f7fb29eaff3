/// The limits of a package of hosted content, checked when it is packed, hosted and unpacked.
package enum PackageLimits {
    /// Both packed and unpacked: also the App Store's limit.
    package static let bytesMax: Int64 = 2_000_000_000
    /// Without the `ContentInfo.plist`.
    package static let filesMax = 20_000
    package static let foldersMax = 20_000
    /// Of folders, including `Contents`.
    package static let depthMax = 32
    /// Of one name, as in common file systems.
    package static let nameBytesMax = 255
    package static let pathBytesMax = 1024
    /// Unpacked to packed. Text compresses about 4 times; a package made to fill the disk, up to
    /// 1,000 times.
    package static let ratioMax: Int64 = 200
    /// Unpacked; up to this length the ratio is not checked.
    package static let ratioFreeBytes: Int64 = 1_000_000
    package static let infoBytesMax = 16_384
    /// Of a zip's list of entries (its central directory).
    static let directoryBytesMax: Int64 = 24 << 20
    static let pieceBytes = 1 << 17
    package static let problemsMax = 100
}
