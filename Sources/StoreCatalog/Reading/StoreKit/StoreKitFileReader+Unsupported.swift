import Basics
import StoreModel

/// Warnings for features of the file that this store does not have. Without them a check that
/// passes would look like support.
extension StoreKitFileReader {
    private typealias Key = StoreKitKeys.Settings

    /// Switches that change what the App Store does, each with what applies here instead.
    private static let switches: [(key: Key, instead: String)] = [
        (
            .askToBuyEnabled,
            "Ask to Buy is not taken from the file; switch it on with: storefront operator "
                + "ask-to-buy on"
        ),
        (
            .failTransactionsEnabled,
            "failures are not taken from the file; ask for one with: storefront operator fail-next"
        ),
        (.billingGracePeriodEnabled, "there is no grace period here yet"),
        (.billingIssuesEnabled, "there are no interrupted purchases here yet"),
        (.renewalBillingIssuesEnabled, "there is no billing retry here yet"),
        (.disableDialogs, "the shop always shows its own"),
    ]

    mutating func warnOfSettings(_ members: JSONMembers<StoreKitKeys.Settings>) {
        for (key, instead) in Self.switches {
            guard let value = members[key], value.boolean == true else { continue }
            problems.warn(at: value, expected: "false: \(instead)")
        }
        members[.storeKitErrors]?.forEachElement { element in
            guard element.member("enabled")?.boolean == true else { return }
            let name = element.member("name").map { $0.isText ? $0.text : "" } ?? ""
            problems.warn(
                at: element, found: "the failure \(UntrustedText.quote(name)), switched on",
                expected: "none switched on: failures are not taken from the file; ask for one "
                    + "with: storefront operator fail-next")
        }
    }

    /// The kinds of offers a product has; each gets a warning that it is not sold.
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
            problems.warn(
                at: value, found: "\(count) \(words)\(count == 1 ? "" : "s")",
                expected: "none: offers are not sold here yet, and the product is sold at its own "
                    + "price")
        }
        members[.billingPlans]?.forEachElement { plan in
            guard plan.member("isEnabled")?.boolean == true,
                let type = plan.member("billingPlanType"), type.isText, type.text == "MONTHLY"
            else { return }
            problems.warn(
                at: plan, found: "a billing plan by the month",
                expected: "none: the product is paid for up front here")
        }
        return kinds
    }
}
