import CContentPackages
import Foundation
import StoreModel

/// Bytes of a zip file, with access to its little-endian numbers.
struct ZipBytes {
    private let all: [UInt8]

    init(_ bytes: [UInt8]) { all = bytes }

    var count: Int { all.count }

    func has(_ length: Int, at offset: Int) -> Bool {
        offset >= 0 && length >= 0 && offset <= all.count - length
    }

    /// 0 beyond the end.
    func u16(_ offset: Int) -> UInt16 {
        guard has(2, at: offset) else { return 0 }
        return UInt16(all[offset]) | UInt16(all[offset + 1]) << 8
    }

    /// 0 beyond the end.
    func u32(_ offset: Int) -> UInt32 {
        UInt32(u16(offset)) | UInt32(u16(offset + 2)) << 16
    }

    /// Empty if there are fewer.
    func bytes(_ offset: Int, _ length: Int) -> [UInt8] {
        has(length, at: offset) ? Array(all[offset..<offset + length]) : []
    }

    /// `crc` is that of earlier bytes; the result that of those and these.
    static func crc32(_ crc: UInt32, _ bytes: UnsafeRawBufferPointer) -> UInt32 {
        guard let start = bytes.assumingMemoryBound(to: UInt8.self).baseAddress else { return crc }
        return cz_crc32(crc, start, bytes.count)
    }

    /// Throws `notAPackage` if the file is too short.
    static func fill(
        _ buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32, at offset: Int64
    ) throws(PackageFailure) {
        var done = 0
        while done < buffer.count {
            let count = pread(
                descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done,
                off_t(offset) + off_t(done))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw .system(StoreError(errno: errno, path: "package"))
            }
            guard count > 0 else {
                throw .problem(PackageProblem(.notAPackage, found: "a file that became shorter"))
            }
            done += count
        }
    }
}

/// Inflates one entry's data.
final class Inflater {
    private let stream: UnsafeMutableRawPointer
    private let path: String
    private let room = UnsafeMutableBufferPointer<UInt8>.allocate(
        capacity: PackageLimits.pieceBytes)
    private(set) var isAtEnd = false

    /// `path` is for errors.
    init(path: String) throws(PackageFailure) {
        guard let stream = cz_inflater() else {
            throw .system(StoreError(.systemError, subject: path, cause: "no memory"))
        }
        self.stream = stream
        self.path = path
    }

    deinit {
        cz_close_inflater(stream)
        room.deallocate()
    }

    func inflate(
        _ bytes: UnsafeRawBufferPointer,
        _ take: (UnsafeRawBufferPointer) throws(PackageFailure) -> Void
    ) throws(PackageFailure) {
        let input = bytes.assumingMemoryBound(to: UInt8.self)
        var offset = 0
        while true {
            guard !isAtEnd else {
                if offset == bytes.count { return }
                throw damaged("bytes after its end")
            }
            var taken = 0
            var made = 0
            let result = cz_inflate(
                stream, input.baseAddress?.advanced(by: offset), bytes.count - offset, &taken,
                room.baseAddress, room.count, &made)
            offset += taken
            if made > 0 {
                try take(
                    UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: room[..<made])))
            }
            switch Int(result) {
            case CZ_END: isAtEnd = true
            case CZ_MORE:
                // zlib needs more input, which is expected only when all bytes of this piece are
                // consumed.
                if taken == 0, made == 0 {
                    guard offset == bytes.count else { throw damaged("data that stops") }
                    return
                }
            case CZ_NO_MEMORY:
                throw .system(StoreError(.systemError, subject: path, cause: "no memory"))
            default: throw damaged("data that is not deflated")
            }
        }
    }

    private func damaged(_ found: String) -> PackageFailure {
        .problem(PackageProblem(.damaged, path: path, found: found))
    }
}

/// Deflates one file's data.
final class Deflater {
    private let stream: UnsafeMutableRawPointer
    private let path: String
    private let room = UnsafeMutableBufferPointer<UInt8>.allocate(
        capacity: PackageLimits.pieceBytes)

    /// `path` is for errors.
    init(path: String) throws(PackageFailure) {
        guard let stream = cz_deflater(6) else {
            throw .system(StoreError(.systemError, subject: path, cause: "no memory"))
        }
        self.stream = stream
        self.path = path
    }

    deinit {
        cz_close_deflater(stream)
        room.deallocate()
    }

    /// `ends` with the last bytes.
    func deflate(
        _ bytes: UnsafeRawBufferPointer, ends: Bool,
        _ take: (UnsafeRawBufferPointer) throws(PackageFailure) -> Void
    ) throws(PackageFailure) {
        let input = bytes.assumingMemoryBound(to: UInt8.self)
        var offset = 0
        while true {
            var taken = 0
            var made = 0
            let result = cz_deflate(
                stream, input.baseAddress?.advanced(by: offset), bytes.count - offset, &taken,
                room.baseAddress, room.count, &made, ends ? 1 : 0)
            offset += taken
            if made > 0 {
                try take(
                    UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: room[..<made])))
            }
            guard Int(result) == CZ_MORE || Int(result) == CZ_END else {
                throw .system(StoreError(.systemError, subject: path, cause: "no memory"))
            }
            if Int(result) == CZ_END { return }
            if !ends, offset == bytes.count, made < room.count { return }
        }
    }
}
