/// What a product was when it was sold. A later catalog may change what is for sale, never this:
/// ownership, subscription chains and downloads rest on it.
package struct SoldProduct: Codable, Hashable, Sendable {
    package var id: ProductID
    package var type: ProductType
    package var groupID: SubscriptionGroupID?
    /// Whether the store hosts its content; nil where the sale did not record it.
    package var isHosted: Bool?

    package init(
        id: ProductID, type: ProductType, groupID: SubscriptionGroupID? = nil,
        isHosted: Bool? = nil
    ) {
        self.id = id
        self.type = type
        self.groupID = groupID
        self.isHosted = isHosted
    }
}
