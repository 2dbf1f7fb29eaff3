import ArgumentParser
import Basics
import Foundation
import ShopText
import StoreDevice
import StoreEngine
import StoreModel

struct Products: CommandWithOptions {
    static let configuration = CommandConfiguration(
        commandName: "products",
        abstract: "List what is for sale, and which identifiers are invalid.",
        discussion: """
            Without identifiers: everything the account's territory sells. Without a network \
            (storefront operator network) it is what the device was told last, and asOf says when. \
            Beside each of the first \(suggestionsMax) unknown identifiers stands the most similar \
            known one.

            --list asks for the products of the app's own list, a file or an http address: a JSON \
            array of identifiers, or of objects with productId, whose other fields --json shows as \
            list. --list twice compares two: < is only in the first, > only in the second, and ~ \
            has other fields; with --json the fields of each, as first and second. Without --list \
            it is the list of the app's backend (storefront device backend), if that has one.

            EXAMPLES
              storefront products
              storefront products lantern.theme.sepia no.such.thing
              storefront products --territory JP --locale ja_JP
              storefront products --list http://127.0.0.1:8090/list.json --json
              storefront products --list a.json --list b.json
              storefront products --json | jq -r '.products[].productId'
            """)

    @Argument(help: ArgumentHelp("Ask for these only.", valueName: "id"))
    var identifiers: [String] = []

    @Option(
        name: .customLong("list"),
        help: ArgumentHelp("The app's own list; two are compared.", valueName: "place"))
    var places: [String] = []

    @OptionGroup var given: CustomerOptions

    func validate() throws {
        guard places.isEmpty || (identifiers.isEmpty && places.count <= 2) else {
            throw ValidationError("Give identifiers, or --list once or twice.")
        }
    }

    func run() async throws {
        guard places.count < 2 else {
            return try await reporting(options) { try await compare() }
        }
        try await Self.list(identifiers, options, of: places.first)
    }

    private func compare() async throws {
        let a = try await AppProductList(at: places[0])
        let b = try await AppProductList(at: places[1])
        for id in Set(a.ids).union(b.ids).sorted() {
            let (first, second) = (a.fields[id], b.fields[id])
            guard first != second else { continue }
            try write(json: ["productId": id, "first": first, "second": second] as JSONFields) {
                let sign = first == nil ? ">" : second == nil ? "<" : "~"
                Output.line("\(sign) \(UntrustedText.clean(id.rawValue))")
            }
        }
    }

    /// Prints the products with these identifiers or of the app's own list, or all of them if none
    /// is given.
    static func list(
        _ identifiers: [String], _ options: GlobalOptions, of place: String? = nil
    ) async throws {
        try await reporting(options) {
            let store = try await options.open(orKnown: true)
            var list: AppProductList?
            if let place {
                list = try await AppProductList(at: place)
            } else if identifiers.isEmpty {
                list = await backendList(store, options)
            }
            let asked = identifiers.isEmpty ? nil : identifiers.map { ProductID($0) }
            var answer = try await store.products(list?.ids ?? asked)
            if let list { answer.value.arrange(by: list) }
            guard !options.json else { return try await write(answer, list) }
            store.noteAge(of: answer)
            try await show(answer.value, of: store)
        }
    }

    /// The list of the app's backend, with a note if it is not of now.
    private static func backendList(
        _ store: OpenStore, _ options: GlobalOptions
    ) async -> AppProductList? {
        guard let answer = await store.appList() else { return nil }
        if let failure = answer.failure {
            Output.note(Output.strings.message(for: failure).line)
        }
        if let list = answer.list, !list.isFresh {
            Output.note(.listOf(date: Output.strings.date(list.asOf)))
        }
        return answer.list?.value
    }

    /// Writes one object on one line, product by product: encoding all of them in one tree would
    /// take several times the memory of the catalog. Parts of a large catalog are encoded in
    /// parallel (`products --json, 100000 products` of `make bench`).
    private static func write(
        _ known: DeviceAnswer<ProductsResponse>, _ list: AppProductList?
    ) async throws {
        let answer = known.value
        let age = known.isFresh ? "" : "\"asOf\":\(known.asOf.milliseconds),"
        var line = Data("{\(age)\"invalidProductIds\":".utf8)
        line.append(try Output.encoder().encode(answer.invalidProductIDs))
        if let name = list?.name {
            line.append(contentsOf: ",\"list\":".utf8)
            line.append(try Output.encoder().encode(name))
        }
        line.append(contentsOf: ",\"products\":[".utf8)
        let products = answer.products
        let parts = try await withThrowingTaskGroup(of: (Int, Data).self) { group in
            for start in stride(from: 0, to: products.count, by: partSize) {
                let part = products[start..<min(start + partSize, products.count)]
                group.addTask { (start, try lines(part, list)) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for (start, part) in parts.sorted(by: { $0.0 < $1.0 }) {
            if start > 0 { line.append(UInt8(ascii: ",")) }
            line.append(part)
        }
        line.append(contentsOf: "]}\n".utf8)
        // Fields that only the app knows may have any text.
        Output.raw(list == nil ? line : Output.escaped(line))
    }

    private static let partSize = 4_000
    /// Unknown identifiers that are compared with all known ones, which takes a while each.
    private static let suggestionsMax = 20

    /// Products as JSON objects with commas between them.
    private static func lines(
        _ products: ArraySlice<Product>, _ list: AppProductList?
    ) throws -> Data {
        let encoder = Output.encoder()
        // Thousands of products share a few hundred prices, and formatting a price takes longer
        // than the rest of the line. The formatters keep each formatted price.
        let formatters = LocalizedFormatters()
        var lines = Data()
        for product in products {
            if !lines.isEmpty { lines.append(UInt8(ascii: ",")) }
            let line = ProductLine(product, formatters)
            lines.append(
                try list.map {
                    try encoder.encode(JSONFields(line, ["list": $0.fields[product.id]]))
                } ?? encoder.encode(line))
        }
        return lines
    }

    private static func show(_ answer: ProductsResponse, of store: OpenStore) async throws {
        let settings = try await store.accountSettings().value
        let owned: Set<ProductID>
        do throws(StoreError) {
            owned = try await Set(store.entitlements().value.map(\.productID))
        } catch {
            // The command lists the products, but cannot know which of them the account owns.
            guard error.code == .storeNewer else { throw error }
            Output.note(Output.strings.message(for: error).line)
            owned = []
        }
        let pending = try await store.waitingProducts()
        Output.line(ShopHeading.text(store, settings))
        if let others = answer.soldIn, let first = others.first {
            Output.note(Output.strings.soldElsewhere(than: settings.territory, in: others))
            Output.note(Output.strings[.lookAtTerritory(code: first)])
            Output.note(Output.strings[ListText.moveToTerritory(code: first)])
        }
        let table = ProductTable(answer.products, owned: owned, pending: pending)
        for line in table.lines { Output.line(line) }
        if !settings.canMakePayments {
            Output.line("")
            Output.line(.paymentsOffFor(account: store.account.rawValue))
        }
        let strings = Output.strings
        for (number, id) in answer.invalidProductIDs.enumerated() {
            let refusal = number < suggestionsMax ? (try? await store.refusal(of: id)) : nil
            let nearest = refusal?.expected.map {
                strings.language.sentenceGap + strings[DocumentLineText.didYouMean($0.text)]
            }
            Output.note(strings[PurchaseLineText.productInvalid(id.rawValue)] + (nearest ?? ""))
        }
    }
}
