import StoreModel

/// Reads the billing plans of a subscription (version 5). A plan with a defect is left out with a
/// warning, and its product is sold without it.
extension StoreKitFileReader {
    /// In the file's order; nil if there are none.
    mutating func readBillingPlans(
        _ members: JSONMembers<StoreKitKeys.Product>, of period: SubscriptionPeriod?
    ) -> [CatalogProduct.BillingPlan]? {
        guard let value = members[.billingPlans], value.kind != .null else { return nil }
        problems.consequence = "; the billing plan is left out"
        defer { problems.consequence = "" }
        var plans: [CatalogProduct.BillingPlan] = []
        for element in problems.elements(value) {
            guard let plan = readBillingPlan(element, of: period) else { continue }
            guard !plans.contains(where: { $0.type == plan.type }) else {
                problems.defect(
                    at: element, code: .repeated, found: "a second plan \(plan.type.rawValue)",
                    expected: "one plan of each type")
                continue
            }
            plans.append(plan)
        }
        return plans.isEmpty ? nil : plans
    }

    private mutating func readBillingPlan(
        _ value: JSONValue, of period: SubscriptionPeriod?
    ) -> CatalogProduct.BillingPlan? {
        let defectsBefore = problems.defectCount
        guard
            let members = problems.members(
                of: value, StoreKitKeys.BillingPlan.self, required: [.billingPlanType]),
            let type = problems.word(members[.billingPlanType], BillingPlanType.self)
        else { return nil }
        let price = readPlanPrice(members[.displayPrice])
        let whole = readPlanPrice(members[.commitmentDisplayPrice])
        if type == .monthly {
            if period?.monthlyPayments == nil {
                problems.defect(
                    at: value, code: .misplaced, found: "monthly payments",
                    expected: "a subscription of several months, such as P1Y")
            }
            if price == nil, problems.defectCount == defectsBefore {
                problems.defect(
                    at: value, missing: StoreKitKeys.BillingPlan.displayPrice.rawValue,
                    expected: "the price of one payment")
            }
        }
        guard problems.defectCount == defectsBefore else { return nil }
        return CatalogProduct.BillingPlan(
            type: type, prices: .everywhere(milliunits: price ?? 0),
            commitmentPrices: whole.map { .everywhere(milliunits: $0) },
            isEnabled: members[.isEnabled]?.boolean ?? true)
    }

    private mutating func readPlanPrice(_ value: JSONValue?) -> Int64? {
        guard let value, value.kind != .null, !(value.isText && value.text.isEmpty) else {
            return nil
        }
        return problems.price(value)
    }
}
