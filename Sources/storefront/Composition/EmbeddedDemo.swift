import Basics
import CDemoContent
import DurableFiles
import Foundation
import StoreModel

/// The demo's catalog and content in the executable, which alone opens a shop in any folder.
enum EmbeddedDemo {
    private struct File {
        var path: String
        var bytes: UnsafeRawBufferPointer
    }

    /// Writes the demo below `parent` (mode 0700) and returns the path of its catalog. Keeps a copy
    /// that is whole, and replaces one that was changed. The files are written into a temporary
    /// folder, which is then renamed, so that a process that is killed, or two processes at once,
    /// leave a whole copy.
    ///
    /// - Throws: `storeReadOnly`, `storeFull` and the other errors of making private folders.
    static func unpack(into parent: String) throws(StoreError) -> String {
        let files = files
        let folder = parent + "/demo-" + name(of: files)
        if isWhole(files, in: folder) { return folder + "/" + catalogName }
        try PrivateFolder.make(parent)
        let building = folder + "." + UUID().uuidString.lowercased()
        defer { try? FileManager.default.removeItem(atPath: building) }
        for file in files {
            let path = building + "/" + file.path
            try PrivateFolder.make((path as NSString).deletingLastPathComponent)
            try write(file, to: path)
        }
        if rename(building, folder) != 0 {
            // rename(2) does not replace a folder with content, such as a changed copy.
            if isWhole(files, in: folder) { return folder + "/" + catalogName }
            try? FileManager.default.removeItem(atPath: folder)
            guard rename(building, folder) == 0 else {
                throw StoreError(errno: errno, path: folder)
            }
        }
        return folder + "/" + catalogName
    }

    private static let catalogName = "catalog.json"

    private static var files: [File] {
        (0..<cdc_count()).compactMap { number in
            guard let file = cdc_at(number)?.pointee else { return nil }
            return File(
                path: String(cString: file.path),
                bytes: UnsafeRawBufferPointer(start: file.bytes, count: file.length))
        }
    }

    /// The name of the demo's folder: FNV-1a over the paths and bytes of its files, so that each
    /// version has its own. `isWhole` compares the folder's content byte by byte.
    private static func name(of files: [File]) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for file in files {
            for byte in file.path.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            for byte in file.bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
        return String(hash, radix: 16)
    }

    private static func isWhole(_ files: [File], in folder: String) -> Bool {
        files.allSatisfy { file in
            guard let data = FileManager.default.contents(atPath: folder + "/" + file.path) else {
                return false
            }
            return data.withUnsafeBytes { $0.elementsEqual(file.bytes) }
        }
    }

    private static func write(_ file: File, to path: String) throws(StoreError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StoreError(errno: errno, path: path) }
        defer { close(descriptor) }
        if let code = writeAll(file.bytes, to: descriptor) {
            throw StoreError(errno: code, path: path)
        }
    }
}
