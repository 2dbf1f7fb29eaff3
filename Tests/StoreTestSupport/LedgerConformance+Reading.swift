import Foundation
@testable import StoreEngine
@testable import StoreModel
import Testing

extension LedgerConformance {
    static let reading = [
        Check("entries come back as they were recorded, in order, after a cursor") { handles in
            let recorded = try await handles.ledger.record(
                Sample.settings("aoi"), Sample.sold(), Sample.sold(to: "kai"))
            #expect(try await handles.other.allEntries() == recorded)
            let later = try await handles.ledger.entries(
                after: FeedCursor(epoch: 1, position: 1), account: nil, limit: 10)
            #expect(later.entries == Array(recorded[1...]))
            #expect(later.cursor == FeedCursor(epoch: 1, position: 3))
        },
        Check("the mark at a cursor stays as it is, whatever is recorded later") { handles in
            try await handles.ledger.record(Sample.settings("aoi"), Sample.sold())
            let end = try await handles.ledger.head()
            let mark = try await handles.ledger.mark(at: end)
            #expect(mark != nil)
            let before = try await handles.ledger.mark(at: FeedCursor(epoch: 1, position: 1))
            #expect(before != nil && before != mark)
            for _ in 0..<20 { try await handles.ledger.record(Sample.sold(to: "kai")) }
            #expect(try await handles.other.mark(at: end) == mark)
            let beyond = FeedCursor(epoch: 1, position: end.position + 21)
            #expect(try await handles.other.mark(at: beyond) == nil)
            let elsewhere = FeedCursor(epoch: 2, position: end.position)
            #expect(try await handles.other.mark(at: elsewhere) == nil)
        },
        Check("every kind of entry is read back unchanged") { handles in
            let kept = try await handles.ledger.record(
                Sample.entry(.storeOpened(identity: TestStore.identity), of: nil, on: nil),
                Sample.entry(
                    .catalogRevised(.init(number: 1, digest: "d", productCount: 9)), of: nil,
                    on: nil),
                Sample.settings("aoi"),
                Sample.entry(.deferred(.of(SampleCatalog.theme), .askToBuy), number: .next),
                Sample.entry(.failed(.of(SampleCatalog.coins), StoreError(.networkError))),
                Sample.sold(
                    SampleCatalog.monthly, .autoRenewable, group: SampleCatalog.group,
                    expires: Sample.now.advanced(byMilliseconds: 5)),
                Sample.entry(.claimed(by: "tablet"), number: .existing(TransactionID(1_000_002))),
                Sample.entry(.finished, number: .existing(TransactionID(1_000_002))),
                Sample.entry(
                    .faultSet(.init(id: 1, call: .purchase, error: .unknown, remaining: 2)),
                    of: nil, on: nil),
                Sample.entry(
                    .faultSpent(.init(id: 1, call: .purchase, error: .unknown, remaining: 1)),
                    of: nil),
                Sample.entry(
                    .faultsCleared([
                        .init(id: 1, call: .purchase, error: .unknown, remaining: 1)
                    ]), of: nil, on: nil),
                Sample.entry(
                    .revised(
                        .init(
                            state: .init(
                                revision: 3,
                                revocation: .init(
                                    date: Sample.now, reason: .app,
                                    takenBack: Share(millipercent: 33_333),
                                    refunded: Share(percent: 20), refundedMilliunits: 7),
                                isDeleted: true),
                            change: .deleted(
                                sold: Money(milliunits: 1, currency: "USD"),
                                refunded: Money(milliunits: 2, currency: "JPY")),
                            productID: SampleCatalog.coins, type: .consumable)),
                    number: .existing(TransactionID(1_000_002))),
                Sample.entry(
                    .autoRenewChanged(
                        .init(
                            chain: TransactionID(1_000_002), productID: SampleCatalog.monthly,
                            isOn: true, reason: .chosen,
                            next: .init(
                                account: "aoi", chain: TransactionID(1_000_002), kind: .renewal,
                                period: 4, at: Sample.after(9)), state: .renewing))),
                Sample.entry(
                    Sample.billingFailed(
                        TransactionID(1_000_002),
                        next: .init(
                            account: "aoi", chain: TransactionID(1_000_002), kind: .renewal,
                            period: 4, at: Sample.after(9)))),
                Sample.entry(.clockSet(.stopped(at: Sample.after(1))), of: nil, on: nil),
                Sample.entry(
                    .renewalsSet(.init(rate: .monthlyRenewalEveryHour, limit: 3)), of: nil, on: nil),
                Sample.entry(
                    .extensionAsked(
                        ExtensionRequest(id: UUID(), productID: SampleCatalog.monthly, days: 3)),
                    of: nil, on: nil),
                Sample.entry(.extensionDone(Sample.extended), of: nil, on: nil),
                Sample.entry(
                    .consumptionAnswered(Sample.consumption(of: TransactionID(1_000_002))), on: nil,
                    number: .existing(TransactionID(1_000_002))),
                Sample.entry(.serverSet(Sample.server), of: nil, on: nil),
                Sample.entry(.moved(.continued), of: nil, on: nil),
                Sample.queued([Sample.notification(1)], through: 12),
                Sample.entry(
                    .revised(Sample.tokenSet(revision: 4)), on: nil,
                    number: .existing(TransactionID(1_000_002))),
                Sample.entry(.unknown(kind: 99, body: Data([0, 255, 34]))),
                Sample.period(2, of: TransactionID(1_000_002), dueAfter: 8),
                Sample.given(.familyShare(of: TransactionID(1_000_001))),
                Sample.given(.outsideApp),
                Sample.entry(
                    .refundRequested(Sample.refund(of: TransactionID(1_000_002))),
                    number: .existing(TransactionID(1_000_002))),
                Sample.entry(
                    .refundDeclined(Sample.refund(of: TransactionID(1_000_002))), on: nil,
                    number: .existing(TransactionID(1_000_002))),
                Sample.entry(.promoted(SampleCatalog.coins), on: nil),
                Sample.entry(.purchaseCancelled(SampleCatalog.coins)),
                Sample.familyChanged(Sample.family, of: "aoi"),
                Sample.familyChanged(Sample.family, of: "nia", .consentRescinded("nia")),
                Sample.entry(.valueChanged(AccountValue(key: "theme", value: "sepia"))),
                Sample.entry(.valueChanged(AccountValue(key: "theme", value: nil))),
                Sample.shared(TransactionID(1_000_001), with: "nia"),
                Sample.entry(
                    .accountChanged(
                        AccountSettings(
                            name: "aoi", territory: "JPN", askToBuy: true,
                            canMakePayments: false, asksBank: true, interruptsPurchases: true,
                            disablesDialogs: true, locale: "ja_JP")),
                    on: nil),
                Sample.entry(
                    .faultSet(
                        .init(id: 9, call: .verification, error: .invalidSignature, remaining: nil)),
                    of: nil, on: nil))
            #expect(try await handles.other.allEntries() == kept)
            #expect(Set(kept.map(\.entry.fact.kindNumber)) == Set(0...Entry.Fact.lastKindNumber))
        },
        Check("an account has the settings that were recorded last, every one of them") { handles in
            let all = AccountSettings(
                name: "aoi", territory: "JPN", askToBuy: true, canMakePayments: false,
                asksBank: true, interruptsPurchases: true, disablesDialogs: true, locale: "ja_JP")
            let usual = AccountSettings(name: "aoi", territory: "USA")
            for settings in [all, usual, all] {
                try await handles.ledger.record(Sample.entry(.accountChanged(settings), on: nil))
                for ledger in [handles.ledger, handles.other] {
                    let found = try await ledger.query { $0.accounts = ["aoi"] }
                    #expect(found.accounts == ["aoi": settings])
                }
            }
        },
        Check("an account reads its own entries and those without an account") { handles in
            try await handles.ledger.record(
                Sample.sold(to: "aoi"), Sample.sold(to: "kai"),
                Sample.entry(
                    .catalogRevised(.init(number: 1, digest: "d", productCount: 0)), of: nil),
                Sample.sold(to: "aoi"))
            let page = try await handles.ledger.entries(
                after: Sample.start, account: "aoi", limit: 10)
            #expect(page.entries.map(\.position) == [1, 3, 4])
            let stranger = try await handles.ledger.entries(
                after: Sample.start, account: "noor", limit: 10)
            #expect(stranger.entries.map(\.position) == [3])
        },
        Check("a cursor advances past the entries of other accounts") { handles in
            try await handles.ledger.record(
                Sample.sold(to: "aoi"), Sample.sold(to: "kai"), Sample.sold(to: "kai"))
            let page = try await handles.ledger.entries(
                after: Sample.start, account: "aoi", limit: 10)
            #expect(page.cursor.position == 3)
            let next = try await handles.ledger.entries(
                after: page.cursor, account: "aoi", limit: 10)
            #expect(next.entries.isEmpty)
            #expect(next.cursor == page.cursor)
        },
        Check("small pages have the same entries as a large one") { handles in
            for index in 0..<17 {
                try await handles.ledger.record(
                    Sample.sold(to: index.isMultiple(of: 3) ? "kai" : "aoi"))
            }
            for account: AccountName? in [nil, "aoi", "kai"] {
                let whole = try await handles.ledger.entries(
                    after: Sample.start, account: account, limit: 100)
                for limit in [1, 2, 3, 5] {
                    var cursor = Sample.start
                    var positions: [Int64] = []
                    while true {
                        let page = try await handles.other.entries(
                            after: cursor, account: account, limit: limit)
                        #expect(page.entries.count <= limit)
                        positions += page.entries.map(\.position)
                        if page.cursor == cursor { break }
                        cursor = page.cursor
                    }
                    #expect(positions == whole.entries.map(\.position))
                    #expect(cursor == whole.cursor)
                }
            }
        },
        Check("a cursor of another epoch is refused") { handles in
            let error = await #expect(throws: StoreError.self) {
                try await handles.ledger.entries(
                    after: FeedCursor(epoch: 2, position: 0), account: nil, limit: 1)
            }
            #expect(error?.code == .storeReplaced)
        },
        Check("nothing is recorded after the entry that closes a store, which names the address") {
            handles in
            try await handles.ledger.record(
                Sample.sold(), Sample.entry(.moved(.closed(goesOnAt: "there")), of: nil, on: nil))
            #expect(try await handles.other.query { _ in }.goesOnAt == "there")
            for ledger in [handles.ledger, handles.other] {
                let error = await #expect(throws: StoreError.self) {
                    try await ledger.record(Sample.sold())
                }
                #expect(error?.code == .storeMoved && error?.subject == "there")
            }
            #expect(try await handles.ledger.allEntries().count == 2)
        },
        Check("the entry that begins a copy begins another epoch, and the cursors before it end") {
            handles in
            try await handles.ledger.record(
                Sample.sold(), Sample.entry(.moved(.copied(epoch: 77)), of: nil, on: nil))
            for ledger in [handles.ledger, handles.other] {
                let head = try await ledger.head()
                #expect(head == FeedCursor(epoch: 77, position: 2))
                let start = FeedCursor(epoch: 77, position: 0)
                let page = try await ledger.entries(after: start, account: nil, limit: 1)
                #expect(page.cursor == FeedCursor(epoch: 77, position: 1))
                let past = try await ledger.entries(
                    before: head, filter: HistoryFilter(), limit: 1)
                #expect(past.cursor.epoch == 77)
                #expect(try await ledger.mark(at: head) != nil)
                #expect(try await ledger.mark(at: FeedCursor(epoch: 1, position: 2)) == nil)
                let error = await #expect(throws: StoreError.self) {
                    try await ledger.entries(after: Sample.start, account: nil, limit: 1)
                }
                #expect(error?.code == .storeReplaced)
            }
            if let shown = handles.other as? any InspectableLedger {
                let entries = try await handles.other.entries(
                    after: FeedCursor(epoch: 77, position: 0), account: nil, limit: 10)
                let rows = try Projections(folding: entries.entries)
                #expect(try await shown.projections() == rows)
            }
        },
        Check("the head is the end of the feed") { handles in
            #expect(try await handles.ledger.head() == Sample.start)
            try await handles.ledger.record(Sample.sold(), Sample.sold())
            #expect(try await handles.other.head() == FeedCursor(epoch: 1, position: 2))
        },
        Check("an attachment is kept once under its digest") { handles in
            for body in [Data([1, 2]), Data([3])] {
                let decision = Decision(
                    reads: [:], entries: [Sample.sold()], attachments: ["digest": body])
                _ = try await handles.ledger.append([decision], at: Sample.now)
            }
            #expect(try await handles.other.attachment("digest") == Data([1, 2]))
            #expect(try await handles.ledger.attachment("another") == nil)
        },
    ]
}

extension Entry.Fact {
    /// A number for each kind of entry. Give a new kind the next number, and a sample above.
    fileprivate var kindNumber: Int {
        switch self {
        case .storeOpened: 0
        case .catalogRevised: 1
        case .accountChanged: 2
        case .deferred: 3
        case .failed: 4
        case .sold: 5
        case .finished: 6
        case .claimed: 7
        case .faultSet: 8
        case .faultSpent: 9
        case .faultsCleared: 10
        case .revised: 11
        case .autoRenewChanged: 12
        case .clockSet: 13
        case .renewalsSet: 14
        case .unknown: 15
        case .refundRequested: 16
        case .refundDeclined: 17
        case .promoted: 18
        case .purchaseCancelled: 19
        case .familyChanged: 20
        case .subscriptionChanged: 21
        case .extensionAsked: 22
        case .valueChanged: 23
        case .extensionDone: 24
        case .consumptionAnswered: 25
        case .serverSet: 26
        case .outbox: 27
        case .moved: 28
        }
    }

    fileprivate static let lastKindNumber = 28
}
