/// A version of a package of hosted content that was put into the store as a zip file. The file lies
/// in the store by its hash; the ledger keeps the hash and the manifest.
package struct PackageRelease: Codable, Hashable, Sendable {
    /// The product that the content belongs to.
    package var productID: ProductID
    /// The package's identifier, unique within the product.
    package var contentID: String
    /// Greater than that of every release before.
    package var version: ContentVersion
    /// How far it has come on its way to devices.
    package var state: PackageState
    /// SHA-256 of the zip file, lower-case hexadecimal: also its name in the store.
    package var sha256: String
    /// Bytes of the zip file, which devices download.
    package var length: Int64
    /// Bytes of all its files, unpacked.
    package var unpackedLength: Int64
    /// Files of its content.
    package var fileCount: Int
    /// SHA-256 of the manifest as the ledger keeps it; the key of its attachment.
    package var manifestDigest: String

    /// Memberwise: the values are not checked.
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

    /// Whether devices are offered it, if no greater version is: approved everywhere, in test in
    /// every environment but production.
    package func isOffered(in environment: StoreEnvironment) -> Bool {
        state == .approved || (state == .inTest && environment != .production)
    }

    /// Whether it is another one's version of the same package.
    package func isSamePackage(as other: PackageRelease) -> Bool {
        productID == other.productID && contentID == other.contentID
    }
}

/// How far a release of a package has come on its way to devices, in this order.
package enum PackageState: String, Codable, Hashable, Sendable, CaseIterable {
    /// Its file is in the store.
    case uploaded
    /// Its files were checked against the rules of packages.
    case validated
    /// Complete, and ready for a review.
    case ready
    /// For testers: devices of every environment but production are offered it.
    case inTest
    /// Every device is offered it.
    case approved
}

/// An operator's change to the packages that the store hosts: a new release, or another state of
/// one.
package enum PackageAction: Codable, Hashable, Sendable {
    /// Puts a release into the store, whose file lies there already. It begins as uploaded. Refused
    /// with `productUnavailable` for a product that the catalog does not have, with
    /// `packageNotHostable` where product, package or version do not agree with what the store has,
    /// also for a product that was sold without hosted content (`StoreError.soldWithoutHosting`), and
    /// with `contentUnavailable` if the file is not in the store.
    case host(PackageRelease, manifest: ContentManifest)
    /// Puts a release into another state. Refused with `contentUnavailable` if there is none, and
    /// with `packageNotHostable` if that left a sold product without the content it was sold with
    /// (`StoreError.lastPackage`).
    case setState(ProductID, contentID: String, version: ContentVersion, PackageState)

    /// The product it is about.
    package var productID: ProductID {
        switch self {
        case .host(let release, _): release.productID
        case .setState(let product, _, _, _): product
        }
    }

    /// Package and version it is about, such as `text 1.2`.
    package var packageName: String {
        switch self {
        case .host(let release, _): release.name
        case .setState(_, let contentID, let version, _): "\(contentID) \(version.text)"
        }
    }

    /// The state that the release has afterwards.
    package var state: PackageState {
        switch self {
        case .host(let release, _): release.state
        case .setState(_, _, _, let state): state
        }
    }
}

extension StoreError {
    /// The `subject` of `packageNotHostable` for a product that was sold without hosted content.
    package static let soldWithoutHosting = "soldWithoutHosting"
    /// The `subject` of `packageNotHostable` for the only package that a sold product has; `found` is
    /// the package with its version.
    package static let lastPackage = "lastPackage"
}
