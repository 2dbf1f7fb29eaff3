import StoreCatalog
import StoreModel
import StoreSigning

/// Decides which packages of content the store hosts, and which of them it offers to devices. The
/// releases are part of the catalog in force, so each decision is a revision of that catalog.
enum PackageRules {
    /// Nil if nothing has to change.
    static func decide(
        _ action: PackageAction, in context: RuleContext
    ) throws(StoreError) -> Decision? {
        switch action {
        case .host(let release, let manifest): try host(release, manifest, in: context)
        case .setState(let product, let contentID, let version, let state):
            try setState(product, contentID, version, state, in: context)
        }
    }

    private static func host(
        _ asked: PackageRelease, _ manifest: ContentManifest, in context: RuleContext
    ) throws(StoreError) -> Decision? {
        let catalog = context.catalog.catalog
        guard let current = context.snapshot.catalog,
            let product = context.catalog.product(asked.productID)
        else {
            throw StoreError(
                .productUnavailable, productID: asked.productID, reason: .content)
        }
        let body = try ManifestDigest.bytes(of: manifest)
        let digest = try ManifestDigest.of(manifest)
        var release = asked
        release.state = .uploaded
        release.manifestDigest = digest
        let before = catalog.releases(of: release.productID).filter(release.isSamePackage)
        // The same package was hosted before; its state may have changed since.
        if before.contains(where: {
            $0.version == release.version && $0.sha256 == release.sha256
        }) {
            return nil
        }
        try check(product, hosts: release, catalog, in: context)
        let inFile = catalog.products.first { $0.id == release.productID }?.delivery
        try checkIsGreater(release, before, inFile: inFile)
        return try CatalogRules.revising(
            current, as: catalog.setting(release), package: release,
            attachments: [digest: body], unsoldProducts: [], in: context)
    }

    /// Refuses a release that the product cannot have: the product is not a non-consumable, the
    /// catalog's file gives it other packages, or it was sold without hosted content.
    private static func check(
        _ product: CatalogProduct, hosts release: PackageRelease, _ catalog: Catalog,
        in context: RuleContext
    ) throws(StoreError) {
        guard product.type == .nonConsumable else {
            throw notHostable(
                release, "type", found: product.type.rawValue,
                expected: ProductType.nonConsumable.rawValue)
        }
        let inFile = catalog.products.first { $0.id == release.productID }?.delivery
        if let packages = inFile?.packages, !packages.isEmpty,
            !packages.contains(where: { $0.id == release.contentID })
        {
            throw notHostable(
                release, "package", found: release.contentID,
                expected: packages.map(\.id).joined(separator: ", "))
        }
        if let sold = context.snapshot.soldProducts[release.productID], !sold.isHosted,
            !product.isOfOwnServer
        {
            throw StoreError(
                .packageNotHostable, productID: release.productID,
                reason: .soldWithoutHosting)
        }
    }

    private static func checkIsGreater(
        _ release: PackageRelease, _ before: [PackageRelease], inFile: CatalogDelivery?
    ) throws(StoreError) {
        var versions = before.map(\.version)
        versions += (inFile?.packages ?? []).filter { $0.id == release.contentID }
            .compactMap { ContentVersion($0.version) }
        guard let last = versions.max(), release.version <= last else { return }
        throw notHostable(
            release, "version", found: release.version.text, expected: "> " + last.text)
    }

    private static func notHostable(
        _ release: PackageRelease, _ subject: String, found: String, expected: String
    ) -> StoreError {
        StoreError(
            .packageNotHostable, productID: release.productID, subject: subject, found: found,
            expected: expected)
    }

    private static func setState(
        _ product: ProductID, _ contentID: String, _ version: ContentVersion,
        _ state: PackageState, in context: RuleContext
    ) throws(StoreError) -> Decision? {
        let catalog = context.catalog.catalog
        guard let current = context.snapshot.catalog,
            var release = catalog.releases(of: product).first(where: {
                $0.contentID == contentID && $0.version == version
            })
        else {
            throw StoreError(
                .contentUnavailable, productID: product, subject: "\(contentID) \(version.text)",
                found: "no such package", expected: "one that was hosted")
        }
        guard release.state != state else { return nil }
        release.state = state
        let changed = catalog.setting(release)
        if let conflict = conflict(changed, product, in: context) {
            if conflict.field == .hosting {
                throw StoreError(
                    .packageNotHostable, productID: product, reason: .lastPackage,
                    found: "\(contentID) \(version.text)")
            }
            throw StoreError(
                .soldProductChanged, productID: product, subject: conflict.field.rawValue,
                found: conflict.found, expected: conflict.expected)
        }
        return try CatalogRules.revising(
            current, as: changed, package: release,
            unsoldProducts: hosting(changed, product, in: context), in: context)
    }

    private static func conflict(
        _ catalog: Catalog, _ product: ProductID, in context: RuleContext
    ) -> CatalogConflict? {
        catalog.conflicts(with: context.snapshot.soldProducts)
            .first { $0.productID == product }
    }

    /// The product, if this catalog starts or ends its hosting. The decision then requires that the
    /// product has never been sold.
    private static func hosting(
        _ catalog: Catalog, _ product: ProductID, in context: RuleContext
    ) -> Set<ProductID> {
        let before = context.catalog.product(product)?.delivery.isHosted
        let after = catalog.offeredProducts(in: context.environment)
            .first { $0.id == product }?.delivery.isHosted
        return before == after ? [] : [product]
    }
}

extension CatalogProduct {
    /// Whether the app's own server delivers the product. Its sales are then not sales of hosted
    /// content.
    fileprivate var isOfOwnServer: Bool {
        if case .ownServer = delivery { true } else { false }
    }
}
