#if os(Linux)
import Foundation
import StoreKit

/// Finds the configuration that a test names.
package enum NamedConfiguration {
    /// The file in the resources of the test's bundles; else in the nearest folder that has it, from
    /// the working folder up to that of a `Package.swift`; else anywhere below that one.
    /// Throws `fileNotFound` if there is none, and for several that differ; it lists them.
    ///
    /// - Parameter bundles: the folders with the bundles of resources that SwiftPM builds.
    package static func find(
        _ name: String, bundles: [String] = builtFolders,
        from folder: String = FileManager.default.currentDirectoryPath
    ) throws(SKTestError) -> String {
        let file = name.hasSuffix(".storekit") ? name : name + ".storekit"
        let parents = ConfigurationFile.ancestors(of: folder)
        let package = parents.last { isFile($0 + "/Package.swift") }
        // Without a package, the whole machine is not searched.
        let root = package ?? folder
        let places = [
            { bundles.flatMap { resources(file, in: $0) } },
            { parents.map { $0 + "/" + file }.filter(isFile).prefix(1).map(\.self) },
            { files(named: file, below: root, depth: 8) },
        ]
        for place in places {
            let found = Array(Set(place())).sorted()
            guard let first = found.first else { continue }
            // A file that two targets copy is one.
            guard Set(found.map { FileManager.default.contents(atPath: $0) }).count == 1 else {
                throw SKTestError(
                    .fileNotFound,
                    "Several files are named \(file): \(found.joined(separator: ", ")). "
                        + "SKTestSession(contentsOf:) takes one of them.")
            }
            return first
        }
        throw SKTestError(
            .fileNotFound,
            "There is no \(file) in the resources of the tests, nor in \(folder), its parents, or "
                + "below \(root). SKTestSession(contentsOf:) takes a file of any place.")
    }

    /// Where SwiftPM builds the test and the bundles beside it.
    package static var builtFolders: [String] {
        let program = Bundle.main.executableURL?.deletingLastPathComponent()
        return Array(Set([Bundle.main.bundleURL, program].compactMap { $0?.path }))
    }

    private static func resources(_ file: String, in folder: String) -> [String] {
        names(in: folder).filter { $0.hasSuffix(".resources") || $0.hasSuffix(".bundle") }
            .flatMap { files(named: file, below: folder + "/" + $0, depth: 4) }
    }

    /// Hidden folders are not searched: `.build` has copies.
    private static func files(named file: String, below folder: String, depth: Int) -> [String] {
        var found = isFile(folder + "/" + file) ? [folder + "/" + file] : []
        guard depth > 0 else { return found }
        for name in names(in: folder) where !name.hasPrefix(".") {
            let path = folder + "/" + name
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
                isFolder.boolValue
            else { continue }
            found += files(named: file, below: path, depth: depth - 1)
        }
        return found
    }

    private static func names(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    private static func isFile(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            && !isFolder.boolValue
    }
}
#endif
