package import StoreModel

/// A reason why a package is refused.
package struct PackageProblem: Error, Codable, Hashable, Sendable {
    /// A rule for packages.
    package enum Rule: String, Codable, Hashable, Sendable, CaseIterable {
        /// The file is no zip, ends early, or holds bytes that belong to no entry.
        case notAPackage
        /// A feature of zip files that packages must not have: encryption, other compression
        /// methods, several parts, 64-bit fields, comments.
        case unsupported
        /// The list of entries and the headers before the entries contradict each other.
        case contradictory
        /// The data cannot be unpacked, or its length or checksum differs from the package's own
        /// statement.
        case damaged
        case tooLarge
        case tooMany
        case tooDeep
        /// The package unpacks to too many times its size.
        case tooCompressed
        /// A path that leaves the package, or a name that a plain file cannot have.
        case badName
        /// Two entries with the same name, or with names that some file system takes for the same.
        case duplicateName
        /// A program, recognized by its mode or its first bytes.
        case executable
        case link
        /// A device, a pipe or a socket.
        case device
        /// `ContentInfo.plist` is missing, or lacks a value that it must have.
        case contentInfo
        /// A file outside `Contents`, or no file in it.
        case contents
    }

    package var rule: Rule
    /// Nil for the package itself.
    package var path: String?
    /// In words.
    package var found: String

    package init(_ rule: Rule, path: String? = nil, found: String) {
        self.rule = rule
        self.path = path
        self.found = found
    }

    /// `subject` is the path, `expected` the rule in words.
    package var error: StoreError {
        StoreError(.packageInvalid, subject: path, found: found, expected: rule.words)
    }
}

extension PackageProblem.Rule {
    package var words: String {
        switch self {
        case .notAPackage: "a whole zip file that holds its entries and nothing else"
        case .unsupported: "a plain zip file of stored or deflated files"
        case .contradictory: "the same in the list of entries and before each file"
        case .damaged: "data that unpacks to what the package says"
        case .tooLarge: "at most \(PackageLimits.bytesMax) bytes"
        case .tooMany:
            "at most \(PackageLimits.filesMax) files and \(PackageLimits.foldersMax) folders"
        case .tooDeep: "at most \(PackageLimits.depthMax) folders one in another"
        case .tooCompressed: "at most \(PackageLimits.ratioMax) times its size when unpacked"
        case .badName: "a plain, relative path in UTF-8"
        case .duplicateName: "names that differ in more than case and accents' encoding"
        case .executable: "content that no system runs as a program"
        case .link: "plain files and folders, no links"
        case .device: "plain files and folders"
        case .contentInfo: "ContentInfo.plist with product and version, as XML"
        case .contents: "files in Contents, and ContentInfo.plist beside it"
        }
    }
}

/// Why reading or making a package failed: a problem of the package, or an error of the system.
enum PackageFailure: Error {
    case problem(PackageProblem)
    case system(StoreError)

    var error: StoreError {
        switch self {
        case .problem(let problem): problem.error
        case .system(let error): error
        }
    }
}
