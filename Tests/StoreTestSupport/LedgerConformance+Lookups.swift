import StoreEngine
import StoreModel
import Testing

extension LedgerConformance {
    static let lookups = [
        Check("an empty ledger knows nothing") { handles in
            let found = try await handles.ledger.query { query in
                query.accounts = ["aoi"]
                query.transactions = [.init(account: "aoi", id: TransactionID(1))]
                query.pending = [TransactionID(1)]
                query.payments = [Payment.of(SampleCatalog.coins).id]
            }
            #expect(found.identity == nil)
            #expect(found.catalog == nil)
            #expect(found.recordedUntil == nil)
            #expect(found.accounts.isEmpty && found.payments.isEmpty && found.pending.isEmpty)
            #expect(found.transactions.isEmpty && found.faults.isEmpty)
            #expect(found.version(.account("aoi")) == 0)
        },
        Check("a snapshot finds what it asks for, and nothing else") { handles in
            let payment = Payment.of(SampleCatalog.theme)
            let recorded = try await handles.ledger.record(
                Sample.settings("aoi"),
                Sample.sold(SampleCatalog.theme, .nonConsumable, payment: payment),
                Sample.sold(to: "kai"))
            let id = try #require(recorded[1].number)
            let key = LedgerQuery.Owned(account: "aoi", product: SampleCatalog.theme)
            let others = LedgerQuery.Owned(account: "kai", product: SampleCatalog.theme)
            let found = try await handles.other.query { query in
                query.accounts = ["aoi", "noor"]
                query.payments = [payment.id]
                query.transactions = [.init(account: "aoi", id: id)]
                query.finishing = [
                    .init(account: "aoi", id: id), .init(account: "noor", id: id),
                ]
                query.owned = [key, others]
            }
            #expect(found.accounts.keys.sorted() == ["aoi"])
            #expect(found.transactions[id]?.sale.payment == payment)
            #expect(found.unfinished[id]?.device == "phone")
            #expect(found.soldTypes == [.init(account: "aoi", id: id): .nonConsumable])
            #expect(found.payments[payment.id]?.payment == payment)
            #expect(found.owned[key]?.id == id)
            #expect(found.owned[others] == nil)
            #expect(found.version(.account("aoi")) == 2)
            #expect(found.version(.account("noor")) == 0)
        },
        Check("all accounts that have settings are found with their versions, where asked for") {
            handles in
            try await handles.ledger.record(
                Sample.settings("aoi"), Sample.sold(to: "noor"), Sample.settings("kai"))
            let found = try await handles.other.query { $0.wantsAllAccounts = true }
            #expect(found.accounts.keys.sorted() == ["aoi", "kai"])
            #expect(found.version(.account("aoi")) == 1)
            #expect(found.version(.account("kai")) == 3)
            let both = try await handles.other.query { query in
                query.wantsAllAccounts = true
                query.accounts = ["noor"]
            }
            #expect(both.accounts == found.accounts)
            #expect(both.version(.account("noor")) == 2)
            #expect(try await handles.other.query().accounts.isEmpty, "only where asked for")
        },
        Check("a sold product is known as it was first recorded, whoever bought it") {
            handles in
            try await handles.ledger.record(
                Sample.sold(), Sample.sold(to: "kai"),
                Sample.sold(SampleCatalog.book, .nonConsumable, isHosted: true),
                Sample.sold(SampleCatalog.book, .nonConsumable, to: "kai", isHosted: false),
                Sample.sold(SampleCatalog.monthly, .autoRenewable, group: SampleCatalog.group))
            let found = try await handles.other.query { $0.wantsSoldProducts = true }
            #expect(
                found.soldProducts == [
                    SampleCatalog.coins: SoldProduct(id: SampleCatalog.coins, type: .consumable),
                    SampleCatalog.book: SoldProduct(
                        id: SampleCatalog.book, type: .nonConsumable, isHosted: true),
                    SampleCatalog.monthly: SoldProduct(
                        id: SampleCatalog.monthly, type: .autoRenewable,
                        groupID: SampleCatalog.group),
                ])
            #expect(try await handles.other.query().soldProducts.isEmpty, "only where asked for")
        },
        Check("a decision that needs a product to be unsold conflicts with its sale") {
            handles in
            let before = try await handles.ledger.query()
            try await handles.other.record(Sample.sold())
            let results = try await handles.ledger.append(
                [SampleCatalog.coins, SampleCatalog.theme].map { product in
                    Decision(
                        reads: [.store: before.version(.store)], unsoldProducts: [product],
                        entries: [Sample.entry(.faultsCleared([]), of: nil, on: nil)])
                }, at: Sample.now)
            guard case .conflict = results[0], case .recorded = results[1] else {
                Issue.record("\(results)")
                return
            }
        },
        Check("a consumable is never owned") { handles in
            try await handles.ledger.record(Sample.sold())
            let key = LedgerQuery.Owned(account: "aoi", product: SampleCatalog.coins)
            #expect(try await handles.ledger.query { $0.owned = [key] }.owned.isEmpty)
        },
        Check("the latest of a group is the one sold last, whatever its number") { handles in
            // A request gets its number when it is made, and is sold when it is approved.
            let asked = Payment.of(SampleCatalog.monthly)
            let request = try await handles.ledger.record(
                Sample.entry(.deferred(asked, .askToBuy), number: .next))
            try await handles.ledger.record(
                Sample.sold(SampleCatalog.monthly, .autoRenewable, group: SampleCatalog.group))
            let number = try #require(request[0].number)
            try await handles.ledger.record(
                Sample.sold(
                    SampleCatalog.monthly, .autoRenewable, payment: asked,
                    group: SampleCatalog.group, number: .existing(number)))
            let key = LedgerQuery.Subscribed(account: "aoi", group: SampleCatalog.group)
            let found = try await handles.ledger.query { $0.subscribed = [key] }
            #expect(found.subscribed[key]?.id == number)
            #expect(try await handles.ledger.entitling(of: "aoi").map(\.id) == [number])
        },
        Check("finishing ends a sale's unfinished state, and claiming moves it to another device") {
            handles in
            let recorded = try await handles.ledger.record(
                Sample.sold(), Sample.sold(to: "kai"), Sample.sold(), Sample.sold())
            let ids = recorded.compactMap(\.number)
            try await handles.ledger.record(
                Sample.entry(.finished, number: .existing(ids[2])),
                Sample.entry(.claimed(by: "tablet"), on: "tablet", number: .existing(ids[3])))
            let waiting = try await handles.other.unfinished(of: "aoi")
            #expect(waiting.map(\.0.id) == [ids[0], ids[3]])
            #expect(waiting.map(\.0.device) == ["phone", "tablet"])
            #expect(waiting.map(\.1.id) == [ids[0], ids[3]])
            #expect(waiting.map(\.1.device) == ["phone", "phone"])
        },
        Check("a payment that joins a request gets its outcome, sold or not") { handles in
            let (theme, monthly) = (SampleCatalog.theme, SampleCatalog.monthly)
            let first = [Payment.of(theme), Payment.of(monthly)]
            let second = [Payment.of(theme), Payment.of(monthly)]
            var numbers: [TransactionID] = []
            for (asked, joining) in zip(first, second) {
                let recorded = try await handles.ledger.record(
                    Sample.entry(.deferred(asked, .authentication), number: .next))
                let number = try #require(recorded.first?.number)
                numbers.append(number)
                try await handles.ledger.record(
                    Sample.entry(
                        .deferred(joining, .authentication), on: "tablet",
                        number: .existing(number)))
            }
            let ids = Set(second.map(\.id))
            let waiting = try await handles.other.query { query in
                query.payments = ids
                query.waiting = ["aoi"]
            }
            #expect(waiting.waiting["aoi"]?.map(\.payment) == first, "one row for each request")
            for (payment, number) in zip(second, numbers) {
                #expect(
                    waiting.payments[payment.id]?.state
                        == .deferred(request: number, reason: .authentication))
            }
            let declined = StoreError(.paymentDeclined)
            try await handles.ledger.record(
                Sample.sold(
                    theme, .nonConsumable, payment: first[0], number: .existing(numbers[0])),
                Sample.entry(.failed(first[1], declined), number: .existing(numbers[1])))
            let found = try await handles.other.query { $0.payments = ids }
            guard case .sold(let row) = found.payments[second[0].id]?.state else {
                Issue.record("\(found.payments)")
                return
            }
            #expect(row.id == numbers[0])
            #expect(
                found.payments[second[1].id]?.state == .failed(declined, request: numbers[1]))
            try await expectFolded(handles)
        },
        Check("a refund request waits until it is declined or the sale is revoked") { handles in
            let sales = try await handles.ledger.record(
                Sample.sold(), Sample.sold(), Sample.sold(to: "kai"))
            let ids = sales.compactMap(\.number)
            let asked = [
                Sample.refund(of: ids[0], at: Sample.after(2)),
                Sample.refund(of: ids[1], at: Sample.after(1)),
                Sample.refund(of: ids[2], by: "kai", at: Sample.after(1)),
            ]
            for request in asked {
                try await handles.ledger.record(
                    Sample.entry(
                        .refundRequested(request), of: request.account,
                        number: .existing(request.transactionID)))
            }
            #expect(
                try await handles.other.refundRequests() == [asked[1], asked[2], asked[0]],
                "oldest first")
            let revoked = TransactionRevision(
                state: TransactionState(revision: 1, isDeleted: true),
                change: .deleted(
                    sold: Money(milliunits: 0, currency: "USD"),
                    refunded: Money(milliunits: 0, currency: "USD")),
                productID: SampleCatalog.coins, type: .consumable)
            try await handles.ledger.record(
                Sample.entry(
                    .refundDeclined(asked[1]), on: nil, number: .existing(ids[1])),
                Sample.entry(.revised(revoked), on: nil, number: .existing(ids[0])))
            #expect(try await handles.other.refundRequests() == [asked[2]])
            let found = try await handles.other.query { $0.refundRequests = Set(ids) }
            #expect(found.refundRequests == [ids[2]: asked[2]])
            try await expectFolded(handles)
        },
        Check("a request waits until it is approved or comes to nothing") { handles in
            let payments = (0..<3).map { _ in Payment.of(SampleCatalog.coins) }
            var numbers: [TransactionID] = []
            for payment in payments {
                let asked = try await handles.ledger.record(
                    Sample.entry(.deferred(payment, .askToBuy), number: .next))
                numbers += asked.compactMap(\.number)
            }
            #expect(try await handles.other.pending().map(\.number) == numbers)
            try await handles.ledger.record(
                Sample.sold(payment: payments[0], number: .existing(numbers[0])),
                Sample.entry(
                    .failed(payments[1], StoreError(.approvalDeclined)),
                    number: .existing(numbers[1])))
            let left = try await handles.other.pending()
            #expect(left.map(\.number) == [numbers[2]])
            #expect(left.map(\.payment) == [payments[2]])
            let found = try await handles.ledger.query { query in
                query.payments = Set(payments.map(\.id))
                query.pending = Set(numbers)
            }
            #expect(found.pending.keys.sorted() == [numbers[2]])
            #expect(found.transactions.keys.sorted() == [numbers[0]])
            #expect(
                found.payments[payments[1].id]?.state
                    == .failed(StoreError(.approvalDeclined), request: numbers[1]))
            #expect(
                found.payments[payments[2].id]?.state
                    == .deferred(request: numbers[2], reason: .askToBuy))
        },
        Check("faults are in force in the order they were set, until spent or cleared") { handles in
            var first = Fault(id: 1, call: .purchase, error: .networkError, remaining: 2)
            let second = Fault(id: 2, call: .purchase, error: .unknown, remaining: 1)
            func write(_ fact: Entry.Fact) async throws {
                try await handles.ledger.record(Sample.entry(fact, of: nil))
            }
            try await write(.faultSet(first))
            try await write(.faultSet(second))
            #expect(try await handles.other.query().faults == [first, second])
            first.remaining = 1
            try await write(.faultSpent(first))
            #expect(try await handles.other.query().faults == [first, second])
            first.remaining = 0
            try await write(.faultSpent(first))
            #expect(try await handles.other.query().faults == [second])
            try await write(.faultsCleared([second]))
            let found = try await handles.other.query()
            #expect(found.faults.isEmpty)
            #expect(found.version(.store) == 5)
        },
        Check("takings are the sum of the sales, by currency") { handles in
            for (amount, currency) in [(990, "USD"), (160_000, "JPY"), (10, "USD"), (0, "USD")] {
                let money = Money(milliunits: Int64(amount), currency: currency)
                try await handles.ledger.record(Sample.sold(price: money))
            }
            #expect(
                try await handles.other.takings() == [
                    SalesTotals(currency: "JPY", soldMilliunits: 160_000, sales: 1),
                    SalesTotals(currency: "USD", soldMilliunits: 1_000, sales: 3),
                ])
        },
        Check("past sales are paged newest first, by kind") { handles in
            let kinds: [ProductType] = [
                .consumable, .nonConsumable, .consumable, .nonRenewing, .autoRenewable,
            ]
            var ids: [TransactionID] = []
            for (index, kind) in kinds.enumerated() {
                let sale = Sample.sold(ProductID("product.\(index)"), kind)
                ids += try await handles.ledger.record(sale).compactMap(\.number)
            }
            try await handles.ledger.record(Sample.sold(to: "kai"))
            func page(
                _ kinds: Set<ProductType>, before: Int? = nil, limit: Int = 10
            ) async throws -> [TransactionID] {
                try await handles.other.transactions(
                    of: "aoi", before: before.map { ids[$0] }, kinds: kinds,
                    entitlingOnly: false, limit: limit
                ).map(\.id)
            }
            let all = Set(ProductType.allCases)
            #expect(try await page(all) == ids.reversed())
            #expect(try await page(all, limit: 2) == [ids[4], ids[3]])
            #expect(try await page(all, before: 3, limit: 2) == [ids[2], ids[1]])
            #expect(try await page(all, before: 0) == [])
            #expect(try await page(all.subtracting([.consumable])) == [ids[4], ids[3], ids[1]])
            #expect(try await page([.consumable], before: 2) == [ids[0]])
        },
        Check("entitling sales are the latest of each product or group, never a consumable") {
            handles in
            let recorded = try await handles.ledger.record(
                Sample.sold(), Sample.sold(SampleCatalog.theme, .nonConsumable),
                Sample.sold(SampleCatalog.pass, .nonRenewing),
                Sample.sold(SampleCatalog.monthly, .autoRenewable, group: SampleCatalog.group),
                Sample.sold(SampleCatalog.pass, .nonRenewing),
                Sample.sold(SampleCatalog.yearly, .autoRenewable, group: SampleCatalog.group),
                Sample.sold(SampleCatalog.otherTheme, .nonConsumable, to: "kai"))
            let ids = recorded.compactMap(\.number)
            #expect(
                try await handles.other.entitling(of: "aoi").map(\.id) == [ids[1], ids[4], ids[5]])
        },
        Check("the store's owner and catalog are the last that were recorded") { handles in
            func revision(_ number: Int64) -> CatalogRevision {
                CatalogRevision(number: number, digest: "digest \(number)", productCount: 1)
            }
            try await handles.ledger.record(
                Sample.entry(.storeOpened(identity: TestStore.identity), of: nil),
                Sample.entry(.catalogRevised(revision(1)), of: nil),
                Sample.entry(.catalogRevised(revision(2)), of: nil))
            let found = try await handles.other.query()
            #expect(found.identity == TestStore.identity)
            #expect(found.catalog == revision(2))
            #expect(found.version(.store) == 3)
        },
        Check("all rows equal the fold of all entries") { handles in
            let asked = Payment.of(SampleCatalog.theme)
            let recorded = try await handles.ledger.record(
                Sample.entry(.storeOpened(identity: TestStore.identity), of: nil),
                Sample.settings("aoi"), Sample.sold(), Sample.sold(on: "tablet"),
                Sample.entry(.deferred(asked, .askToBuy), number: .next), Sample.sold(to: "kai"),
                Sample.entry(
                    .faultSet(.init(id: 1, call: .purchase, error: .unknown, remaining: 1)),
                    of: nil))
            let ids = recorded.compactMap(\.number)
            try await handles.other.record(
                Sample.entry(.finished, number: .existing(ids[0])),
                Sample.entry(.claimed(by: "watch"), number: .existing(ids[1])),
                Sample.sold(
                    SampleCatalog.theme, .nonConsumable, payment: asked, number: .existing(ids[2])))
            try await expectFolded(handles)
            #expect(
                try await handles.ledger.unfinished(of: "aoi").map(\.0.device) == [
                    "watch", "phone",
                ])
            #expect(try await handles.ledger.pending().isEmpty)
        },
    ]
}
