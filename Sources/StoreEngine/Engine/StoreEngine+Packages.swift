import Foundation
import StoreCatalog
package import StoreModel

extension StoreEngine {
    /// The package at a location, for reading it in pieces.
    ///
    /// - Throws: `contentUnavailable`.
    func openPackage(_ location: HostedReads.Location) throws(StoreError) -> HostedPackage {
        guard let release = location.package.release else {
            return try HostedContentFolder(root: location.folder).open(location.package)
        }
        return try files(of: release).open(release)
    }

    /// The manifest of a release, as it was recorded with it.
    ///
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

    /// The packages that were put into the store as files, in every state, oldest first.
    package func packageReleases() async throws(StoreError) -> [PackageRelease] {
        let revision = try await ledger.snapshot(LedgerQuery()).catalog
        return try await catalogs.catalog(revision).index.catalog.releases ?? []
    }
}
