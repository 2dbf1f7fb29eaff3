import ContentPackages
import DurableFiles
import Foundation
import StoreModel

/// Gives the form of a package (`ContentInfo.plist`, `Contents`) to content that an earlier version
/// of the program installed, whose files lie in the version's own folder.
///
/// First it makes a package without content for each version, aside: where the disk is full, this
/// fails, and nothing has been moved. Then one rename makes a version's folder `Contents` of its
/// package, and another one puts the package in the version's place. A process that ends in between
/// leaves each version in one of the two places, and the next process goes on. It must run within a
/// write to the device's records that also records its end.
struct PackageFormMove {
    /// Where the packages are made. The folder stays until the next launch.
    static let made = "content-in-packages"
    /// Where the first form of this move took `content`, from which it made the packages.
    static let aside = "content-before-packages"

    let folder: DeviceFolder
    /// For tests: called after each step. What it throws ends the move.
    var observe: () throws -> Void = {}

    /// Safe to call again after a failure.
    func run() throws(StoreError) {
        try folder.opened { device in
            let content = try device.folder("content")
            let made = try device.folder(Self.made, isMade: true)
            // What a killed process left. What is still aside comes last: one of these packages may
            // be made of a package that was only begun.
            try place(made, in: content)
            try takeBack(from: device, into: content)
            let older = try versions(in: content).filter {
                try !content.folder($0.parent).hasNamedPackage($0.name)
            }
            for version in older {
                try made.folder(version.parent + "/" + version.name, isMade: true)
                    .writeInfo(of: version.product, version.contentID, version.name)
                try observe()
            }
            for version in older {
                let package = try made.folder(version.parent + "/" + version.name)
                try content.folder(version.parent)
                    .move(version.name, into: package, as: ContentInfo.contentsFolder)
                try observe()
            }
            try place(made, in: content)
            try content.syncFileSystem()
            try folder.drop(Self.aside, of: device)
        }
    }

    /// A version that is still aside goes before what lies in its place: a package that was only
    /// begun.
    private func takeBack(from device: OpenFolder, into content: OpenFolder) throws {
        guard device.isFolder(Self.aside) else { return }
        let aside = try device.folder(Self.aside)
        for version in try versions(in: aside) {
            let parent = try content.folder(version.parent, isMade: true)
            try folder.drop(version.name, of: parent)
            try aside.folder(version.parent).move(version.name, into: parent, as: version.name)
            try observe()
        }
    }

    /// The whole packages.
    private func place(_ made: OpenFolder, in content: OpenFolder) throws {
        for version in try versions(in: made) {
            let parent = try made.folder(version.parent)
            guard parent.hasPackage(version.name) else { continue }
            try parent.move(
                version.name, into: content.folder(version.parent, isMade: true), as: version.name)
            try observe()
        }
    }

    private struct Version {
        var product: ProductID
        var contentID: String
        var name: String

        var parent: String { "\(product)/\(contentID)" }
    }

    private func versions(in content: OpenFolder) throws(StoreError) -> [Version] {
        var found: [Version] = []
        for product in try content.folders() {
            for contentID in try content.folder(product).folders() {
                for name in try content.folder("\(product)/\(contentID)").folders() {
                    found.append(
                        Version(product: ProductID(product), contentID: contentID, name: name))
                }
            }
        }
        return found
    }
}

extension Device {
    /// Once for each device, when it is opened.
    ///
    /// - Returns: whether the content has the form of packages: false for a device that is only
    ///   read, or whose disk has no room for that now, so that a later opening tries again.
    static func moveToPackages(
        _ database: DurableDatabase, _ folder: DeviceFolder, isOnlyRead: Bool = false,
        observe: @escaping @Sendable () throws -> Void = {}
    ) async throws(StoreError) -> Bool {
        let isAside = (try? folder.opened { $0.isFolder(PackageFormMove.aside) }) ?? false
        let lacksForm = try await database.read { try DeviceRecords($0).lacksPackageForm }
        guard lacksForm || isAside else { return true }
        guard !isOnlyRead else { return false }
        do throws(StoreError) {
            try await database.write { db in
                let records = DeviceRecords(db)
                guard try isAside || records.lacksPackageForm else { return }
                if try isAside || !records.downloads().isEmpty {
                    try PackageFormMove(folder: folder, observe: observe).run()
                }
                try records.notePackageForm()
            }
            return true
        } catch  where [.deviceFull, .storeFull].contains(error.code) { return false }
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

    /// Whether the package of this name also has its `ContentInfo.plist`, which tells it from
    /// content of before packages.
    func hasNamedPackage(_ name: String) -> Bool {
        hasPackage(name) && status(name + "/" + ContentInfo.fileName) != nil
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
