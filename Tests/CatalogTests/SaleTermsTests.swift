import Foundation
@testable import StoreCatalog
import StoreModel
import Testing

struct SaleTermsTests {
    private static func at(_ text: String) throws -> Timestamp {
        Timestamp(try Date(text, strategy: .iso8601))
    }

    /// A product's terms as JSON members, an instant, whether the product is for sale then, and its
    /// price in milliunits.
    struct Case: CustomTestStringConvertible, Sendable {
        var terms: String
        var now: String
        var environment = StoreEnvironment.sandbox
        var price: Int64 = 12_000
        var reason: String?
        var testDescription: String { "\(terms) at \(now) in \(environment)" }
    }

    private static let december =
        #""availability": {"from": "2026-12-01", "until": "2026-12-24T18:00:00+01:00"}"#
    private static let freeUntil =
        #""campaigns": [{"until": "2026-12-01", "prices": {"USA": "0"}}, "#
        + #"{"from": "2026-12-10", "until": "2026-12-11", "prices": {"USA": "6.00"}}]"#

    static let cases = [
        Case(terms: #""state": "approved""#, now: "2026-01-01T00:00:00Z"),
        Case(terms: december, now: "2026-11-30T23:59:59Z", reason: "availableFrom"),
        Case(terms: december, now: "2026-12-01T00:00:00Z"),
        Case(terms: december, now: "2026-12-24T16:59:59Z"),
        Case(terms: december, now: "2026-12-24T17:00:00Z", reason: "availableUntil"),
        Case(
            terms: #""availability": {"until": "2026-12-01"}"#, now: "2026-12-01T00:00:00Z",
            reason: "availableUntil"),
        Case(terms: #""availability": {"from": "2026-12-01"}"#, now: "2099-12-01T00:00:00Z"),
        Case(terms: freeUntil, now: "2026-11-30T23:59:59Z", price: 0),
        Case(terms: freeUntil, now: "2026-12-01T00:00:00Z"),
        Case(terms: freeUntil, now: "2026-12-10T12:00:00Z", price: 6_000),
        Case(terms: freeUntil, now: "2026-12-11T00:00:00Z"),
        Case(
            terms: #""state": "uploaded""#, now: "2026-01-01T00:00:00Z",
            reason: "publicationState"),
        Case(
            terms: #""state": "ready""#, now: "2026-01-01T00:00:00Z", reason: "publicationState"),
        Case(terms: #""state": "inTest""#, now: "2026-01-01T00:00:00Z"),
        Case(terms: #""state": "inTest""#, now: "2026-01-01T00:00:00Z", environment: .xcode),
        Case(
            terms: #""state": "inTest""#, now: "2026-01-01T00:00:00Z", environment: .production,
            reason: "publicationState"),
        Case(terms: #""state": "approved""#, now: "2026-01-01T00:00:00Z", environment: .production),
    ]

    private static func read(_ terms: String) throws -> CatalogReading {
        try CatalogFixture().read(
            native: CatalogFixture.good.replacing(
                #""prices": {"USA": "12"},"#, with: #""prices": {"USA": "12"}, \#(terms),"#))
    }

    @Test(
        "a product is for sale at the price of its dates, its state and the clock [B7, B8]",
        arguments: cases
    )
    func terms(_ example: Case) throws {
        let reading = try Self.read(example.terms)
        #expect(reading.problems.isEmpty, "\(reading.problems)")
        let catalog = try #require(reading.catalog)
        // The catalog in the form in which a store keeps it.
        let kept = try JSONDecoder().decode(Catalog.self, from: catalog.body())
        #expect(kept == catalog)
        let atlas = try #require(kept.products.last)
        let now = try Self.at(example.now)
        let reason = atlas.reasonNotForSale(at: now, in: example.environment)
        #expect(reason.flatMap { StoreError($0, productID: "atlas").subject } == example.reason)
        #expect(atlas.price(in: .usa, at: now)?.milliunits == example.price)

        let index = CatalogIndex(kept)
        var visit = CatalogIndex.Visit(now: now, environment: example.environment)
        let listed = index.products(nil, in: .usa, locale: "en", for: visit).products
        #expect(listed.contains { $0.id == "atlas" } == (example.reason == nil))
        let asked = index.products(["atlas"], in: .usa, locale: "en", for: visit)
        #expect(asked.invalid == (example.reason == nil ? [] : ["atlas"]))
        visit.held = ["atlas"]
        let owned = index.products(["atlas"], in: .usa, locale: "en", for: visit).products
        #expect(owned.map(\.id) == ["atlas"], "who has it may use it")
        #expect(owned.first?.price.milliunits == example.price)
    }

    @Test("the list tells when it changes next [B7]")
    func nextChange() throws {
        let index = CatalogIndex(try #require(try Self.read(Self.freeUntil).catalog))
        let dates = try [
            "2026-12-01T00:00:00Z", "2026-12-10T00:00:00Z", "2026-12-11T00:00:00Z",
        ].map(Self.at)
        #expect(index.nextChange(after: .earliest) == dates[0])
        #expect(index.nextChange(after: dates[0]) == dates[1])
        #expect(index.nextChange(after: dates[1]) == dates[2])
        #expect(index.nextChange(after: dates[2]) == nil)
    }

    /// Terms with a mistake, its place, and a part of the problem's expected value.
    static let defects = [
        (#""availability": {}"#, "availability", "`from`, `until` or both"),
        (
            #""availability": {"from": "2026-12-02", "until": "2026-12-01"}"#, "availability.until",
            "after `from`"
        ),
        (#""availability": {"from": "2026-02-30"}"#, "availability.from", "a day such as"),
        (
            #""availability": {"from": "2026-02-30T09:00:00Z"}"#, "availability.from",
            "a day such as"
        ),
        (#""availability": {"from": "1.12.2026"}"#, "availability.from", "a day such as"),
        (#""availability": {"from": "2026-12-01T09:00:00"}"#, "availability.from", "a day such as"),
        (#""availability": {"from": "2126-12-01"}"#, "availability.from", "from 2000 to 2100"),
        (#""campaigns": [{"until": "2026-12-01"}]"#, "campaigns[0].prices", "`prices`"),
        (#""campaigns": [{"prices": {"USA": "0"}}]"#, "campaigns[0]", "`from`, `until` or both"),
        (
            #""campaigns": [{"until": "2026-12-01", "prices": {"JPN": "0"}}]"#,
            "campaigns[0].prices", "in which the product is sold"
        ),
        (
            #""campaigns": [{"until": "2026-12-02", "prices": {"USA": "0"}}, "#
                + #"{"from": "2026-12-01", "prices": {"USA": "1"}}]"#,
            "campaigns[1]", "one campaign at a time"
        ),
        (#""state": "aproved""#, "state", "one of uploaded, ready, inTest, approved"),
    ]

    @Test("a mistake in a product's terms is an error with its place", arguments: defects)
    func defect(terms: String, place: String, expected: String) throws {
        let reading = try Self.read(terms)
        #expect(reading.catalog == nil)
        #expect(reading.errors.map(\.path) == ["products[4]." + place])
        #expect(reading.errors.first?.expected.contains(expected) == true)
    }

    @Test("the app's list decides what is asked for, and leaves out what is not sold [B9]")
    func productList() throws {
        let reading = try CatalogFixture().read(
            native: CatalogFixture.good.replacing(
                #""appAppleId""#,
                with: #""productList": ["season", "coins", "gone", "boko", "coins"], "appAppleId""#)
        )
        let catalog = try #require(reading.catalog)
        #expect(
            reading.problems.map(\.found) == [
                "a list without book and 2 more",
                "2 products that are not sold at 2 places, here first", "1 repeated product",
            ])
        let index = CatalogIndex(catalog)
        var visit = CatalogIndex.Visit(now: .earliest, environment: .sandbox)
        let answer = index.products(nil, in: .usa, locale: "en", for: visit)
        #expect(answer.products.map(\.id) == ["coins", "season"], "in the catalog's order")
        #expect(answer.invalid == ["gone", "boko"])
        visit.held = ["book"]
        #expect(
            index.products(nil, in: .usa, locale: "en", for: visit).products.map(\.id)
                == ["coins", "book", "season"], "what is owned stays usable")
        #expect(
            index.products(["monthly"], in: .usa, locale: "en", for: visit).products.count == 1,
            "the store sells what the app does not list")
    }
}
