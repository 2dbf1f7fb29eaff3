package import StoreModel

extension Catalog {
    /// Oldest first.
    package func releases(of product: ProductID) -> [PackageRelease] {
        (releases ?? []).filter { $0.productID == product }
    }

    /// Replaces a release of the same package and version.
    package func setting(_ release: PackageRelease) -> Catalog {
        var changed = self
        var all = releases ?? []
        if let index = all.firstIndex(where: {
            $0.isSamePackage(as: release) && $0.version == release.version
        }) {
            all[index] = release
        } else {
            all.append(release)
        }
        changed.releases = all
        return changed
    }

    package func keepingReleases(of before: Catalog) -> Catalog {
        var changed = self
        changed.releases = before.releases
        return changed
    }

    /// The greatest version of each package, from the file or from a release. A product whose
    /// content is part of the app becomes a hosted product with its first release.
    package func offeredProducts(in environment: StoreEnvironment) -> [CatalogProduct] {
        let offered = (releases ?? []).filter { $0.isOffered(in: environment) }
        guard !offered.isEmpty else { return products }
        let byProduct = Dictionary(grouping: offered, by: \.productID)
        return products.map { product in
            guard let releases = byProduct[product.id] else { return product }
            var product = product
            product.delivery = product.delivery.offering(releases)
            return product
        }
    }
}

extension CatalogDelivery {
    /// The packages in the file's order, each older version replaced by its greater release;
    /// packages that the file does not have follow in order of their identifiers.
    fileprivate func offering(_ releases: [PackageRelease]) -> CatalogDelivery {
        var packages: [Package]
        var server: String?
        switch self {
        case .embedded: packages = []
        case .hosted(let inFile): packages = inFile
        case .ownServer(let url, let inFile): (server, packages) = (url, inFile ?? [])
        }
        let latest = Dictionary(grouping: releases, by: \.contentID)
            .compactMapValues { $0.max { $0.version < $1.version } }
        for (contentID, release) in latest.sorted(by: { $0.key < $1.key }) {
            let package = Package(
                id: contentID, version: release.version.text, path: "", release: release)
            guard let index = packages.firstIndex(where: { $0.id == contentID }) else {
                packages.append(package)
                continue
            }
            if ContentVersion.isNewer(release.version.text, than: packages[index].version) {
                packages[index] = package
            }
        }
        // The app's own server serves releases too: the store keeps them for it.
        return server.map { .ownServer(url: $0, packages: packages) } ?? .hosted(packages)
    }
}
