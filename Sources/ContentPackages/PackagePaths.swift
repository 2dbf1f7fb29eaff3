import Basics
import Foundation

/// Checks the paths of a package: each by itself, and all together for names that collide.
struct PackagePaths {
    /// The keys of the paths so far, for a file system without upper and lower case. `String`
    /// compares by canonical equivalence (Unicode), so that two encodings of one accented letter
    /// are equal.
    private var files: Set<String> = []
    private var folders: Set<String> = []

    /// `path` is relative with `/` as separator, and none at its end. Nil for a valid path by
    /// itself.
    static func problem(of path: String) -> PackageProblem? {
        func bad(_ found: String) -> PackageProblem {
            PackageProblem(.badName, path: UntrustedText.short(path), found: found)
        }
        guard !path.isEmpty else { return bad("an empty path") }
        guard path.utf8.count <= PackageLimits.pathBytesMax else {
            return bad("a path of \(path.utf8.count) bytes")
        }
        guard !path.hasPrefix("/") else { return bad("an absolute path") }
        guard !path.contains("\\") else { return bad("a backslash") }
        guard UntrustedText.isPlain(path) else { return bad("control or invisible characters") }
        let names = path.split(separator: "/", omittingEmptySubsequences: false)
        for name in names {
            if name.isEmpty { return bad("an empty name") }
            if name == "." || name == ".." { return bad("a path that leaves its folder") }
            if name.utf8.count > PackageLimits.nameBytesMax {
                return bad("a name of \(name.utf8.count) bytes")
            }
            // Some systems take a name with this start for a drive.
            if name.dropFirst().first == ":", name.first?.isLetter == true {
                return bad("the name of a drive")
            }
            if name.last == " " || name.last == "." { return bad("a name that ends in \" \" or .") }
        }
        guard names.count - 1 <= PackageLimits.depthMax else {
            return PackageProblem(
                .tooDeep, path: UntrustedText.short(path), found: "\(names.count - 1) folders")
        }
        return nil
    }

    /// For a path that is valid by itself. Nil if it breaks no rule together with earlier paths.
    mutating func add(_ path: String, isFolder: Bool) -> PackageProblem? {
        let key = Self.key(path)
        var above = key
        while let slash = above.lastIndex(of: "/") {
            above = String(above[..<slash])
            if files.contains(above) { return duplicate(path, "a file and a folder of one name") }
            folders.insert(above)
        }
        if isFolder {
            if files.contains(key) { return duplicate(path, "a file and a folder of one name") }
            guard listedFolders.insert(key).inserted else {
                return duplicate(path, "a second folder of the name")
            }
            folders.insert(key)
            return nil
        }
        if folders.contains(key) { return duplicate(path, "a file and a folder of one name") }
        guard files.insert(key).inserted else {
            return duplicate(path, "a second file of the name")
        }
        return nil
    }

    /// Folders that have an entry of their own, besides being part of other paths.
    private var listedFolders: Set<String> = []

    private func duplicate(_ path: String, _ found: String) -> PackageProblem {
        PackageProblem(.duplicateName, path: UntrustedText.short(path), found: found)
    }

    /// Paths that a file system without upper and lower case takes for the same have the same key.
    /// The path is put in upper case first, so that `ß` equals `SS` and the Kelvin sign equals `k`.
    private static func key(_ path: String) -> String {
        guard path.utf8.contains(where: { $0 >= 0x80 }) else { return path.lowercased() }
        return path.uppercased().lowercased().precomposedStringWithCanonicalMapping
    }
}
