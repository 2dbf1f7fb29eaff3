package import StoreModel

/// A field in which a catalog differs from a product that was sold.
package struct CatalogConflict: Hashable, Sendable {
    /// The properties that must not change after a sale. The raw value is the `subject` of
    /// `soldProductChanged`.
    package enum Field: String, Sendable {
        case type
        case group = "subscription group"
        case hosting
        case familySharing = "family sharing"
    }

    package var productID: ProductID
    package var field: Field
    /// In the catalog.
    package var found: String
    /// At the sale.
    package var expected: String
}

extension Catalog {
    /// In the catalog's order. Missing sold products are no conflict, nor are other names, prices,
    /// levels or periods, because sales keep their own copies of these. Family sharing that is on
    /// must stay on, as in App Store Connect: families use it already. `sold` is every product that
    /// the store has ever sold.
    package func conflicts(
        with sold: [ProductID: SoldProduct], after before: Catalog? = nil
    ) -> [CatalogConflict] {
        guard !sold.isEmpty else { return [] }
        let shared = Set((before?.products ?? []).filter(\.isFamilyShareable).map(\.id))
        return offeredProducts(in: .sandbox).flatMap { product in
            guard let soldAs = sold[product.id] else { return [CatalogConflict]() }
            let conflicts = Self.conflicts(of: product, soldAs: soldAs)
            guard shared.contains(product.id), !product.isFamilyShareable,
                !conflicts.contains(where: { $0.field == .type })
            else { return conflicts }
            return conflicts + [
                CatalogConflict(
                    productID: product.id, field: .familySharing, found: "off", expected: "on")
            ]
        }
    }

    private static func conflicts(
        of product: CatalogProduct, soldAs sold: SoldProduct
    ) -> [CatalogConflict] {
        // Another type changes the other properties too, so only the type is reported.
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
        if sold.isHosted != product.delivery.isHosted {
            let words = ["without hosted content", "with hosted content"]
            conflicts.append(
                CatalogConflict(
                    productID: product.id, field: .hosting, found: words[sold.isHosted ? 0 : 1],
                    expected: words[sold.isHosted ? 1 : 0]))
        }
        return conflicts
    }
}

extension CatalogProduct {
    /// Whether it lasts and its purchase opens nothing that the catalog names. An own server's
    /// content may be known to the app alone.
    var opensNothing: Bool {
        type != .consumable && delivery == .embedded && (unlocks ?? []).isEmpty && embedded == nil
            && issues == nil
    }

    /// What must not change after a sale.
    package var asSold: SoldProduct {
        SoldProduct(
            id: id, type: type, groupID: subscription?.groupID, isHosted: delivery.isHosted)
    }
}

extension CatalogDelivery {
    package var isHosted: Bool {
        if case .hosted = self { true } else { false }
    }

    /// From the store or from the app's own server.
    package var packages: [Package] {
        switch self {
        case .embedded: []
        case .hosted(let packages): packages
        case .ownServer(_, let packages): packages ?? []
        }
    }
}
