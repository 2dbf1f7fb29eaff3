/// The properties of a sold product that no later catalog may change, because ownership,
/// subscription chains and downloads depend on them: a catalog that changes one is refused with
/// `soldProductChanged`.
package struct SoldProduct: Codable, Hashable, Sendable {
    package var id: ProductID
    package var type: ProductType
    /// At the sale; nil for products without a group.
    package var groupID: SubscriptionGroupID?
    /// At the sale.
    package var isHosted: Bool

    package init(
        id: ProductID, type: ProductType, groupID: SubscriptionGroupID? = nil,
        isHosted: Bool = false
    ) {
        self.id = id
        self.type = type
        self.groupID = groupID
        self.isHosted = isHosted
    }
}
