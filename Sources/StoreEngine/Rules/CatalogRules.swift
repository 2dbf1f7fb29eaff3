import Basics
import Crypto
import Foundation
import StoreCatalog
import StoreModel

/// Decides which app owns the store and which catalog is in force.
enum CatalogRules {
    /// The first app that opens the store owns it. Any other app is refused (`storeOfAnotherApp`);
    /// the error names the field that differs.
    static func open(
        _ identity: AppIdentity, in context: RuleContext
    ) throws(StoreError) -> Verdict<Void> {
        if let owner = context.snapshot.identity {
            guard let field = difference(identity, owner) else { return .answer(()) }
            throw StoreError(
                .storeOfAnotherApp, reason: field.name, found: field.found,
                expected: field.expected)
        }
        return .record(context.storeDecision(.storeOpened(identity: identity))) { _ in }
    }

    private static func difference(_ asked: AppIdentity, _ owner: AppIdentity)
        -> (name: StoreError.Reason, found: String, expected: String)?
    {
        if asked.bundleID != owner.bundleID {
            return (.bundleID, owner.bundleID, asked.bundleID)
        }
        if asked.environment != owner.environment {
            return (.environment, owner.environment.rawValue, asked.environment.rawValue)
        }
        if asked.appAppleID != owner.appAppleID {
            return (
                .appAppleID, owner.appAppleID.map(String.init) ?? "none",
                asked.appAppleID.map(String.init) ?? "none"
            )
        }
        return nil
    }

    /// Decides whether a new catalog comes into force. It may change which products are for sale.
    /// It may not change the type, group or hosting of a product that was sold, nor turn off that
    /// product's family sharing. A catalog that does is refused (`soldProductChanged`, with the
    /// first such product), and the catalog in force stays. A catalog with the same digest records
    /// nothing.
    ///
    /// Settings of the file that differ from the previous revision take effect with the catalog
    /// (`CatalogSettingsRules`).
    static func revise(
        _ catalog: Catalog, digest: String, body: Data, source: Data?, in context: RuleContext
    ) throws(StoreError) -> Verdict<CatalogRevision> {
        if let current = context.snapshot.catalog, current.file == digest {
            return .answer(current)
        }
        // A product's state that an operator has set stays until the file states another one than
        // before.
        let before = context.catalogInForce
        let published =
            before.map { catalog.keepingPublished(of: $0).keepingReleases(of: $0) } ?? catalog
        if let conflict = published.conflicts(
            with: context.snapshot.soldProducts, after: before
        ).first {
            throw StoreError(
                .soldProductChanged, productID: conflict.productID,
                subject: conflict.field.rawValue, found: conflict.found,
                expected: conflict.expected)
        }
        var revision = CatalogRevision(
            number: (context.snapshot.catalog?.number ?? 0).addingClamped(1), digest: digest,
            productCount: catalog.products.count, source: source.map(CatalogRevision.sourceKey))
        var body = body
        if published.published != nil || published.releases != nil {
            body = try published.body()
            revision.changedFile = digest
            revision.digest = key(of: body)
        }
        revision.takesOffSale = takesOffSale(published, in: context)
        let settings = CatalogSettingsRules.entries(
            for: catalog.settings, after: before?.settings, in: context)
        var attachments = [revision.digest: body]
        if let key = revision.source { attachments[key] = source }
        let decision = Decision(
            reads: context.reads([.store] + settings.reads),
            unsoldProducts: changed(by: published, in: context),
            entries: [context.entry(.catalogRevised(revision))]
                + renewals(by: catalog, in: context) + settings.entries,
            attachments: attachments)
        return .record(decision) { [revision] _ in revision }
    }

    /// Changes the state in which a product is offered, by a revision of the catalog in force. Nil
    /// if the product is in that state already. Throws `productUnavailable` if the catalog does not
    /// have it.
    static func publish(
        _ product: ProductID, as state: PublicationState, in context: RuleContext
    ) throws(StoreError) -> Decision? {
        let catalog = context.catalog.catalog
        guard let current = context.snapshot.catalog, context.catalog.product(product) != nil else {
            throw StoreError(.productUnavailable, productID: product, reason: .operator)
        }
        guard let changed = catalog.publishing(product, as: state) else { return nil }
        return try revising(current, as: changed, in: context)
    }

    /// See `OperatorAction.raisePrice`.
    static func raisePrice(
        of product: ProductID, percent: Int, keepsPrice: Bool, in context: RuleContext
    ) throws(StoreError) -> Decision {
        let plan = try SubscriptionRules.plan(product, in: context)
        guard (1...1_000).contains(percent), let current = context.snapshot.catalog else {
            throw StoreError(
                .invalidName, subject: "percent", found: percent, expected: "1 to 1000")
        }
        let changed = context.catalog.catalog.raisingPrice(
            of: plan.id, percent: percent, keepsPrice: keepsPrice)
        return try revising(current, as: changed, in: context)
    }

    /// A revision of the catalog in force by an operator; the recorded text of its file stays.
    ///
    /// - Parameters:
    ///   - package: the release that the revision adds or changes; nil if it concerns none.
    ///   - attachments: texts that are recorded with the revision.
    static func revising(
        _ current: CatalogRevision, as changed: Catalog, package: PackageRelease? = nil,
        attachments: [String: Data] = [:], unsoldProducts: Set<ProductID> = [],
        in context: RuleContext
    ) throws(StoreError) -> Decision {
        let body = try changed.body()
        var revision = CatalogRevision(
            number: current.number.addingClamped(1), digest: key(of: body),
            productCount: changed.products.count, source: current.source,
            changedFile: current.file, package: package)
        revision.takesOffSale = takesOffSale(changed, in: context)
        return Decision(
            reads: context.reads([.store]), unsoldProducts: unsoldProducts,
            entries: [context.entry(.catalogRevised(revision))],
            attachments: attachments.merging([revision.digest: body]) { kept, _ in kept })
    }

    /// True if a product that is for sale now is not with the changed catalog; otherwise nil.
    private static func takesOffSale(_ changed: Catalog, in context: RuleContext) -> Bool? {
        func forSale(_ catalog: Catalog) -> Set<ProductID> {
            let products = catalog.products.filter {
                $0.reasonNotForSale(at: context.now, in: context.environment) == nil
            }
            return Set(products.map(\.id))
        }
        guard let before = context.catalogInForce else { return nil }
        return forSale(before).isSubset(of: forSale(changed)) ? nil : true
    }

    /// The SHA-256 of the body of a catalog that was not read from a file.
    private static func key(of body: Data) -> String {
        HexText.of(SHA256.hash(data: body))
    }

    /// An entry for the catalog's renewal settings (rate, failing payments, grace period) that
    /// differ from the previous catalog. The others stay as an operator may have set them since.
    private static func renewals(by catalog: Catalog, in context: RuleContext) -> [Entry] {
        let present = context.snapshot.renewals ?? .standard
        let before = context.catalogInForce
        var settings = present
        if let rate = catalog.renewalRate, rate != before?.renewalRate { settings.rate = rate }
        if let fails = catalog.settings?.entersBillingRetry,
            fails != before?.settings?.entersBillingRetry
        {
            settings.failsBilling = fails
        }
        if let hasGrace = catalog.settings?.hasGracePeriod,
            hasGrace != before?.settings?.hasGracePeriod
        {
            settings.hasGracePeriod = hasGrace
        }
        return settings == present ? [] : [context.entry(.renewalsSet(settings))]
    }

    /// Products whose type, group, hosting or family sharing this catalog changes. That is allowed
    /// while none of them has been sold. The append checks this again (`Decision.unsoldProducts`).
    private static func changed(by catalog: Catalog, in context: RuleContext) -> Set<ProductID> {
        let before = catalog.products.compactMap { context.catalog.product($0.id) }.map {
            ($0.id, $0.asSold)
        }
        let conflicts = catalog.conflicts(
            with: Dictionary(before, uniquingKeysWith: { first, _ in first }),
            after: context.catalog.catalog)
        return Set(conflicts.map(\.productID))
    }
}
