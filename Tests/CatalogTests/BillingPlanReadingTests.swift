import Foundation
import StoreCatalog
import StoreModel
import Testing

/// Billing plans in catalogs of both formats, and their export to Xcode's format.
struct BillingPlanReadingTests {
    private static func storekit(_ plans: String, period: String = "P1Y") throws -> CatalogReading {
        try CatalogFixture().read(
            storekit: StoreKitFixture.file(major: 5, minor: 0, hasKey: false)
                .replacing(
                    "\"billingPlans\" : [\n\n          ]", with: "\"billingPlans\" : \(plans)"
                )
                .replacing(
                    #""recurringSubscriptionPeriod" : "P1M""#,
                    with: "\"recurringSubscriptionPeriod\" : \"\(period)\""))
    }

    private static let both = """
        [{"billingPlanType" : "BILLED_UPFRONT", "commitmentDisplayPrice" : "4.99", \
        "displayPrice" : "4.99", "internalID" : "A", "isEnabled" : true}, \
        {"billingPlanType" : "MONTHLY", "commitmentDisplayPrice" : "6.00", \
        "displayPrice" : "0.5", "internalID" : "B", "isEnabled" : true}]
        """

    @Test("the plans of a file of version 5 are read without a warning, and written again [D1]")
    func roundTrip() throws {
        let reading = try Self.storekit(Self.both)
        #expect(reading.problems == [])
        let catalog = try #require(reading.catalog)
        let product = try #require(catalog.products.first { $0.subscription != nil })
        let usa = try #require(Storefront.find("USA"))
        let plans = product.billingPlans(in: usa, at: Timestamp(milliseconds: 0))
        #expect(plans.map(\.type) == [.upFront, .monthly])
        #expect(plans.first?.price == product.price(in: usa))
        #expect(plans.last?.price.milliunits == 500)
        #expect(plans.last?.commitment?.paymentCount == 12)
        #expect(plans.last?.commitment?.price.milliunits == 6_000)
    }

    @Test("a plan that is not enabled is kept and not offered")
    func disabled() throws {
        let reading = try Self.storekit(
            Self.both.replacing(#""B", "isEnabled" : true"#, with: #""B", "isEnabled" : false"#))
        let product = try #require(reading.catalog?.products.first { $0.subscription != nil })
        let usa = try #require(Storefront.find("USA"))
        let plans = product.billingPlans(in: usa, at: Timestamp(milliseconds: 0))
        #expect(plans.map(\.type) == [.upFront])
        #expect(product.subscription?.billingPlans?.count == 2)
    }

    static let defects: [(String, String, String)] = [
        (
            #"[{"billingPlanType" : "MONTHLY", "displayPrice" : "0.5"}]"#, "P1M",
            "a subscription of several months, such as P1Y"
        ),
        (
            #"[{"billingPlanType" : "MONTHLY"}]"#, "P1Y", "the price of one payment"
        ),
        (
            #"[{"billingPlanType" : "MONTHLY", "displayPrice" : "0.5"}, "#
                + #"{"billingPlanType" : "MONTHLY", "displayPrice" : "0.7"}]"#, "P1Y",
            "one plan of each type"
        ),
    ]

    @Test("a bad plan is left out with a warning", arguments: defects)
    func defect(plans: String, period: String, expected: String) throws {
        let reading = try Self.storekit(plans, period: period)
        #expect(reading.catalog != nil)
        let warning = try #require(reading.problems.first)
        #expect(warning.expected.hasPrefix(expected), "\(warning)")
    }

    @Test("our own files give the price of one monthly payment")
    func native() throws {
        let yearly = CatalogFixture.good.replacing(
            #""level": 2, "period": "P1M"}"#,
            with: #""level": 2, "period": "P1Y", "monthlyPayments": {"USA": "0.49"}}"#)
        let reading = try CatalogFixture().read(native: yearly)
        #expect(reading.problems == [])
        let product = try #require(reading.catalog?.products.first { $0.subscription != nil })
        #expect(product.subscription?.billingPlans?.map(\.type) == [.upFront, .monthly])
        let usa = try #require(Storefront.find("USA"))
        let monthly = product.billingPlans(in: usa, at: Timestamp(milliseconds: 0)).last
        #expect(monthly?.price.milliunits == 490 && monthly?.commitment?.price.milliunits == 5_880)
        let bad = try CatalogFixture().read(
            native: yearly.replacing(#""period": "P1Y", "m"#, with: #""period": "P1M", "m"#))
        #expect(bad.errors.map(\.path) == ["products[2].subscription.monthlyPayments"])
    }
}
