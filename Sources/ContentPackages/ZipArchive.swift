import Basics
import Foundation
import StoreModel

/// A zip file, read without trusting its contents (APPNOTE 6.3.10, without encryption, several
/// parts and 64-bit fields).
///
/// The whole file must be accounted for: from its first byte, entries follow one another without
/// gaps, then the list of entries, then the end record, which is the last 22 bytes. Each item of
/// the list must equal the header before the entry's data. So no two readers can see different
/// files in it, no two entries share data, and no bytes are hidden between them. Lengths and
/// positions are checked against the file's length before they are used to read. Reads use
/// pread(2), so that a file that shrinks meanwhile ends the reading and not the program.
final class ZipArchive: Sendable {
    /// One file or folder.
    struct Entry: Sendable {
        var path: String
        var isFolder: Bool
        /// stat(2); nil if the entry has none.
        var mode: UInt32?
        var isDeflated: Bool
        var crc32: UInt32
        var packedLength: Int64
        var length: Int64
        /// Of the entry's data, in the file.
        var offset: Int64
    }

    private let descriptor: Int32
    /// Of the file, in bytes.
    let length: Int64
    /// In their order in the file.
    let entries: [Entry]

    /// Reads the list of entries, not their data.
    init(path: String) throws(PackageFailure) {
        // O_NONBLOCK: without it, opening a named pipe would wait for its other end.
        let opened = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard opened >= 0 else { throw .system(StoreError(unreadable: path, errno: errno)) }
        var status = stat()
        guard fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(opened)
            throw .problem(PackageProblem(.notAPackage, found: "no plain file"))
        }
        descriptor = opened
        length = Int64(status.st_size)
        do throws(PackageFailure) {
            entries = try ZipDirectory(descriptor: opened, length: length).entries()
        } catch {
            close(opened)
            throw error
        }
    }

    deinit { close(descriptor) }

    /// In order.
    func readAll(_ take: (UnsafeRawBufferPointer) throws(PackageFailure) -> Void)
        throws(PackageFailure)
    {
        try read(at: 0, count: length, take)
    }

    /// In order, exactly as many bytes as the entry states. Length and checksum are checked at the
    /// end: if they are wrong, the caller must drop the bytes that it has received.
    func unpack(
        _ entry: Entry, _ take: (UnsafeRawBufferPointer) throws(PackageFailure) -> Void
    ) throws(PackageFailure) {
        var checksum = CheckSum(entry)
        if entry.isDeflated {
            let inflater = try Inflater(path: entry.path)
            try read(at: entry.offset, count: entry.packedLength) {
                (packed) throws(PackageFailure) in
                try inflater.inflate(packed) { (bytes) throws(PackageFailure) in
                    try checksum.add(bytes)
                    try take(bytes)
                }
            }
            guard inflater.isAtEnd else { throw Self.damaged(entry, "data that ends early") }
        } else {
            try read(at: entry.offset, count: entry.length) { (bytes) throws(PackageFailure) in
                try checksum.add(bytes)
                try take(bytes)
            }
        }
        try checksum.check()
    }

    private static func damaged(_ entry: Entry, _ found: String) -> PackageFailure {
        .problem(PackageProblem(.damaged, path: UntrustedText.short(entry.path), found: found))
    }

    private func read(
        at start: Int64, count: Int64,
        _ take: (UnsafeRawBufferPointer) throws(PackageFailure) -> Void
    ) throws(PackageFailure) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: PackageLimits.pieceBytes, alignment: 16)
        defer { buffer.deallocate() }
        var offset = start
        var left = count
        while left > 0 {
            let size = Int(min(left, Int64(buffer.count)))
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<size])
            try ZipBytes.fill(part, from: descriptor, at: offset)
            try take(UnsafeRawBufferPointer(part))
            offset += Int64(size)
            left -= Int64(size)
        }
    }

    /// Counts an entry's bytes and computes their CRC-32.
    private struct CheckSum {
        private let entry: Entry
        private var crc: UInt32 = 0
        private var length: Int64 = 0

        init(_ entry: Entry) { self.entry = entry }

        mutating func add(_ bytes: UnsafeRawBufferPointer) throws(PackageFailure) {
            length += Int64(bytes.count)
            guard length <= entry.length else {
                throw ZipArchive.damaged(entry, "more than the \(entry.length) bytes it says")
            }
            crc = ZipBytes.crc32(crc, bytes)
        }

        func check() throws(PackageFailure) {
            guard length == entry.length else {
                throw ZipArchive.damaged(entry, "\(length) of the \(entry.length) bytes it says")
            }
            guard crc == entry.crc32 else { throw ZipArchive.damaged(entry, "another checksum") }
        }
    }
}

/// The list of entries at the end of a zip file, during reading.
private struct ZipDirectory {
    let descriptor: Int32
    let length: Int64

    private static let endLength: Int64 = 22
    private static let localLength: Int64 = 30
    private static let centralLength = 46
    /// The version of the format that plain files, folders and deflating need, as ten times 2.0.
    /// Readers that find a higher one in either header leave the entry out, or stop.
    private static let versionMax: UInt16 = 20

    /// An entry, and the part of the file that it occupies.
    private struct Placed {
        var entry: ZipArchive.Entry
        var flags: UInt16
        var method: UInt16
        var start: Int64
        /// The entry's own header must repeat it.
        var name: [UInt8]
    }

    private func bad(
        _ rule: PackageProblem.Rule, _ found: String, path: String? = nil
    ) -> PackageFailure {
        .problem(PackageProblem(rule, path: path.map { UntrustedText.short($0) }, found: found))
    }

    func entries() throws(PackageFailure) -> [ZipArchive.Entry] {
        guard length <= PackageLimits.bytesMax else { throw bad(.tooLarge, "\(length) bytes") }
        guard length >= Self.endLength else { throw bad(.notAPackage, "\(length) bytes") }
        let end = try read(at: length - Self.endLength, count: Int(Self.endLength))
        guard end.u32(0) == 0x0605_4b50 else {
            throw bad(.notAPackage, "no end of a zip in the last bytes")
        }
        guard end.u16(4) == 0, end.u16(6) == 0, end.u16(8) == end.u16(10) else {
            throw bad(.unsupported, "one of several parts")
        }
        let count = Int(end.u16(10))
        let size = Int64(end.u32(12))
        let start = Int64(end.u32(16))
        guard count != 0xFFFF, size != 0xFFFF_FFFF, start != 0xFFFF_FFFF else {
            throw bad(.unsupported, "64-bit fields")
        }
        guard end.u16(20) == 0 else { throw bad(.unsupported, "a comment") }
        guard count <= PackageLimits.filesMax + PackageLimits.foldersMax + 2 else {
            throw bad(.tooMany, "\(count) entries")
        }
        guard start + size == length - Self.endLength, size <= PackageLimits.directoryBytesMax
        else { throw bad(.notAPackage, "a list of entries in another place") }
        guard size >= Int64(count * Self.centralLength) else {
            throw bad(.notAPackage, "a list of entries that ends early")
        }
        return try checked(try listed(try read(at: start, count: Int(size)), count), end: start)
    }

    private func listed(_ list: ZipBytes, _ count: Int) throws(PackageFailure) -> [Placed] {
        var placed: [Placed] = []
        placed.reserveCapacity(count)
        var offset = 0
        for _ in 0..<count {
            guard list.has(Self.centralLength, at: offset), list.u32(offset) == 0x0201_4b50 else {
                throw bad(.notAPackage, "a list of entries that ends early")
            }
            let nameLength = Int(list.u16(offset + 28))
            let extraLength = Int(list.u16(offset + 30))
            let commentLength = Int(list.u16(offset + 32))
            let whole = Self.centralLength + nameLength + extraLength + commentLength
            guard list.has(whole, at: offset) else {
                throw bad(.notAPackage, "a list of entries that ends early")
            }
            placed.append(
                try entry(list, at: offset, nameLength: nameLength, extraLength: extraLength))
            guard commentLength == 0 else {
                throw bad(.unsupported, "a comment", path: placed.last?.entry.path)
            }
            offset += whole
        }
        guard offset == list.count else {
            throw bad(.notAPackage, "more in the list than its entries")
        }
        return placed
    }

    private func entry(
        _ list: ZipBytes, at offset: Int, nameLength: Int, extraLength: Int
    ) throws(PackageFailure) -> Placed {
        let name = list.bytes(offset + Self.centralLength, nameLength)
        guard nameLength <= PackageLimits.pathBytesMax else {
            throw bad(.badName, "a path of \(nameLength) bytes")
        }
        guard var path = String(validating: name, as: UTF8.self) else {
            throw bad(.badName, "a path that is not UTF-8")
        }
        let isFolder = path.utf8.last == UInt8(ascii: "/")
        if isFolder { path.removeLast() }
        try checkVersion(list.u16(offset + 6), path)
        let flags = list.u16(offset + 8)
        // Allowed flags: bits 1 and 2 (options of the deflater), 3 (lengths follow the data), 11
        // (names are UTF-8).
        guard flags & 0x0041 == 0 else { throw bad(.unsupported, "an encrypted file", path: path) }
        guard flags & ~0x080E == 0 else {
            throw bad(.unsupported, "the flags \(flags)", path: path)
        }
        let method = list.u16(offset + 10)
        guard method == 0 || method == 8 else {
            throw bad(.unsupported, "the compression \(method)", path: path)
        }
        guard list.u16(offset + 34) == 0 else {
            throw bad(.unsupported, "one of several parts", path: path)
        }
        let packed = list.u32(offset + 20)
        let length = list.u32(offset + 24)
        let start = list.u32(offset + 42)
        guard packed != 0xFFFF_FFFF, length != 0xFFFF_FFFF, start != 0xFFFF_FFFF else {
            throw bad(.unsupported, "64-bit fields", path: path)
        }
        guard method == 8 || packed == length else {
            throw bad(.contradictory, "\(packed) bytes for \(length)", path: path)
        }
        guard !isFolder || (packed == 0 && length == 0) else {
            throw bad(.contradictory, "a folder with data", path: path)
        }
        try checkExtra(list, at: offset + Self.centralLength + nameLength, extraLength, path)
        let mode = list.u32(offset + 38) >> 16
        let entry = ZipArchive.Entry(
            path: path, isFolder: isFolder, mode: mode == 0 ? nil : mode,
            isDeflated: method == 8, crc32: list.u32(offset + 16), packedLength: Int64(packed),
            length: Int64(length), offset: 0)
        return Placed(
            entry: entry, flags: flags, method: method, start: Int64(start), name: name)
    }

    private func checkVersion(_ version: UInt16, _ path: String) throws(PackageFailure) {
        guard version > Self.versionMax else { return }
        throw bad(.unsupported, "the version \(version / 10).\(version % 10)", path: path)
    }

    /// Refuses extra fields that would give an entry another name or other lengths.
    private func checkExtra(
        _ list: ZipBytes, at start: Int, _ length: Int, _ path: String
    ) throws(PackageFailure) {
        var offset = start
        let end = start + length
        while offset < end {
            guard offset + 4 <= end else { throw bad(.contradictory, "an extra field", path: path) }
            let id = list.u16(offset)
            let size = Int(list.u16(offset + 2))
            guard offset + 4 + size <= end else {
                throw bad(.contradictory, "an extra field", path: path)
            }
            guard id != 0x0001 else { throw bad(.unsupported, "64-bit fields", path: path) }
            guard id != 0x7075 else { throw bad(.unsupported, "a second name", path: path) }
            offset += 4 + size
        }
    }

    /// Checks that the entries fill the file up to the list without gaps, and that the header
    /// before each entry equals its item in the list.
    private func checked(_ listed: [Placed], end: Int64) throws(PackageFailure)
        -> [ZipArchive.Entry]
    {
        var expected: Int64 = 0
        var entries: [ZipArchive.Entry] = []
        entries.reserveCapacity(listed.count)
        for placed in listed.sorted(by: { $0.start < $1.start }) {
            let path = placed.entry.path
            guard placed.start == expected else {
                let found = placed.start < expected ? "data of another file" : "hidden bytes"
                throw bad(.notAPackage, "\(found) before it", path: path)
            }
            let name = Int64(placed.name.count)
            guard end - placed.start >= Self.localLength + name else {
                throw bad(.notAPackage, "an entry that ends early", path: path)
            }
            let nameEnd = Int(Self.localLength) + placed.name.count
            var local = try read(at: placed.start, count: nameEnd)
            let extra = Int64(local.u16(28))
            let data = placed.start + Self.localLength + name + extra
            guard local.u32(0) == 0x0403_4b50, Int64(local.u16(26)) == name,
                local.bytes(Int(Self.localLength), placed.name.count) == placed.name
            else { throw bad(.contradictory, "another name before the data", path: path) }
            try checkVersion(local.u16(4), path)
            guard data <= end else {
                throw bad(.notAPackage, "an entry that ends early", path: path)
            }
            if extra > 0 {
                local = try read(at: placed.start, count: nameEnd + Int(extra))
                try checkExtra(local, at: nameEnd, Int(extra), path)
            }
            guard local.u16(6) == placed.flags, local.u16(8) == placed.method else {
                throw bad(.contradictory, "other flags before the data", path: path)
            }
            let says = [local.u32(14), local.u32(18), local.u32(22)].map(Int64.init)
            let listedValues = [
                Int64(placed.entry.crc32), placed.entry.packedLength, placed.entry.length,
            ]
            let followsData = placed.flags & 0x0008 != 0
            guard says == listedValues || (followsData && says == [0, 0, 0]) else {
                throw bad(.contradictory, "other lengths before the data", path: path)
            }
            guard data + placed.entry.packedLength <= end else {
                throw bad(.notAPackage, "data that ends early", path: path)
            }
            expected = data + placed.entry.packedLength
            if followsData {
                expected += try descriptorLength(at: expected, end: end, listedValues, path)
            }
            var entry = placed.entry
            entry.offset = data
            entries.append(entry)
        }
        guard expected == end else { throw bad(.notAPackage, "hidden bytes before the list") }
        return entries
    }

    /// The length of the data descriptor, which follows an entry's data and repeats its checksum
    /// and lengths. It may start with a signature.
    private func descriptorLength(
        at offset: Int64, end: Int64, _ values: [Int64], _ path: String
    ) throws(PackageFailure) -> Int64 {
        for (signature, size) in [(true, Int64(16)), (false, 12)] where end - offset >= size {
            let found = try read(at: offset, count: Int(size))
            let first = signature ? 4 : 0
            let says = (0..<3).map { Int64(found.u32(first + 4 * $0)) }
            if says == values, !signature || found.u32(0) == 0x0807_4b50 { return size }
        }
        throw bad(.contradictory, "other lengths behind the data", path: path)
    }

    private func read(at offset: Int64, count: Int) throws(PackageFailure) -> ZipBytes {
        var bytes = [UInt8](repeating: 0, count: count)
        let failure = bytes.withUnsafeMutableBytes { buffer -> PackageFailure? in
            do throws(PackageFailure) {
                try ZipBytes.fill(buffer, from: descriptor, at: offset)
                return nil
            } catch { return error }
        }
        if let failure { throw failure }
        return ZipBytes(bytes)
    }
}
