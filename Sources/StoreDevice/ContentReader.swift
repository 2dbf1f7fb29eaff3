import Basics
import DurableFiles
import Foundation
import StoreModel

/// Lists and reads the files of downloaded packages. It reaches every file through open folders
/// (`OpenFolder`), so that a symbolic link that somebody planted is never followed.
struct ContentReader: Sendable {
    let folder: DeviceFolder
    /// The folders of packages that are part of the app, by package.
    var embedded: [String: String] = [:]

    /// Sorted by the bytes of their paths, as the package's manifest lists them. Links and other
    /// things that are no plain files are left out.
    ///
    /// - Throws: `contentUnavailable` where the package is no longer there; `deviceUnreadable`.
    func files(of row: Download) throws(StoreError) -> [ContentFile] {
        let package = try open(row)
        var files: [ContentFile] = []
        try list(package, below: "", of: row, into: &files)
        return files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    private func list(
        _ current: OpenFolder, below prefix: String, of row: Download,
        into files: inout [ContentFile]
    ) throws(StoreError) {
        let items = try folder.inDevice { try current.items() }
        for item in items {
            switch item.kind {
            case .other: break
            case .folder:
                let inner = try folder.inDevice { try current.folder(item.name) }
                try list(inner, below: prefix + item.name + "/", of: row, into: &files)
            case .file(let length):
                let start = try read(
                    item.name, in: current, offset: 0, count: ContentKind.startLength)
                let kind = try kind(of: item.name, start, in: current)
                files.append(
                    ContentFile(
                        contentID: row.contentID, version: row.version, path: prefix + item.name,
                        absolutePath: current.path + "/" + item.name, length: length, kind: kind,
                        title: kind == .text
                            ? ContentTitle.of(start, isWhole: start.count == length) : nil))
            }
        }
    }

    private func kind(
        of name: String, _ start: Data, in current: OpenFolder
    ) throws(StoreError) -> ContentKind {
        let kind = ContentKind(name: name, start: start)
        guard case .image(.jpeg, nil) = kind else { return kind }
        let more = try read(name, in: current, offset: 0, count: ContentKind.startLengthOfJPEG)
        return ContentKind(name: name, start: more)
    }

    /// Up to `count` bytes of a file of a package; fewer only at its end.
    ///
    /// - Throws: `contentUnavailable` where the package or file is not there; `deviceUnreadable`
    ///   for a link, or a path that leaves the package.
    func read(
        _ path: String, of row: Download, offset: Int64, count: Int
    ) throws(StoreError) -> Data {
        var current = try open(row)
        var steps = path.split(separator: "/", omittingEmptySubsequences: false)
        let name = String(steps.popLast() ?? "")
        for step in steps {
            try checkIsThere(String(step), in: current, row, path)
            current = try folder.inDevice { [current] in try current.folder(step) }
        }
        try checkIsThere(name, in: current, row, path)
        return try read(name, in: current, offset: offset, count: count)
    }

    private func open(_ row: Download) throws(StoreError) -> OpenFolder {
        if let path = embedded[row.contentID] {
            do throws(StoreError) { return try OpenFolder(path: path) } catch {
                throw Self.gone(row, path)
            }
        }
        guard let contents = folder.contents(of: row) else { throw Self.gone(row, row.contentID) }
        return try folder.opened { try $0.folder(contents) }
    }

    private func checkIsThere(
        _ name: String, in current: OpenFolder, _ row: Download, _ path: String
    ) throws(StoreError) {
        // `OpenFolder` refuses an empty name or a path upwards.
        guard !name.isEmpty, !name.contains("/"), current.status(name) == nil else { return }
        throw Self.gone(row, path)
    }

    private static func gone(_ row: Download, _ subject: String) -> StoreError {
        StoreError(.contentUnavailable, productID: row.productID, subject: subject)
    }

    private func read(
        _ name: String, in current: OpenFolder, offset: Int64, count: Int
    ) throws(StoreError) -> Data {
        try folder.inDevice {
            let descriptor = try current.openFile(name, O_RDONLY)
            defer { close(descriptor) }
            do throws(SystemError) {
                return try readAll(descriptor, at: offset, count: count)
            } catch { throw StoreError(errno: error.code, path: current.path + "/" + name) }
        }
    }
}
