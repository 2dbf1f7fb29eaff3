/// A version of a package of hosted content that was put into the store as a zip file. The store
/// keeps the file under its hash; the ledger keeps the hash and the manifest.
package struct PackageRelease: Codable, Hashable, Sendable {
    package var productID: ProductID
    /// Unique within the product.
    package var contentID: String
    /// Greater than the version of every earlier release of the package.
    package var version: ContentVersion
    /// Decides which devices are offered the release.
    package var state: PackageState
    /// SHA-256 of the zip file, lower-case hexadecimal: also its name in the store.
    package var sha256: String
    /// Bytes of the zip file, which devices download.
    package var length: Int64
    /// Bytes of all its files, unpacked.
    package var unpackedLength: Int64
    package var fileCount: Int
    /// SHA-256 of the manifest as the ledger keeps it; the key of its attachment.
    package var manifestDigest: String

    package init(
        productID: ProductID, contentID: String, version: ContentVersion,
        state: PackageState = .uploaded, sha256: String, length: Int64, unpackedLength: Int64,
        fileCount: Int, manifestDigest: String
    ) {
        self.productID = productID
        self.contentID = contentID
        self.version = version
        self.state = state
        self.sha256 = sha256
        self.length = length
        self.unpackedLength = unpackedLength
        self.fileCount = fileCount
        self.manifestDigest = manifestDigest
    }

    /// Package and version, such as `text 1.2`.
    package var name: String { "\(contentID) \(version.text)" }

    /// Whether the store offers this release to devices, unless it offers a greater version: an
    /// approved one in every environment, one in test in every environment but production.
    package func isOffered(in environment: StoreEnvironment) -> Bool {
        state == .approved || (state == .inTest && environment != .production)
    }

    package func isSamePackage(as other: PackageRelease) -> Bool {
        productID == other.productID && contentID == other.contentID
    }
}

/// The stages of a release's publication, in this order.
package enum PackageState: String, Codable, Hashable, Sendable, CaseIterable {
    case uploaded
    /// The files were checked against the rules of packages.
    case validated
    /// Complete, and ready for a review.
    case ready
    /// For testers: the store offers it to devices of every environment but production.
    case inTest
    /// To every device.
    case approved
}

/// An operator's change to the packages that the store hosts: a new release, or a new state of a
/// release.
package enum PackageAction: Codable, Hashable, Sendable {
    /// Adds a release whose zip file is in the store already; its state is `uploaded`. Refused with
    /// `productUnavailable` for a product that the catalog does not have, with `packageNotHostable`
    /// if product, package or version contradict the store's records, also for a product that was
    /// sold without hosted content (`soldWithoutHosting`), and with `contentUnavailable`
    /// if the file is not in the store.
    case host(PackageRelease, manifest: ContentManifest)
    /// Puts a release into another state. Refused with `contentUnavailable` if there is no such
    /// release, and with `packageNotHostable` if the change would leave a sold product without the
    /// content it was sold with (`lastPackage`).
    case setState(ProductID, contentID: String, version: ContentVersion, PackageState)

    package var productID: ProductID {
        switch self {
        case .host(let release, _): release.productID
        case .setState(let product, _, _, _): product
        }
    }

    /// Package and version, such as `text 1.2`.
    package var packageName: String {
        switch self {
        case .host(let release, _): release.name
        case .setState(_, let contentID, let version, _): "\(contentID) \(version.text)"
        }
    }

    package var state: PackageState {
        switch self {
        case .host(let release, _): release.state
        case .setState(_, _, _, let state): state
        }
    }
}
