package import StoreModel

/// When, where and at which price a product is sold. All dates are the store's time; a window
/// begins at `from` and ends before `until`.
extension CatalogProduct {
    /// A time with a beginning, an end, or both; without both it includes every instant.
    package struct Window: Codable, Hashable, Sendable {
        package var from: Timestamp?
        package var until: Timestamp?

        package func contains(_ instant: Timestamp) -> Bool {
            from.map { $0 <= instant } ?? true && until.map { instant < $0 } ?? true
        }

        package func overlaps(_ other: Window) -> Bool {
            func begins(_ one: Window, before two: Window) -> Bool {
                guard let from = one.from, let until = two.until else { return true }
                return from < until
            }
            return begins(self, before: other) && begins(other, before: self)
        }

        var dates: [Timestamp] { [from, until].compactMap(\.self) }
    }

    /// Other prices for a time, such as a price of zero until a day. A customer who buys in that
    /// time pays them and keeps the product; later purchases and all later renewals cost the
    /// regular prices.
    package struct Campaign: Codable, Hashable, Sendable {
        package var window: Window
        /// By territory (ISO 3166-1 alpha-3), in milliunits. Other territories keep the regular
        /// price.
        package var prices: [String: Int64]
    }

    /// The reason why a product of the catalog is not for sale.
    package enum NotForSale: Hashable, Sendable {
        case notYet(Timestamp)
        case ended(Timestamp)
        case unpublished(PublicationState)
    }

    /// Nil while the product is for sale.
    package func reasonNotForSale(
        at now: Timestamp, in environment: StoreEnvironment
    ) -> NotForSale? {
        switch state ?? .approved {
        case .uploaded, .ready: return .unpublished(state ?? .approved)
        case .inTest where environment == .production: return .unpublished(.inTest)
        case .inTest, .approved: break
        }
        if let from = availability?.from, now < from { return .notYet(from) }
        if let until = availability?.until, now >= until { return .ended(until) }
        return nil
    }

    /// The campaign's price, else the regular price, of one. Nil if the product is not sold in the
    /// territory.
    package func price(in storefront: Storefront, at now: Timestamp) -> Money? {
        guard let regular = price(in: storefront) else { return nil }
        let campaign = campaigns?.first { $0.window.contains(now) }
        guard let milliunits = campaign?.prices[storefront.countryCode] else { return regular }
        return Money(milliunits: milliunits, currency: storefront.currency)
    }

    /// When the product's price changes, its sale begins or ends, or an issue is published.
    var changeDates: [Timestamp] {
        (availability?.dates ?? []) + (campaigns ?? []).flatMap(\.window.dates)
            + (issues ?? []).map(\.date)
    }
}

extension StoreError {
    /// `productUnavailable` with the reason; `found` is the date or the state.
    package init(
        _ reason: CatalogProduct.NotForSale, productID: ProductID, paymentID: PaymentID? = nil
    ) {
        let (reason, found): (Reason, any FigureValue) =
            switch reason {
            case .notYet(let date): (.availableFrom, date)
            case .ended(let date): (.availableUntil, date)
            case .unpublished(let state): (.publicationState, state.rawValue)
            }
        self.init(
            .productUnavailable, productID: productID, paymentID: paymentID, reason: reason,
            found: found)
    }
}
