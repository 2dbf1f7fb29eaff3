import Foundation
import StoreCatalog
import StoreSigning
package import StoreModel

extension StoreEngine {
    /// - Throws: `contentUnavailable`; errors of a database that has the package.
    func openPackage(
        _ location: HostedReads.Location
    ) async throws(StoreError) -> HostedPackage {
        guard let release = location.package.release else {
            return try HostedContentFolder(root: location.folder).open(location.package)
        }
        try await sharedPackages?.copy(release)
        return try files(of: release).open(release)
    }

    /// The manifest has no signature.
    ///
    /// - Throws: `contentUnavailable`, `storeUnreadable`.
    func packageAndManifest(
        at location: HostedReads.Location
    ) async throws(StoreError) -> (HostedPackage, ContentManifest) {
        guard let release = location.package.release else {
            return try await manifests.manifest(of: location)
        }
        return (try await openPackage(location), try await manifest(of: release))
    }

    /// Makes and keeps the manifests of the catalog's folders, one after the other. Product
    /// information then includes their digests. A long-lived process calls it in the background, as
    /// often as it likes: it goes through each revision of the catalog once, and makes no manifest
    /// that is already kept. A folder that cannot be read is skipped and tried again at the next
    /// call; a device that requests it gets the error. Ends early if its task is cancelled.
    ///
    /// - Returns: whether it went through the packages; false if this process has done so before,
    ///   or if there is no catalog folder.
    @discardableResult
    package func makeManifests() async -> Bool {
        guard packageFiles != nil,
            let revision = try? await ledger.snapshot(LedgerQuery()).catalog,
            await manifests.begin(revision.number),
            let catalog = try? await catalogs.catalog(revision).index.catalog,
            let folder = catalog.contentFolder
        else { return false }
        var isWhole = true
        for product in catalog.products {
            for package in product.delivery.packages where package.release == nil {
                let location = HostedReads.Location(folder: folder, package: package)
                let made = Task.isCancelled ? nil : try? await manifests.manifest(of: location)
                isWhole = isWhole && made != nil
            }
        }
        if !isWhole { await manifests.leave(revision.number) }
        return true
    }

    /// Begins to read a package in pieces, and signs its manifest.
    ///
    /// - Throws: `contentUnavailable`, `storeUnreadable`.
    func signedManifest(
        _ key: HostedReads.Key, in reads: HostedReads, at location: HostedReads.Location
    ) async throws(StoreError) -> ContentManifest {
        let (package, manifest) = try await packageAndManifest(at: location)
        reads.begin(key, package, at: location)
        return try payloads.signer.sign(
            manifest, of: key.product, identity: identity, at: clock.now())
    }

    /// - Parameter location: finds the package, and throws if the caller may not read it. Called
    ///   once for many pieces.
    /// - Throws: errors of `location`; `contentUnavailable`.
    func contentBytes(
        _ key: HostedReads.Key, in reads: HostedReads, path: String, offset: Int64, count: Int,
        location: () async throws(StoreError) -> HostedReads.Location
    ) async throws(StoreError) -> Data {
        let count = min(count, StoreLimits.contentChunkMax)
        let known = reads.package(key)
        if let bytes = try known?.bytes(path: path, offset: offset, count: count) { return bytes }
        let location = try await location()
        if known == nil, let package = reads.resume(key, at: location),
            let bytes = try package.bytes(path: path, offset: offset, count: count)
        {
            return bytes
        }
        // The package was not read before, is stored elsewhere now, or its files have changed.
        let package = try await openPackage(location)
        reads.begin(key, package, at: location)
        guard let bytes = try package.bytes(path: path, offset: offset, count: count) else {
            throw HostedContentFolder.noSuchFile(path)
        }
        return bytes
    }

    /// - Throws: `storeUnreadable` if the ledger does not have it.
    func manifest(of release: PackageRelease) async throws(StoreError) -> ContentManifest {
        guard let body = try await ledger.attachment(release.manifestDigest),
            var manifest = try? JSONDecoder().decode(ContentManifest.self, from: body)
        else {
            throw StoreError(
                .storeUnreadable, productID: release.productID, subject: "manifest",
                found: "none of \(release.contentID) \(release.version.text)")
        }
        manifest.archive = .init(length: release.length, sha256: release.sha256)
        return manifest
    }

    /// Where the zip file of a release lies.
    func files(of release: PackageRelease) throws(StoreError) -> PackageFiles {
        guard let packageFiles else {
            throw StoreError(
                .contentUnavailable, productID: release.productID, subject: release.contentID,
                found: "a store without a folder for packages")
        }
        return packageFiles
    }

    /// In every state, oldest first.
    package func packageReleases() async throws(StoreError) -> [PackageRelease] {
        try await catalogIndex().catalog.releases ?? []
    }
}
