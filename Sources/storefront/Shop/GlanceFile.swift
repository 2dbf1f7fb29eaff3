import Glibc
import ShopCore

/// Where a shop's last look is kept: one small file for each way the program is called, in the
/// cache folder (XDG Base Directory Specification). Losing it costs nothing.
struct GlanceFile {
    private let folder: String
    private let path: String

    /// - Parameter arguments: all that says which store is meant.
    init(arguments: [String]) {
        let cache = Self.variable("XDG_CACHE_HOME")
        let home = Self.variable("HOME")
        folder = (cache.hasPrefix("/") ? cache : home + "/.cache") + "/storefront"
        // The folder the program stands in and these variables choose the store, too.
        var parts = arguments
        var here = [CChar](repeating: 0, count: Int(PATH_MAX))
        if getcwd(&here, here.count) != nil {
            parts.append(
                String(
                    decoding: here.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
        }
        for name in Self.variables { parts.append(name + "=" + Self.variable(name)) }
        path = folder + "/glance-" + Self.digest(parts)
    }

    private static let variables = [
        "STOREFRONT_STORE", "STOREFRONT_CATALOG", "STOREFRONT_ACCOUNT", "STOREFRONT_DEVICE",
        "XDG_DATA_HOME", "HOME", "LC_ALL", "LC_MESSAGES", "LANG", "TZ",
    ]

    func read() -> Glance? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_uid == getuid(),
            status.st_mode & S_IFMT == S_IFREG,
            (1...Self.bytesMax).contains(Int(status.st_size))
        else { return nil }
        let text = String(unsafeUninitializedCapacity: Int(status.st_size)) { buffer in
            max(0, Glibc.read(descriptor, buffer.baseAddress, buffer.count))
        }
        return Glance(reading: text)
    }

    private static let bytesMax = 1_000_000

    /// Replaces the file at once or not at all. Trouble is no trouble: it is only a glance.
    func write(_ glance: Glance) {
        let base = String(folder.dropLast("/storefront".count))
        mkdir(base, 0o700)
        mkdir(folder, 0o700)
        guard isOurs else { return }
        let next = path + ".\(getpid())"
        unlink(next)
        let descriptor = open(next, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return }
        let bytes = Array(glance.text.utf8)
        let written = Glibc.write(descriptor, bytes, bytes.count)
        close(descriptor)
        if written == bytes.count { rename(next, path) } else { unlink(next) }
    }

    /// Nobody else's folder, nor a link to one.
    private var isOurs: Bool {
        var status = stat()
        return lstat(folder, &status) == 0 && status.st_uid == getuid()
            && status.st_mode & S_IFMT == S_IFDIR
    }

    private static func variable(_ name: String) -> String {
        getenv(name).map { String(cString: $0) } ?? ""
    }

    /// FNV-1a, 64 bits: two shops that meet by chance show each other's list for a moment.
    private static func digest(_ parts: [String]) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for part in parts {
            for byte in part.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
            // A separator, so that a word that moves from one part to the next counts.
            hash = (hash ^ 0x1F) &* 0x100_0000_01b3
        }
        return String(hash, radix: 16)
    }
}
