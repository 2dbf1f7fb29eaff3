import StoreModel

/// Makes a `Product` for one account from a catalog's product.
struct ProductMaker {
    let storefront: Storefront
    let visit: CatalogIndex.Visit
    let preference: LanguagePreference
    let priceLocale: String
    let sectionName: (String) -> LocalizedText?
    let groupName: (SubscriptionGroupID) -> LocalizedText?
    let packageFacts: PackageFacts

    /// Nil if it is not sold in the storefront's territory, or is not for sale now and the account
    /// does not have it.
    func make(_ product: CatalogProduct) -> Product? {
        guard let price = product.price(in: storefront, at: visit.now) else { return nil }
        let reason = product.reasonNotForSale(at: visit.now, in: visit.environment)
        guard reason == nil || visit.held.contains(product.id) else { return nil }
        var made = Product(
            id: product.id, type: product.type, displayName: preference.text(of: product.name),
            price: price, priceLocale: priceLocale)
        made.section = product.sectionID.flatMap(sectionName).map(preference.text) ?? ""
        made.description = preference.text(of: product.description)
        made.isFamilyShareable = product.isFamilyShareable
        made.subscription = product.subscription.map { info($0, of: product) }
        made.nonRenewingPeriod = product.nonRenewingPeriod
        made.grant = product.grant
        made.delivery = delivery(of: product)
        made.unlocks = product.unlocks ?? []
        made.unlockedBy = product.unlockedBy
        made.embeddedContent = product.embedded.map { packages in
            zip(packages, contents(packages)).map { package, content in
                var content = content
                content.path = packageFacts.path(of: package)
                return content
            }
        }
        made.issues = issues(of: product)
        return made
    }

    /// Published by the time of the visit; nil for a product without issues.
    private func issues(of product: CatalogProduct) -> [PublishedIssue]? {
        let owned = visit.issues[product.id] ?? []
        return product.issues?.filter { $0.date <= visit.now }.map { issue in
            PublishedIssue(
                id: issue.id, title: preference.text(of: issue.title), date: issue.date,
                isOwned: owned.contains(issue.id))
        }
    }

    private func info(
        _ subscription: CatalogProduct.Subscription, of product: CatalogProduct
    ) -> SubscriptionInfo {
        let name = groupName(subscription.groupID).map(preference.text) ?? ""
        var info = SubscriptionInfo(
            groupID: subscription.groupID,
            groupName: name.isEmpty ? subscription.groupID.rawValue : name,
            level: subscription.level, period: subscription.period)
        info.offers = (subscription.offers ?? []).filter { $0.kind != .code }
            .compactMap { $0.offer(in: storefront) }
        info.isEligibleForIntroOffer =
            !visit.groupsWithoutIntroductory.contains(subscription.groupID)
        info.billingPlans = product.billingPlans(in: storefront, at: visit.now)
        return info
    }

    private func delivery(of product: CatalogProduct) -> Delivery {
        let issues = visit.issues[product.id] ?? []
        let readable = (product.issues ?? []).map(\.package).filter { issues.contains($0.id) }
        switch product.delivery {
        case .embedded where !readable.isEmpty:
            return .hosted(contents(readable))
        case .embedded: return .embedded
        case .ownServer(let url, let packages):
            return .ownServer(url: url, packages: packages.map(contents))
        case .hosted(let packages): return .hosted(contents(packages))
        }
    }

    private func contents(_ packages: [CatalogDelivery.Package]) -> [HostedContent] {
        packages.map { package in
            var content = HostedContent(
                id: package.id, version: package.version, length: packageFacts.length(of: package))
            content.sha256 = package.release?.sha256
            content.unpackedLength = package.release?.unpackedLength
            content.cost = package.cost
            content.manifestSha256 = packageFacts.manifestDigest(of: package)
            return content
        }
    }
}
