package import StoreModel

/// Where a catalog makes something else of a product that was sold.
package struct CatalogConflict: Hashable, Sendable {
    /// What a sold product keeps.
    package enum Field: String, Sendable {
        case type
        case group = "subscription group"
        case hosting
    }

    package var productID: ProductID
    package var field: Field
    /// What the catalog says now.
    package var found: String
    /// What it was sold as.
    package var expected: String

    package init(productID: ProductID, field: Field, found: String, expected: String) {
        self.productID = productID
        self.field = field
        self.found = found
        self.expected = expected
    }
}

extension Catalog {
    /// Every product of this catalog that was sold as something else, in the catalog's order. A sold
    /// product that is not for sale any more is no conflict, nor are other names, prices, levels or
    /// periods: sales copy what they need of those.
    ///
    /// - Parameter sold: what the store has ever sold, by product.
    package func conflicts(with sold: [ProductID: SoldProduct]) -> [CatalogConflict] {
        guard !sold.isEmpty else { return [] }
        return products.flatMap { product in
            sold[product.id].map { Self.conflicts(of: product, soldAs: $0) } ?? []
        }
    }

    private static func conflicts(
        of product: CatalogProduct, soldAs sold: SoldProduct
    ) -> [CatalogConflict] {
        // Of another type everything else differs as well; the type says it all.
        guard product.type == sold.type else {
            return [
                CatalogConflict(
                    productID: product.id, field: .type, found: product.type.rawValue,
                    expected: sold.type.rawValue)
            ]
        }
        var conflicts: [CatalogConflict] = []
        let group = product.subscription?.groupID
        if group != sold.groupID {
            conflicts.append(
                CatalogConflict(
                    productID: product.id, field: .group, found: group?.rawValue ?? "none",
                    expected: sold.groupID?.rawValue ?? "none"))
        }
        if let wasHosted = sold.isHosted, wasHosted != product.delivery.isHosted {
            let words = ["without hosted content", "with hosted content"]
            conflicts.append(
                CatalogConflict(
                    productID: product.id, field: .hosting, found: words[wasHosted ? 0 : 1],
                    expected: words[wasHosted ? 1 : 0]))
        }
        return conflicts
    }
}

extension CatalogProduct {
    /// What a sale of it makes of it for good.
    package var asSold: SoldProduct {
        SoldProduct(
            id: id, type: type, groupID: subscription?.groupID, isHosted: delivery.isHosted)
    }
}

extension CatalogDelivery {
    /// Whether the store hosts the content.
    package var isHosted: Bool {
        if case .hosted = self { true } else { false }
    }
}
