/// The features that the app unlocks on a device, by the verified purchases that the device has
/// recorded.
package struct ActiveUnlocks: Codable, Hashable, Sendable {
    /// A product that the account may use on this device.
    package struct Owned: Codable, Hashable, Sendable {
        package var productID: ProductID
        /// As in the signed transaction.
        package var type: ProductType
        package var transactionID: TransactionID
        /// In the store's time; nil without an end.
        package var until: Timestamp?

        package init(_ purchase: TransactionPayload, until: Timestamp?) {
            productID = purchase.productId
            type = purchase.type
            transactionID = purchase.transactionId
            self.until = until
        }
    }

    /// By `Product.unlocks`, each once, sorted.
    package var unlocks: [UnlockID]
    /// Sorted by product.
    package var products: [Owned]

    /// The earliest end of a product, after which this value must be computed again; nil if none
    /// ends.
    package var validUntil: Timestamp? { products.compactMap(\.until).min() }

    package init(unlocks: [UnlockID], products: [Owned]) {
        self.unlocks = unlocks
        self.products = products
    }
}

extension UnlockRecord {
    /// Without the record's dates and names.
    package var active: ActiveUnlocks { ActiveUnlocks(unlocks: unlocks, products: products) }
}

/// The record that tells other programs which features a device unlocks, as the device wrote it
/// last.
package struct UnlockRecord: Codable, Hashable, Sendable {
    /// Of the format: 1.
    package var version: Int
    package var bundleID: String
    package var environment: StoreEnvironment
    package var device: DeviceName
    /// The store's time at which the record was true. Never earlier than in a record that it
    /// replaces.
    package var asOf: Timestamp
    /// The store's time until which the record holds; nil if no product in it has an end.
    package var validUntil: Timestamp?
    /// Sorted.
    package var unlocks: [UnlockID]
    /// Sorted by product.
    package var products: [ActiveUnlocks.Owned]

    /// `validUntil` is the earliest end of a product.
    package init(
        identity: AppIdentity, device: DeviceName, asOf: Timestamp,
        _ active: ActiveUnlocks
    ) {
        version = 1
        bundleID = identity.bundleID
        environment = identity.environment
        self.device = device
        self.asOf = asOf
        validUntil = active.validUntil
        unlocks = active.unlocks
        products = active.products
    }

    private enum CodingKeys: String, CodingKey {
        case version, bundleID = "bundleId", environment, device, asOf, validUntil
        case unlocks, products
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(version, forKey: .version)
        try container.encode(bundleID, forKey: .bundleID)
        try container.encode(environment, forKey: .environment)
        try container.encode(device, forKey: .device)
        try container.encode(asOf, forKey: .asOf)
        // Written as null, so that a reader finds the field in every record.
        try container.encode(validUntil, forKey: .validUntil)
        try container.encode(unlocks, forKey: .unlocks)
        try container.encode(products, forKey: .products)
    }
}

extension ActiveUnlocks.Owned {
    private enum CodingKeys: String, CodingKey {
        case productID = "productId", type, transactionID = "transactionId", until
    }
}
