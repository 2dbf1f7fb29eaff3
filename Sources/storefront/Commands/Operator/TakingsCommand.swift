import ArgumentParser
import Basics
import Foundation
import ShopText
import StoreCatalog
import StoreEngine
import StoreModel

struct TakingsCommand: OperatorCommand, ListCommand {
    static let configuration = CommandConfiguration(
        commandName: "takings",
        abstract: "What the store has taken in, by currency, product, day and territory.",
        discussion: """
            Sums are never added over currencies. A refund counts on its own day. Days are those of \
            your time zone: TZ=UTC storefront operator takings --by day. If the catalog names a \
            proceedsRate, PROCEEDS is that part of what was sold and not refunded, to the thousandth \
            of a unit. With --csv and without --by sums are divided by all three.

            EXAMPLES
              storefront operator takings
              storefront operator takings --by product --by territory
              storefront operator takings --csv > takings.csv
            """)

    @Option(
        help: ArgumentHelp(
            "Divided by product, day or territory; may be repeated.", valueName: "part"))
    var by: [String] = []

    @OptionGroup var values: CSVPart
    @OptionGroup var given: OperatorOptions

    struct Item {
        var part: Takings.Part
        /// Nil if the catalog names no rate.
        var proceeds: Money?
    }

    func validate() throws {
        for name in by { try UnknownWord.check("part", name, among: Takings.Division.self) }
    }

    private var divisions: Set<Takings.Division> {
        guard by.isEmpty else { return Set(by.compactMap { Takings.Division(rawValue: $0) }) }
        return options.csv ? Set(Takings.Division.allCases) : []
    }

    func items(in store: OpenStore) async throws -> [Item] {
        // The organizer of a family sees no takings.
        guard store.actor == nil else { return [] }
        let rate = try await store.engine.catalogInForce().catalog.proceedsRate
        return try await parts(in: store).map { part in
            Item(part: part, proceeds: rate.map { part.proceeds(at: $0) })
        }
    }

    func none(in store: OpenStore) -> String? {
        store.actor == nil ? Output.strings[.noTakings] : nil
    }

    /// Sums by currency alone are kept by the store; any others are counted from its history.
    private func parts(in store: OpenStore) async throws -> [Takings.Part] {
        guard !divisions.isEmpty else {
            return try await store.console.takings().map { Takings.Part(totals: $0) }
        }
        var takings = Takings(by: divisions, in: .current)
        var next: FeedCursor?
        repeat {
            let page = try await store.console.history(
                before: next, filter: Takings.filter, limit: 1_000)
            takings.add(page)
            next = page.next
        } while next != nil
        return takings.parts
    }

    func columns(of items: [Item], in store: OpenStore) async throws -> [Column<Item>] {
        let strings = Output.strings
        func money(_ title: ColumnText, _ amount: @escaping (Item) -> Money) -> Column<Item> {
            Column(title, isRight: true, field: { .amount(amount($0)) }) {
                strings.price(Price(money: amount($0), locale: store.locale))
            }
        }
        let names = try await ProductNames(items.compactMap(\.part.product), in: store)
        var columns: [Column<Item>] = []
        if divisions.contains(.day) { columns.append(Column(.columnDay) { $0.day ?? "" }) }
        if divisions.contains(.product) {
            columns += [
                Column(.columnProduct, mayBeCut: true) {
                    $0.part.product.map { names.item($0) } ?? ""
                },
                Column(.columnIdentifier) { $0.part.product?.rawValue ?? "" },
            ]
        }
        if divisions.contains(.territory) {
            columns.append(Column(.columnTerritory) { $0.part.territory ?? "" })
        }
        columns += [
            Column(.columnCurrency) { $0.part.totals.currency },
            money(.columnSold) { $0.part.totals.sold },
            Column(.columnSales, isRight: true, field: { .count($0.part.totals.sales) }) {
                String($0.part.totals.sales)
            },
            money(.columnRefunded) { $0.part.totals.refunded },
        ]
        if items.contains(where: { $0.proceeds != nil }) {
            columns.append(
                money(.columnProceeds) { $0.proceeds ?? $0.part.totals.nothing })
        }
        return columns
    }

    func line(_ item: Item) -> any Encodable {
        JSONFields(
            item.part.totals,
            [
                "day": item.day, "productId": item.part.product,
                "storefront": item.part.territory,
                "proceedsMilliunits": item.proceeds?.milliunits,
            ])
    }
}

extension TakingsCommand.Item {
    /// As "2026-12-21", in the person's time zone.
    fileprivate var day: String? {
        part.day.map { String(Output.strings.date($0).prefix("2026-12-21".count)) }
    }
}

extension SalesTotals {
    fileprivate var sold: Money { Money(milliunits: soldMilliunits, currency: currency) }
    fileprivate var refunded: Money { Money(milliunits: refundedMilliunits, currency: currency) }
    fileprivate var nothing: Money { Money(milliunits: 0, currency: currency) }
}
