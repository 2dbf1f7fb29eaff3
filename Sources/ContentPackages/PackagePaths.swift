import Basics
import Foundation

/// Checks the paths of a package, one after the other: each alone, and all together for names that
/// collide.
struct PackagePaths {
    /// The paths so far, as a file system without upper and lower case has them. `String` already
    /// compares by canonical equivalence (Unicode), so that two encodings of one accent are one.
    private var files: Set<String> = []
    private var folders: Set<String> = []

    /// Checks a path alone.
    ///
    /// - Parameter path: relative, with `/`, and without one at its end.
    /// - Returns: the broken rule; nil for a good path.
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
        guard UntrustedText.clean(path) == path else { return bad("control characters") }
        let names = path.split(separator: "/", omittingEmptySubsequences: false)
        for name in names {
            if name.isEmpty { return bad("an empty name") }
            if name == "." || name == ".." { return bad("a path that leaves its folder") }
            if name.utf8.count > PackageLimits.nameBytesMax {
                return bad("a name of \(name.utf8.count) bytes")
            }
            // A name that begins so is a drive's on some systems.
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

    /// Adds a path that is good alone.
    ///
    /// - Returns: the rule that it breaks beside the paths before; nil if it breaks none.
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

    /// Folders that were added by themselves, not as part of another path.
    private var listedFolders: Set<String> = []

    private func duplicate(_ path: String, _ found: String) -> PackageProblem {
        PackageProblem(.duplicateName, path: UntrustedText.short(path), found: found)
    }

    /// One key for all paths that a file system without upper and lower case takes for one. Via
    /// upper case, so that `ß` and `SS` are one too; the Kelvin sign becomes `k`.
    private static func key(_ path: String) -> String {
        guard path.utf8.contains(where: { $0 >= 0x80 }) else { return path.lowercased() }
        return path.uppercased().lowercased().precomposedStringWithCanonicalMapping
    }
}
