#if os(Linux)
import StoreDevice
import StoreModel
import Synchronization

extension Product {
    /// A product's place among those that the App Store shows for the app, and whether it does.
    /// The choice ends with the session: this store's shop shows every product, in catalog order.
    public struct PromotionInfo: Equatable, Sendable {
        /// Whether the App Store shows a product.
        @nonexhaustive public enum Visibility: Int, Equatable, Hashable, Sendable {
            /// As App Store Connect says.
            case appStoreConnectDefault
            /// The App Store shows the product.
            case visible
            /// The App Store hides the product.
            case hidden
        }

        /// The promoted product's identifier.
        public let productID: Product.ID
        /// Chosen for this device by `update()`.
        public var visibility: Visibility

        /// Chooses `visibility` for the product.
        public func update() async throws {
            try await Self.updateProductVisibility(visibility, for: productID)
        }

        /// The promotions chosen so far, in the chosen order; empty without a choice.
        public static var currentOrder: [PromotionInfo] {
            get async throws { try await session(selling: []).promotions.withLock { $0 } }
        }

        /// Chooses the order. Visibilities stay. Throws for a product that is not for sale.
        public static func updateProductOrder(byID order: some Collection<String>) async throws {
            let order = Array(order)
            try await session(selling: order).promotions.withLock { known in
                let chosen = known
                known = order.map { id in
                    chosen.first { $0.productID == id }
                        ?? PromotionInfo(productID: id, visibility: .appStoreConnectDefault)
                }
                known += chosen.filter {
                    !order.contains($0.productID) && $0.visibility != .appStoreConnectDefault
                }
            }
        }

        /// Chooses whether a product is shown, if it is for sale. Its place stays.
        public static func updateProductVisibility(
            _ visibility: Visibility, for productID: Product.ID
        ) async throws {
            try await session(selling: [productID]).promotions.withLock { known in
                let chosen = PromotionInfo(productID: productID, visibility: visibility)
                if let index = known.firstIndex(where: { $0.productID == productID }) {
                    known[index] = chosen
                } else {
                    known.append(chosen)
                }
            }
        }

        /// Chooses order and visibility of these products, if all are for sale, and no others'.
        public static func updateAll(_ promotions: some Collection<PromotionInfo>) async throws {
            let promotions = Array(promotions)
            try await session(selling: promotions.map(\.productID)).promotions.withLock {
                $0 = promotions
            }
        }

        private static func session(selling ids: [String]) async throws -> AppStoreSession {
            try await throwingStoreKit { session in
                guard !ids.isEmpty else { return session }
                let response = try await session.device.products(ids.map { ProductID($0) }).value
                guard response.invalidProductIDs.isEmpty else { throw StoreKitError.unknown }
                return session
            }
        }
    }
}
#endif
