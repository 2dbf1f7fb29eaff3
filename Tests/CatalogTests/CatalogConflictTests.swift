import Foundation
@testable import StoreCatalog
import StoreModel
import Testing

/// The changes that a new catalog may or may not make to a product that was already sold.
@Suite struct CatalogConflictTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var name: String
        /// The text to replace in the good catalog, and its replacement.
        var right: String
        var wrong: String
        var sold: SoldProduct
        /// The path of the expected problem; nil if the change is allowed.
        var place: String?

        var testDescription: String { name }
    }

    private static let bookAsSold = SoldProduct(id: "book", type: .nonConsumable, isHosted: true)
    private static let hosting = """
        "delivery": {
                "kind": "hosted",
                "packages": [{"id": "text", "version": "1.0", "path": "book-1"}]
              }
        """
    private static let monthly = #""subscription": {"group": "club", "level": 2, "period": "P1M"}"#

    static let cases = [
        Case(
            name: "nothing changed", right: "", wrong: "", sold: bookAsSold),
        Case(
            name: "another name, price and description", right: #""en": "Book", "ja": "書籍""#,
            wrong: #""en": "Tome""#, sold: bookAsSold),
        Case(
            name: "a sold product that is gone", right: #""id": "book""#, wrong: #""id": "other""#,
            sold: bookAsSold),
        Case(
            name: "a non-consumable as a consumable", right: "", wrong: "",
            sold: SoldProduct(id: "coins", type: .nonConsumable), place: "products[0].type"),
        Case(
            name: "a subscription in another group", right: "", wrong: "",
            sold: SoldProduct(id: "monthly", type: .autoRenewable, groupID: "circle"),
            place: "products[2].subscription.group"),
        Case(
            name: "another level and period", right: monthly,
            wrong: #""subscription": {"group": "club", "level": 1, "period": "P1Y"}"#,
            sold: SoldProduct(id: "monthly", type: .autoRenewable, groupID: "club")),
        Case(
            name: "a book without its content", right: hosting,
            wrong: #""delivery": {"kind": "embedded"}"#, sold: bookAsSold,
            place: "products[1].delivery"),
        Case(
            name: "a book that says nothing of content", right: ",\n      \(hosting)", wrong: "",
            sold: bookAsSold, place: "products[1]"),
        Case(
            name: "content for what was sold without", right: "", wrong: "",
            sold: SoldProduct(id: "book", type: .nonConsumable, isHosted: false),
            place: "products[1].delivery"),
    ]

    @Test(
        "a catalog file is told the place of a change that a sold product may not have [B8]",
        arguments: cases)
    func aSoldProductKeepsWhatItIs(_ tried: Case) throws {
        let fixture = try CatalogFixture()
        let text =
            tried.right.isEmpty
            ? CatalogFixture.good : CatalogFixture.good.replacing(tried.right, with: tried.wrong)
        #expect(tried.right.isEmpty || text != CatalogFixture.good, "nothing was replaced")
        let reading = try fixture.read(native: text)
        let catalog = try #require(reading.catalog, "\(reading.problems)")
        let conflicts = catalog.conflicts(with: [tried.sold.id: tried.sold])
        let problems = CatalogReader.problems(of: conflicts, path: reading.path)
        #expect(problems.map(\.path) == (tried.place.map { [$0] } ?? []))
        for problem in problems {
            #expect(problem.severity == .error)
            #expect(problem.line != nil)
            #expect(problem.expected.contains("--store DIR"), "the way out is named")
        }
    }

    @Test("family sharing of a sold product stays on, and of an unsold one may be turned off [B8]")
    func familySharing() throws {
        let fixture = try CatalogFixture()
        let reading = try fixture.read(native: CatalogFixture.good)
        let off = try #require(reading.catalog)
        var on = off
        for index in on.products.indices where on.products[index].id == "monthly" {
            on.products[index].isFamilyShareable = true
        }
        let sold = SoldProduct(id: "monthly", type: .autoRenewable, groupID: "club")
        #expect(on.conflicts(with: ["monthly": sold], after: off).isEmpty)
        #expect(off.conflicts(with: [:], after: on).isEmpty)
        let conflicts = off.conflicts(with: ["monthly": sold], after: on)
        #expect(conflicts.map(\.field) == [.familySharing])
        let problem = CatalogReader.problems(of: conflicts, path: reading.path).first
        #expect(problem?.found == "monthly with family sharing off")
    }

    @Test("a conflict in a StoreKit configuration names its path and line")
    func placesInStoreKitFiles() throws {
        let fixture = try CatalogFixture()
        let reading = try fixture.read(storekit: StoreKitFixture.file(major: 5, minor: 0))
        let catalog = try #require(reading.catalog)
        let sold = Dictionary(
            uniqueKeysWithValues: catalog.products.map { product in
                let type: ProductType = product.type == .consumable ? .nonConsumable : .consumable
                return (product.id, SoldProduct(id: product.id, type: type))
            })
        let problems = CatalogReader.problems(
            of: catalog.conflicts(with: sold), path: reading.path)
        #expect(problems.count == catalog.products.count)
        #expect(problems.allSatisfy { $0.path.hasSuffix(".type") && $0.line != nil })
        #expect(Set(problems.map(\.path)).count == problems.count)
    }

    @Test("conflicts have no line when the catalog file is gone")
    func conflictsWithoutAFile() {
        let conflict = CatalogConflict(
            productID: "book", field: .hosting, found: "without hosted content",
            expected: "with hosted content")
        let problems = CatalogReader.problems(of: [conflict], path: "/nowhere/at/all.json")
        #expect(problems.map(\.line) == [nil])
        #expect(problems.first?.found == "book as without hosted content")
    }
}
