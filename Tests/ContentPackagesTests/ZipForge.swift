import Foundation

/// Makes valid and invalid zip files byte by byte. It checks nothing, and every field can have a
/// false value.
struct ZipForge {
    /// One entry. The fields that begin with `local` are values of its local header, if they differ
    /// from those in the central directory.
    struct Entry {
        var name: [UInt8]
        var body: [UInt8] = []
        var mode: UInt32 = 0o100644
        var method: UInt16 = 0
        var flags: UInt16 = 0x0800
        var length: UInt32?
        var packedLength: UInt32?
        var crc: UInt32?
        var version: UInt16 = 20
        var extra: [UInt8] = []
        var comment: [UInt8] = []
        var localName: [UInt8]?
        var localLength: UInt32?
        var localMethod: UInt16?
        var localFlags: UInt16?
        var localVersion: UInt16?
        var localExtra: [UInt8] = []
        var offset: UInt32?
        var part: UInt16 = 0
        /// Bytes before the entry that belong to no entry.
        var before: [UInt8] = []
        var after: [UInt8] = []
        var isListed = true
        /// Whether the central directory names the entry twice.
        var isTwice = false

        init(_ name: String, _ body: String = "", mode: UInt32 = 0o100644) {
            self.name = Array(name.utf8)
            self.body = Array(body.utf8)
            self.mode = mode
        }

        init(name: [UInt8], _ body: [UInt8] = [], mode: UInt32 = 0o100644) {
            self.name = name
            self.body = body
            self.mode = mode
        }

        func with(_ change: (inout Entry) -> Void) -> Entry {
            var entry = self
            change(&entry)
            return entry
        }
    }

    var entries: [Entry] = []
    var comment: [UInt8] = []
    var count: UInt16?
    var listLength: UInt32?
    var listOffset: UInt32?
    var part: UInt16 = 0
    /// Bytes between the last entry and the central directory.
    var beforeList: [UInt8] = []
    /// Bytes between the central directory and its end record.
    var afterList: [UInt8] = []
    var after: [UInt8] = []
    /// How many bytes are cut off at the end of the file.
    var cut = 0

    static let info = """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0">
        <dict>
            <key>ContentVersion</key>
            <string>1.2</string>
            <key>IAPProductIdentifier</key>
            <string>com.example.book</string>
        </dict>
        </plist>
        """

    /// A valid package, with more entries.
    init(_ more: [Entry] = [], info: String = ZipForge.info) {
        entries =
            [Entry("ContentInfo.plist", info), Entry("Contents/one.txt", "one")] + more
    }

    init(only entries: [Entry]) { self.entries = entries }

    var bytes: [UInt8] {
        var file: [UInt8] = []
        var list: [UInt8] = []
        var listed: UInt16 = 0
        for entry in entries {
            file += entry.before
            let start = UInt32(file.count)
            let crc = entry.crc ?? Self.crc32(entry.body)
            let length = entry.length ?? UInt32(entry.body.count)
            let packed = entry.packedLength ?? UInt32(entry.body.count)
            let localName = entry.localName ?? entry.name
            file += u32(0x0403_4b50) + u16(entry.localVersion ?? entry.version)
            file += u16(entry.localFlags ?? entry.flags)
            file += u16(entry.localMethod ?? entry.method) + u16(0) + u16(0x21) + u32(crc)
            file += u32(packed) + u32(entry.localLength ?? length)
            file += u16(UInt16(localName.count)) + u16(UInt16(entry.localExtra.count))
            file += localName + entry.localExtra + entry.body + entry.after
            guard entry.isListed else { continue }
            for _ in 0..<(entry.isTwice ? 2 : 1) {
                list += u32(0x0201_4b50) + u16(3 << 8 | 20) + u16(entry.version)
                list += u16(entry.flags)
                list += u16(entry.method) + u16(0) + u16(0x21) + u32(crc) + u32(packed)
                list += u32(length) + u16(UInt16(entry.name.count))
                list += u16(UInt16(entry.extra.count)) + u16(UInt16(entry.comment.count))
                list += u16(entry.part) + u16(0) + u32(entry.mode << 16)
                list += u32(entry.offset ?? start) + entry.name + entry.extra + entry.comment
                listed += 1
            }
        }
        file += beforeList
        let start = UInt32(file.count)
        file += list + afterList
        file += u32(0x0605_4b50) + u16(part) + u16(part)
        file += u16(count ?? listed) + u16(count ?? listed)
        file += u32(listLength ?? UInt32(list.count)) + u32(listOffset ?? start)
        file += u16(UInt16(comment.count)) + comment + after
        return Array(file.dropLast(cut))
    }

    private func u16(_ value: UInt16) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }
    private func u32(_ value: UInt32) -> [UInt8] {
        u16(UInt16(value & 0xFFFF)) + u16(UInt16(value >> 16))
    }

    /// CRC-32 (ISO 3309), bit by bit.
    static func crc32(_ bytes: [UInt8]) -> UInt32 {
        var crc = UInt32.max
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
        return ~crc
    }
}
