import Basics
import ContentPackages
import DurableFiles
import Foundation
import Glibc
import StoreCatalog
import StoreEngine
package import StoreModel

/// The result of putting a package into a store.
package struct HostedRelease: Sendable {
    package var release: PackageRelease
    /// Empty if the store already had the release.
    package var events: [StoreEvent]
}

extension StoreHost {
    /// Once for each revision of the catalog; see `StoreEngine.makeManifests`. Returns whether it
    /// went through the packages.
    @discardableResult
    package func makeManifests() async -> Bool { await engine.makeManifests() }

    /// In every state, oldest first.
    package func packageReleases() async throws(StoreError) -> [PackageRelease] {
        try await engine.packageReleases()
    }

    /// Puts a package into the store: copies the file, checks the copy against all rules, and
    /// records it as uploaded. The copy is named by its SHA-256, so that the same package is stored
    /// once. Files that a killed process has left are removed by the next call.
    ///
    /// - Parameters:
    ///   - path: the path of the zip file.
    ///   - actor: the account that acts; nil for the operator of the store.
    /// - Throws: `packageInvalid` with the first broken rule; the errors of `PackageAction.host`;
    ///   errors of reading and writing files.
    package func hostPackage(
        at path: String, as actor: AccountName? = nil
    ) async throws(StoreError) -> HostedRelease {
        let folder = packagesFolder
        try PrivateFolder.make(folder)
        let lock: FileLock
        do throws(FileLock.Failure) {
            lock = try FileLock(path: folder + "/lock", mode: .wait(atMost: .seconds(10)))
        } catch { throw StoreError(error, path: folder + "/lock") }
        defer { lock.release() }
        try await removeUnused(in: folder)
        let incoming = folder + "/incoming"
        defer { unlink(incoming) }
        try Self.copy(path, to: incoming)
        let inspection: PackageInspection
        do throws(StoreError) { inspection = try .of(path: incoming) } catch {
            // The copy is one of the store's files, so the error is the store's.
            guard error.code == .fileUnreadable else { throw error }
            throw StoreError(.storeUnreadable, subject: incoming, cause: error.cause)
        }
        if let problem = inspection.problems.first { throw problem.error }
        guard let info = inspection.info else {
            throw PackageProblem(.contentInfo, found: "none").error
        }
        let contentID = try await contentID(of: info)
        let release = PackageRelease(
            productID: info.productID, contentID: contentID, version: info.version,
            sha256: inspection.sha256, length: inspection.packedLength,
            unpackedLength: inspection.unpackedLength, fileCount: inspection.files.count,
            manifestDigest: "")
        let action = OperatorAction.package(
            .host(
                release,
                manifest: ContentManifest(
                    contentID: contentID, version: info.version.text, files: inspection.files)))
        let console = engine.storeOperator(as: actor)
        if let refusal = try await console.refusal(of: action) { throw refusal }
        let place = PackageFiles(folder: folder).path(inspection.sha256)
        guard rename(incoming, place) == 0 else { throw StoreError(errno: errno, path: place) }
        try OpenFolder(path: folder).sync()
        try await engine.sharePackage(release)
        let events = try await console.perform(action)
        let recorded = try await engine.packageReleases().last {
            $0.isSamePackage(as: release) && $0.version == release.version
        }
        return HostedRelease(release: recorded ?? release, events: events)
    }

    /// The one that the package states, otherwise that of the product's only package.
    private func contentID(of info: ContentInfo) async throws(StoreError) -> String {
        if let contentID = info.contentID { return contentID }
        let catalog = try await engine.catalogInForce().catalog
        let product = catalog.offeredProducts(in: engine.identity.environment)
            .first { $0.id == info.productID }
        guard let product else {
            throw StoreError(
                .productUnavailable, productID: info.productID, reason: .content)
        }
        let packages = product.delivery.packages
        guard !packages.isEmpty else { return Self.firstContentID }
        guard packages.count == 1, let only = packages.first else {
            throw StoreError(
                .packageNotHostable, productID: info.productID, subject: "package",
                found: "a package that does not say which one it is",
                expected: packages.map(\.id).joined(separator: ", "))
        }
        return only.id
    }

    private static let firstContentID = "content"

    /// A process was killed before it recorded the release. The caller must hold the folder's lock.
    private func removeUnused(in folder: String) async throws(StoreError) {
        let releases = Set(try await engine.packageReleases().map(\.sha256))
        let used =
            releases.map { $0 + ".zip" }
            + ["lock", "manifests", PackageFiles.partialFolder]
        try await engine.unsharePackages(except: releases)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where !used.contains(name) { unlink(folder + "/" + name) }
    }

    /// The copy has mode 0600 and is durable.
    private static func copy(_ source: String, to place: String) throws(StoreError) {
        // O_NONBLOCK: without it, opening a named pipe would wait for its other end.
        let from = Glibc.open(source, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard from >= 0 else { throw StoreError(unreadable: source, errno: errno) }
        defer { close(from) }
        var status = stat()
        guard fstat(from, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw PackageProblem(.notAPackage, found: "no plain file").error
        }
        guard status.st_size <= PackageLimits.bytesMax else {
            throw PackageProblem(.tooLarge, found: "\(status.st_size) bytes").error
        }
        let file = Glibc.open(place, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw StoreError(errno: errno, path: place) }
        defer { close(file) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count = read(from, buffer.baseAddress, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw StoreError(unreadable: source, errno: errno) }
            if count == 0 { break }
            let part = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            if let code = writeAll(part, to: file) { throw StoreError(errno: code, path: place) }
        }
        guard fsync(file) == 0 else { throw StoreError(errno: errno, path: place) }
    }
}
