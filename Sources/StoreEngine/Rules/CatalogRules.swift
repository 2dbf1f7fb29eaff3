import Crypto
import Foundation
import StoreCatalog
import StoreModel

/// Decides which app owns the store, and which catalog is in force.
enum CatalogRules {
    /// The first app to open the store owns it. Refused (`storeOfAnotherApp`) for any other, naming
    /// the field that differs.
    static func open(_ identity: AppIdentity, in context: RuleContext) -> Verdict<Void> {
        if let owner = context.snapshot.identity {
            guard let field = difference(identity, owner) else { return .answer(()) }
            return .refuse(
                StoreError(
                    .storeOfAnotherApp, subject: field.name, found: field.found,
                    expected: field.expected))
        }
        let decision = Decision(
            reads: context.reads([.store]),
            entries: [context.storeEntry(.storeOpened(identity: identity))])
        return .record(decision) { _ in }
    }

    private static func difference(_ asked: AppIdentity, _ owner: AppIdentity)
        -> (name: String, found: String, expected: String)?
    {
        if asked.bundleID != owner.bundleID {
            return ("bundle id", owner.bundleID, asked.bundleID)
        }
        if asked.environment != owner.environment {
            return (
                "environment", owner.environment.rawValue, asked.environment.rawValue
            )
        }
        if asked.appAppleID != owner.appAppleID {
            return (
                "App Apple ID", owner.appAppleID.map(String.init) ?? "none",
                asked.appAppleID.map(String.init) ?? "none"
            )
        }
        return nil
    }

    /// A new catalog may change which products are for sale, but not the type, group or hosting of
    /// a product that was sold, and may not turn its family sharing off. One that does is refused (`soldProductChanged`), naming the first
    /// such product, and the catalog in force stays. The same digest again records nothing.
    ///
    /// The file's settings that are new with this catalog take effect with it
    /// (`CatalogSettingsRules`).
    static func revise(
        _ catalog: Catalog, digest: String, body: Data, source: Data?, in context: RuleContext
    ) -> Verdict<CatalogRevision> {
        if let current = context.snapshot.catalog, current.file == digest {
            return .answer(current)
        }
        // A state that an operator has set stays as long as the file says the same as before.
        let before = context.catalog.catalog
        let published =
            context.snapshot.catalog == nil
            ? catalog : catalog.keepingPublished(of: before).keepingReleases(of: before)
        if let conflict = published.conflicts(
            with: context.snapshot.soldProducts,
            after: context.snapshot.catalog == nil ? nil : before
        ).first {
            return .refuse(
                StoreError(
                    .soldProductChanged, productID: conflict.productID,
                    subject: conflict.field.rawValue, found: conflict.found,
                    expected: conflict.expected))
        }
        var revision = CatalogRevision(
            number: (context.snapshot.catalog?.number ?? 0) + 1, digest: digest,
            productCount: catalog.products.count, source: source.map(CatalogRevision.sourceKey))
        var body = body
        if published.published != nil || published.releases != nil {
            do throws(StoreError) { body = try self.body(of: published) } catch {
                return .refuse(error)
            }
            revision.changedFile = digest
            revision.digest = key(of: body)
        }
        let settings = CatalogSettingsRules.entries(
            for: catalog.settings, after: settingsBefore(in: context), in: context)
        var attachments = [revision.digest: body]
        if let key = revision.source { attachments[key] = source }
        let decision = Decision(
            reads: context.reads([.store] + settings.reads),
            unsoldProducts: changed(by: published, in: context),
            entries: [context.storeEntry(.catalogRevised(revision))]
                + renewals(by: catalog, in: context) + settings.entries,
            attachments: attachments)
        return .record(decision) { [revision] _ in revision }
    }

    /// Puts a product into another state on its way into the shop, by a revision of the catalog in
    /// force. Nil where it is in that state already; throws `productUnavailable` where the catalog
    /// does not have it.
    static func publish(
        _ product: ProductID, as state: PublicationState, in context: RuleContext
    ) throws(StoreError) -> Decision? {
        let catalog = context.catalog.catalog
        guard let current = context.snapshot.catalog, context.catalog.product(product) != nil else {
            throw StoreError(.productUnavailable, productID: product, subject: "operator")
        }
        guard let changed = catalog.publishing(product, as: state) else { return nil }
        return try revising(current, as: changed, in: context)
    }

    /// A revision of the catalog in force by an operator: the file's text stays.
    ///
    /// - Parameters:
    ///   - package: the release it is about, if it is about one.
    ///   - attachments: recorded with it.
    static func revising(
        _ current: CatalogRevision, as changed: Catalog, package: PackageRelease? = nil,
        attachments: [String: Data] = [:], unsoldProducts: Set<ProductID> = [],
        in context: RuleContext
    ) throws(StoreError) -> Decision {
        let body = try Self.body(of: changed)
        let revision = CatalogRevision(
            number: current.number + 1, digest: key(of: body),
            productCount: changed.products.count, source: current.source,
            changedFile: current.file, package: package)
        return Decision(
            reads: context.reads([.store]), unsoldProducts: unsoldProducts,
            entries: [context.storeEntry(.catalogRevised(revision))],
            attachments: attachments.merging([revision.digest: body]) { kept, _ in kept })
    }

    private static func body(of catalog: Catalog) throws(StoreError) -> Data {
        do { return try catalog.body() } catch {
            throw StoreError(.systemError, subject: "catalog", cause: String(describing: error))
        }
    }

    /// The key of a catalog that no file has: the SHA-256 of its body.
    private static func key(of body: Data) -> String {
        SHA256.hash(data: body).map { String(format: "%02x", $0) }.joined()
    }

    /// The settings of the catalog in force; nil before a store's first one.
    private static func settingsBefore(in context: RuleContext) -> CatalogSettings? {
        context.snapshot.catalog == nil ? nil : context.catalog.catalog.settings
    }

    /// An entry for the catalog's settings of renewals (rate, failing payments, grace period) that
    /// differ from the previous catalog. The others stay as the operator has set them since.
    private static func renewals(by catalog: Catalog, in context: RuleContext) -> [Entry] {
        let present = context.snapshot.renewals ?? .standard
        let before = context.snapshot.catalog == nil ? nil : context.catalog.catalog
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
        return settings == present ? [] : [context.storeEntry(.renewalsSet(settings))]
    }

    /// Products whose type, group, hosting or family sharing this catalog changes. That is allowed while none of
    /// them was sold, which must still hold when the decision is recorded
    /// (`Decision.unsoldProducts`).
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
