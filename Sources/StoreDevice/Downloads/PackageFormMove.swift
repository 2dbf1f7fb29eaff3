import ContentPackages
import DurableFiles
import Foundation
import StoreModel

/// Gives the form of a package (`ContentInfo.plist`, `Contents`) to content that an earlier version
/// of the program installed, whose files lie in the version's own folder.
///
/// One rename moves the whole of `content` aside; then one rename each makes a version's folder
/// `Contents` of a new package. A process that ends in between leaves each version in one of two
/// places, and the next process goes on with those aside. It must run within a write to the
/// device's records that also records its end: no process may look for content before.
struct PackageFormMove {
    /// Where content waits for its new form. The folder stays until the next launch, because its
    /// presence says that `content` has only packages.
    static let origin = "content-before-packages"

    let folder: DeviceFolder
    /// For tests: called after each step. What it throws ends the move.
    var observe: () throws -> Void = {}

    /// Safe to call again after a failure.
    func run() throws(StoreError) {
        try folder.opened { device in
            if device.status(Self.origin) == nil {
                try device.move("content", into: device, as: Self.origin)
                try observe()
            }
            let content = try device.folder("content", isMade: true)
            try DeviceFolder.markAsCache(content)
            let old = try device.folder(Self.origin)
            for product in try old.folders() {
                for contentID in try old.folder(product).folders() {
                    let versions = try old.folder("\(product)/\(contentID)")
                    for version in try versions.folders() {
                        let package = try content.folder(
                            "\(product)/\(contentID)/\(version)", isMade: true)
                        try package.writeInfo(of: ProductID(product), contentID, version)
                        try observe()
                        try versions.move(version, into: package, as: ContentInfo.contentsFolder)
                        try observe()
                    }
                }
            }
            try content.syncFileSystem()
        }
    }
}

extension Device {
    /// Once for each device, when it is opened.
    static func moveToPackages(
        _ database: DurableDatabase, _ folder: DeviceFolder
    ) async throws(StoreError) {
        guard try await database.read({ try DeviceRecords($0).lacksPackageForm }) else { return }
        try await database.write { db in
            let records = DeviceRecords(db)
            guard try records.lacksPackageForm else { return }
            if try !records.downloads().isEmpty { try PackageFormMove(folder: folder).run() }
            try records.notePackageForm()
        }
    }
}

extension DeviceRecords {
    /// Whether content in the device's folder may not have the form of a package yet.
    fileprivate var lacksPackageForm: Bool {
        get throws { try value("packageForm", as: Bool.self) == nil }
    }

    func notePackageForm() throws { try set("packageForm", true) }
}

extension OpenFolder {
    /// Writes `ContentInfo.plist`; not durable before it is synced.
    func writeInfo(of product: ProductID, _ contentID: String, _ version: String)
        throws(StoreError)
    {
        let file = try PartialFile(ContentInfo.fileName, in: self)
        try file.truncate()
        let text = ContentInfo.plist(of: product, contentID: contentID, version: version)
        try file.append(Data(text.utf8))
    }

    /// Whether the folder of this name, which is no link, has the form of a package.
    func hasPackage(_ name: String) -> Bool {
        isFolder(name) && isFolder(name + "/" + ContentInfo.contentsFolder)
    }

    /// A link is no folder.
    func isFolder(_ path: String) -> Bool {
        status(path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
    }

    /// The names of the folders in this one.
    fileprivate func folders() throws(StoreError) -> [String] {
        try items().filter { $0.kind == .folder }.map(\.name)
    }
}
