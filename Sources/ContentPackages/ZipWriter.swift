import Foundation
import StoreModel

/// Writes a zip file: the entries one after another, then the list of entries. `ZipArchive` accepts
/// every file that it writes.
struct ZipWriter {
    private let descriptor: Int32
    private var offset: Int64 = 0
    private var list: [UInt8] = []
    private var count = 0

    /// 1 January 1980, the first date that zip can express. Packages do not keep times.
    private static let date: UInt16 = 0x21

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// `path` has no slash at its end.
    mutating func addFolder(_ path: String) throws(PackageFailure) {
        try begin(
            at: offset, Array((path + "/").utf8), crc: 0, packed: 0, length: 0, isFolder: true)
    }

    /// `body` passes the file's bytes to the writer, in order.
    mutating func add(
        _ path: String,
        _ body: ((UnsafeRawBufferPointer) throws(PackageFailure) -> Void) throws(PackageFailure)
            -> Void
    ) throws(PackageFailure) {
        let name = Array(path.utf8)
        let start = offset
        offset += Int64(30 + name.count)
        let data = offset
        let deflater = try Deflater(path: path)
        var crc: UInt32 = 0
        var length: Int64 = 0
        let descriptor = descriptor
        var end = offset
        func write(_ bytes: UnsafeRawBufferPointer) throws(PackageFailure) {
            try Self.write(bytes, to: descriptor, at: end)
            end += Int64(bytes.count)
        }
        try body { (bytes) throws(PackageFailure) in
            crc = ZipBytes.crc32(crc, bytes)
            length += Int64(bytes.count)
            try deflater.deflate(bytes, ends: false, write)
        }
        try deflater.deflate(UnsafeRawBufferPointer(start: nil, count: 0), ends: true, write)
        offset = start
        try begin(
            at: start, name, crc: crc, packed: end - data, length: length, isFolder: false)
        offset = end
    }

    /// Also adds the entry's item to the list.
    private mutating func begin(
        at start: Int64, _ name: [UInt8], crc: UInt32, packed: Int64, length: Int64,
        isFolder: Bool
    ) throws(PackageFailure) {
        guard start + packed <= PackageLimits.bytesMax, length <= PackageLimits.bytesMax else {
            throw .problem(PackageProblem(.tooLarge, found: "\(start + packed) bytes"))
        }
        var shared: [UInt8] = []
        shared.append(u16: 20)
        shared.append(u16: 0x0800)
        shared.append(u16: isFolder ? 0 : 8)
        shared.append(u16: 0)
        shared.append(u16: Self.date)
        shared.append(u32: crc)
        shared.append(u32: UInt32(packed))
        shared.append(u32: UInt32(length))
        shared.append(u16: UInt16(name.count))
        shared.append(u16: 0)
        var head: [UInt8] = []
        head.append(u32: 0x0403_4b50)
        head += shared + name
        try Self.write(head, to: descriptor, at: start)
        offset = start + Int64(head.count)
        list.append(u32: 0x0201_4b50)
        // "Made by Unix": the upper half of the attributes is a Unix mode.
        list.append(u16: 3 << 8 | 20)
        list += shared
        list.append(u16: 0)
        list.append(u16: 0)
        list.append(u16: 0)
        list.append(u32: (isFolder ? UInt32(S_IFDIR) | 0o755 : UInt32(S_IFREG) | 0o644) << 16)
        list.append(u32: UInt32(start))
        list += name
        count += 1
    }

    /// Returns the length of the file in bytes.
    mutating func end() throws(PackageFailure) -> Int64 {
        let start = offset
        var end = list
        end.append(u32: 0x0605_4b50)
        end.append(u16: 0)
        end.append(u16: 0)
        end.append(u16: UInt16(count))
        end.append(u16: UInt16(count))
        end.append(u32: UInt32(list.count))
        end.append(u32: UInt32(start))
        end.append(u16: 0)
        try Self.write(end, to: descriptor, at: start)
        return start + Int64(end.count)
    }

    private static func write(
        _ bytes: [UInt8], to descriptor: Int32, at offset: Int64
    ) throws(PackageFailure) {
        let failure = bytes.withUnsafeBytes { bytes -> PackageFailure? in
            do throws(PackageFailure) {
                try write(bytes, to: descriptor, at: offset)
                return nil
            } catch { return error }
        }
        if let failure { throw failure }
    }

    private static func write(
        _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int64
    ) throws(PackageFailure) {
        var done = 0
        while done < bytes.count {
            let count = pwrite(
                descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done,
                off_t(offset) + off_t(done))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw .system(StoreError(unwritable: "package", errno: count == 0 ? EIO : errno))
            }
            done += count
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(u16 value: UInt16) {
        append(UInt8(truncatingIfNeeded: value))
        append(UInt8(truncatingIfNeeded: value >> 8))
    }

    fileprivate mutating func append(u32 value: UInt32) {
        append(u16: UInt16(truncatingIfNeeded: value))
        append(u16: UInt16(truncatingIfNeeded: value >> 16))
    }
}
