import Basics
import StoreModel

/// Warnings for features of the file that this store does not have, one for each kind, where it is
/// met first. Without them a check that passes would look like support.
extension StoreKitFileReader {
    /// The kinds of offers a product has; each kind gets a warning that it is not sold.
    mutating func warnOfOffers(_ members: JSONMembers<StoreKitKeys.Product>) -> [OfferKind] {
        let lists: [(key: StoreKitKeys.Product, kind: OfferKind, words: String)] = [
            (.introductoryOffer, .introductory, "introductory offer"),
            (.introductoryOffers, .introductory, "introductory offer"),
            (.adHocOffers, .promotional, "promotional offer"),
            (.codeOffers, .code, "offer code"), (.winbackOffers, .winBack, "win-back offer"),
        ]
        var kinds: [OfferKind] = []
        for (key, kind, words) in lists {
            guard let value = members[key] else { continue }
            var count = value.kind == .object ? 1 : 0
            value.forEachElement { _ in count += 1 }
            // Version 5 writes the introductory offer under its old key too.
            guard count > 0, !kinds.contains(kind) else { continue }
            kinds.append(kind)
            problems.warnOnce(
                "offers \(kind)", at: value, count: count, noun: (words, words + "s"),
                expected: "none: offers are not sold here yet, and the product is sold at its own "
                    + "price; they are kept for export")
        }
        members[.billingPlans]?.forEachElement { plan in
            guard plan.member("isEnabled")?.boolean == true,
                let type = plan.member("billingPlanType"), type.isText, type.text == "MONTHLY"
            else { return }
            problems.warnOnce(
                "billing plan", at: plan,
                noun: ("billing plan by the month", "billing plans by the month"),
                expected: "none: the product is paid for up front here")
        }
        if let image = members[.promotionalImageID], image.isText, !image.text.isEmpty {
            problems.warnOnce(
                "image", at: image, noun: ("promotional image", "promotional images"),
                expected: "none: a terminal shows no images; it is kept for export")
        }
        return kinds
    }

    /// Parts of the file beside products and settings.
    mutating func warnOfRest(_ members: JSONMembers<StoreKitKeys.Root>) {
        if let policies = members[.appPolicies] {
            var hasText = policies.member("eula").map(hasText) ?? false
            policies.member("policies")?.forEachElement { policy in
                for key in ["policyText", "policyURL"] {
                    hasText = hasText || policy.member(key).map(self.hasText) ?? false
                }
            }
            if hasText {
                problems.warn(
                    at: policies, found: "the app's policies",
                    expected: "none: the shop does not show them yet; they are kept for export")
            }
        }
        if let pair = members[.subscriptionOffersKeyPair], pair.kind != .null {
            problems.warn(
                at: pair, found: "a private key for promotional offers",
                expected: "none: it is never read or stored, and an export leaves it out")
        }
    }

    private func hasText(_ value: JSONValue) -> Bool { value.isText && !value.text.isEmpty }

    /// Descriptions of a subscription group are not shown.
    mutating func warnOfGroupDescriptions(_ descriptions: [String: String], at value: JSONValue?) {
        guard let value, !descriptions.isEmpty else { return }
        problems.warnOnce(
            "group description", at: value, count: descriptions.count,
            noun: ("description of a subscription group", "descriptions of subscription groups"),
            expected: "none: the shop does not show them yet; they are kept for export")
    }
}
