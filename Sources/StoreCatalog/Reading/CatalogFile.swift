import Basics
import Foundation

/// The bytes of a catalog file, with checks for files that are not JSON.
struct CatalogFile {
    /// Why a file could not be read.
    struct Unreadable: Error {
        var path: String
        var problem: CatalogProblem
    }

    /// A larger file could exhaust the memory.
    static let bytesMax: Int64 = 1 << 30
    /// The file inside the folder form of a StoreKit configuration.
    static let nameInFolder = "Configuration.storekit"

    /// For a folder `X.storekit` the path of the file inside it.
    let path: String
    /// For people: the name of the file, or of its folder, without the extension.
    let title: String
    let bytes: [UInt8]

    /// - Parameter takesFolders: whether a folder `X.storekit` stands for the file inside it.
    static func open(
        _ path: String, takesFolders: Bool = true
    ) -> Result<CatalogFile, Unreadable> {
        var status = stat()
        guard stat(path, &status) == 0 else { return .failure(unreadable(path, errno)) }
        var title = path
        var file = path
        if takesFolders, status.st_mode & S_IFMT == S_IFDIR {
            while title.count > 1, title.hasSuffix("/") { title.removeLast() }
            file = title + "/" + nameInFolder
            guard stat(file, &status) == 0 else {
                let found = errno == ENOENT ? "a folder without a \(nameInFolder)" : nil
                return .failure(unreadable(file, errno, found: found))
            }
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            return .failure(unreadable(file, 0, found: "something that is not a file"))
        }
        guard status.st_size <= bytesMax else {
            return .failure(unreadable(file, 0, found: "\(status.st_size) bytes"))
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(status.st_size))
        let code = read(file, into: &bytes)
        guard code == 0 else { return .failure(unreadable(file, code)) }
        return .success(CatalogFile(path: file, title: stem(of: title), bytes: bytes))
    }

    /// Reads a file to its end, which may have changed since its size was read. The bytes go
    /// directly into the array that is parsed, so a catalog of 100 MB is in memory once.
    ///
    /// - Returns: 0, or the error number (errno(3)).
    private static func read(_ file: String, into bytes: inout [UInt8]) -> Int32 {
        let descriptor = Foundation.open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        return withUnsafeTemporaryAllocation(byteCount: 1 << 20, alignment: 16) { chunk in
            while true {
                let count = Foundation.read(descriptor, chunk.baseAddress, chunk.count)
                if count < 0 && errno == EINTR { continue }
                guard count >= 0 else { return errno }
                guard count > 0 else { return 0 }
                guard bytes.count + count <= Int(bytesMax) else { return EFBIG }
                bytes.append(contentsOf: chunk[..<count])
            }
        }
    }

    private static func stem(of path: String) -> String {
        URL(filePath: path).deletingPathExtension().lastPathComponent
    }

    static func unreadable(_ path: String, _ code: Int32, found: String? = nil) -> Unreadable {
        let reason =
            switch code {
            case ENOENT, ENOTDIR: "no such file"
            case EACCES, EPERM: "a file that may not be read: permission denied"
            case 0: "nothing readable"
            default: "a file that cannot be read: \(systemMessage(code))"
            }
        return Unreadable(
            path: path,
            problem: CatalogProblem(
                severity: .error, code: .unreadable, found: found ?? reason,
                expected: found == nil || code == 0
                    ? "a readable catalog file of at most \(bytesMax >> 20) MB"
                    : "a catalog file, or a folder that holds a \(nameInFolder)"))
    }

    /// Names the format that the first bytes show; nil if they show none.
    ///
    /// - Parameter wanted: what the JSON was to be.
    static func problemWithNotation(of bytes: [UInt8], wanted: String) -> CatalogProblem? {
        guard
            let found = notation(
                of: bytes.prefix(4096).drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) },
                isEmpty: bytes.isEmpty)
        else { return nil }
        return CatalogProblem(
            severity: .error, code: .notJSON, line: bytes.isEmpty ? nil : 1, found: found,
            expected: "JSON in UTF-8: \(wanted)")
    }

    private static func notation(of start: ArraySlice<UInt8>, isEmpty: Bool) -> String? {
        if isEmpty { return "an empty file (0 bytes)" }
        if start.starts(with: [0xFE, 0xFF]) || start.starts(with: [0xFF, 0xFE]) {
            return "UTF-16 text"
        }
        if start.starts(with: "bplist".utf8) { return "a binary property list" }
        let text = start.starts(with: [0xEF, 0xBB, 0xBF]) ? start.dropFirst(3) : start
        guard text.first == UInt8(ascii: "<") else { return nil }
        let words = String(decoding: text, as: UTF8.self).lowercased()
        if words.contains("<!doctype plist") || words.contains("<plist") {
            return "an XML property list"
        }
        return words.contains("<html") || words.contains("<!doctype html") ? "a web page" : "XML"
    }

    /// The problem with the first byte that is not UTF-8; nil if there is none before `end`.
    static func problemWithEncoding(of bytes: [UInt8], before end: Int? = nil) -> CatalogProblem? {
        do {
            _ = try UTF8Span(validating: bytes.span)
            return nil
        } catch {
            let offset = error.byteOffsets.lowerBound
            if let end, offset >= end { return nil }
            let position = JSONSourceMap.position(of: offset, in: bytes)
            // A file that ends in the middle of a character was cut off: reports the end, not the
            // bytes.
            let isCut =
                error.kind == .truncatedScalar && error.byteOffsets.upperBound == bytes.count
            return CatalogProblem(
                severity: .error, code: .notJSON, line: position.line, column: position.column,
                found: isCut ? "the end of the file" : "bytes that are not UTF-8",
                expected: isCut ? "the rest of a character" : "JSON in UTF-8")
        }
    }
}
