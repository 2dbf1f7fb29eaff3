package import StoreModel

extension Catalog {
    /// A state that an operator has given a product.
    package struct Published: Codable, Hashable, Sendable {
        package var state: PublicationState
        /// At that time; nil if the file named none. The operator's state stays until the file's
        /// state changes.
        package var inFile: PublicationState?
    }

    /// - Returns: nil if the product is in this state already, or is not in the catalog.
    package func publishing(_ id: ProductID, as state: PublicationState) -> Catalog? {
        guard let index = products.firstIndex(where: { $0.id == id }),
            (products[index].state ?? .approved) != state
        else { return nil }
        var changed = self
        let inFile = published?[id].map(\.inFile) ?? products[index].state
        changed.products[index].state = state
        changed.published = (published ?? [:]).merging(
            [id: Published(state: state, inFile: inFile)], uniquingKeysWith: { _, new in new })
        return changed
    }

    /// For a catalog as read from a file: the operator's states of the catalog before, for the
    /// products whose state in the file has not changed since.
    package func keepingPublished(of before: Catalog) -> Catalog {
        guard let states = before.published else { return self }
        var changed = self
        for index in products.indices {
            let id = products[index].id
            guard let published = states[id], published.inFile == products[index].state else {
                continue
            }
            changed.products[index].state = published.state
            changed.published = (changed.published ?? [:]).merging(
                [id: published], uniquingKeysWith: { _, new in new })
        }
        return changed
    }
}
