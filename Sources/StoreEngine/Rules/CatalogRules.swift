import Foundation
import StoreModel

/// Whose store it is, and what it sells from now on.
enum CatalogRules {
    static func open(_ identity: AppIdentity, in context: RuleContext) -> Verdict {
        if let owner = context.snapshot.identity {
            guard let field = difference(identity, owner) else { return .answer(.opened) }
            return .refuse(
                StoreError(
                    .storeOfAnotherApp, subject: field.name, found: field.found,
                    expected: field.expected))
        }
        return .record(
            Decision(
                reads: [.store: context.snapshot.version(.store)],
                entries: [
                    Entry(
                        account: nil, device: nil, effectiveAt: context.now,
                        fact: .storeOpened(identity: identity))
                ]))
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

    static func revise(
        digest: String, productCount: Int, body: Data, in context: RuleContext
    ) -> Verdict {
        if let current = context.snapshot.catalog, current.digest == digest {
            return .answer(.catalog(current))
        }
        let revision = CatalogRevision(
            number: (context.snapshot.catalog?.number ?? 0) + 1, digest: digest,
            productCount: productCount)
        return .record(
            Decision(
                reads: [.store: context.snapshot.version(.store)],
                entries: [
                    Entry(
                        account: nil, device: nil, effectiveAt: context.now,
                        fact: .catalogRevised(revision))
                ], attachments: [digest: body]))
    }
}
