import Foundation

/// The content of a folder, to check that a command changed nothing: files byte by byte, databases
/// row by row. It leaves out the working files of SQLite and the program, and the files that a
/// device derives from its records and the store at each launch.
struct FolderContents: Equatable {
    var entries: [String: String] = [:]

    init(_ folder: String) {
        let companions = ["-wal", "-shm", ".lock", ".bell", "-journal"]
        let derived = ["receipt.jws", "revoked-certificates.jws", "unlocks.jws", "unlocks.pem"]
        guard let names = FileManager.default.enumerator(atPath: folder) else { return }
        while let name = names.nextObject() as? String {
            if companions.contains(where: { name.hasSuffix($0) }) { continue }
            if derived.contains(where: { name.contains("/" + $0) || name.contains("/." + $0) }) {
                continue
            }
            let path = folder + "/" + name
            let bytes = FileManager.default.contents(atPath: path)
            if name.hasSuffix(".sqlite"), bytes?.starts(with: Data("SQLite format 3".utf8)) == true,
                let dump = try? Database.dump(path)
            {
                entries[name] = dump
            } else {
                entries[name] = bytes.map { $0.base64EncodedString() } ?? "a folder"
            }
        }
    }

    func differences(_ other: FolderContents) -> [String] {
        Set(entries.keys).union(other.entries.keys)
            .filter { entries[$0] != other.entries[$0] }.sorted()
    }
}

extension Sandbox {
    var storeContents: FolderContents { FolderContents(store) }

    /// Files of unfinished downloads, on all devices.
    var partialFiles: [String] {
        let devices = store + "/devices"
        let names = FileManager.default.enumerator(atPath: devices)
        return (names?.allObjects as? [String] ?? []).filter { name in
            var status = stat()
            return name.contains("/partial/") && !name.hasSuffix("/CACHEDIR.TAG")
                && stat(devices + "/" + name, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        }
    }
}
