import Foundation
package import StoreModel

extension OpenFolder {
    /// An entry of a folder.
    package struct Item: Hashable, Sendable {
        /// Entries whose names are not UTF-8 are left out.
        package var name: String
        package var kind: Kind

        /// The kinds of entries; links and devices are `other`.
        package enum Kind: Hashable, Sendable {
            case folder
            /// In bytes.
            case file(length: Int64)
            case other
        }
    }

    /// Only this folder's own, sorted by the bytes of their names; without `.` and `..`. Throws
    /// `storeUnreadable` if the folder cannot be read.
    package func items() throws(StoreError) -> [Item] {
        // Opened anew: a copied descriptor would share its reading position with other readers.
        let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0 else { throw StoreError(errno: errno, path: path) }
        guard let stream = fdopendir(copy) else {
            let code = errno
            close(copy)
            throw StoreError(errno: code, path: path)
        }
        defer { closedir(stream) }
        var items: [Item] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else { throw StoreError(errno: errno, path: path) }
                break
            }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) {
                    String(validatingCString: $0)
                }
            }
            guard let name, name != ".", name != "..", let status = status(name) else { continue }
            let kind: Item.Kind =
                switch status.st_mode & S_IFMT {
                case S_IFDIR: .folder
                case S_IFREG: .file(length: Int64(status.st_size))
                default: .other
                }
            items.append(Item(name: name, kind: kind))
        }
        return items.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }
}
