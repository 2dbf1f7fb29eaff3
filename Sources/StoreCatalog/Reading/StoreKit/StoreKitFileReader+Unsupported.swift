/// Warnings of features of the file that this store does not have, one for each kind, at its first
/// place. Without them a person would take a check that passes for support.
extension StoreKitFileReader {
    /// Parts of a product that the store does not use.
    mutating func warnOfRest(of members: JSONMembers<StoreKitKeys.Product>) {
        if let image = members[.promotionalImageID], image.isText, !image.text.isEmpty {
            problems.warnOnce(
                "image", at: image, code: .unsupported,
                noun: ("promotional image", "promotional images"),
                expected: "none: a terminal shows no images; it is kept for export")
        }
    }

    /// Parts of the file, beside products and settings, that the store does not use.
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
                    at: policies, code: .unsupported, found: "the app's policies",
                    expected: "none: the shop does not show them yet; they are kept for export")
            }
        }
        warnOfGroups(
            members[.subscriptionBundleGroups], of: "bundles of subscriptions",
            ("group of subscription bundles", "groups of subscription bundles"))
        warnOfGroups(
            members[.subscriptionSuiteGroups], of: "suites of subscriptions",
            ("group of subscription suites", "groups of subscription suites"))
        if let pair = members[.subscriptionOffersKeyPair], pair.kind != .null,
            OfferKeyPair(pair) == nil
        {
            problems.warn(
                at: pair, found: "no key pair that signs promotional offers",
                expected: "`id`, and `privateKey` with a P-256 key (PKCS #8) in Base64; the store "
                    + "makes a key of its own when it needs one")
        }
    }

    private mutating func warnOfGroups(
        _ value: JSONValue?, of plans: String, _ noun: (one: String, many: String)
    ) {
        guard let value, !optionalList(value, of: noun.many).isEmpty else { return }
        problems.warnOnce(
            noun.one, at: value, code: .unsupported, count: value.elements.count, noun: noun,
            expected: "none: \(plans) are not sold here; they are kept for export")
    }

    private func hasText(_ value: JSONValue) -> Bool { value.isText && !value.text.isEmpty }

    /// The shop does not show them.
    mutating func warnOfGroupDescriptions(_ descriptions: [String: String], at value: JSONValue?) {
        guard let value, !descriptions.isEmpty else { return }
        problems.warnOnce(
            "group description", at: value, code: .unsupported, count: descriptions.count,
            noun: ("description of a subscription group", "descriptions of subscription groups"),
            expected: "none: the shop does not show them yet; they are kept for export")
    }
}
