import Foundation
import StoreDevice
import StoreEngine
import StoreModel
import StoreTestSupport
import Testing

/// A device's records edited by hand: data that the store did not sign unlocks nothing.
@Suite("altered records", .timeLimit(.minutes(10))) struct AlteredRecordTests {
    private let home: Home

    init() async throws { home = try await Home() }

    private func found(_ device: Device) -> Set<StoreError.Code> {
        Set(device.alteredRecords.map(\.code))
    }

    @Test("a delivery inserted by hand is not owned, and is reported [A13]")
    func inventedDelivery() async throws {
        try await home.sell(SampleCatalog.coins)
        try home.alter(
            """
            INSERT INTO deliveries (id, product, kind, quantity, unit, amount, delivered_at, is_void,
                                    signed, as_of)
            VALUES (999999, '\(SampleCatalog.theme)', 'Non-Consumable', 1, NULL, 0, 0, 0, 'forged', 0)
            """)
        let device = try await home.open()
        let updates = device.updates()
        #expect(
            try await device.latestDeliveries().map(\.productID) == [SampleCatalog.coins])
        #expect(await updates.first(\.trouble)?.code == .recordAltered)
        #expect(found(device) == [.recordAltered])
    }

    @Test("a signed delivery does not count for another product [A5]")
    func borrowedText() async throws {
        try await home.sell(SampleCatalog.theme)
        try home.alter("UPDATE deliveries SET product = '\(SampleCatalog.otherTheme)'")
        let device = try await home.open()
        #expect(try await device.latestDeliveries().isEmpty)
        #expect(found(device) == [.recordAltered])
        #expect(try await device.restore().alreadyHere.map(\.productId) == [SampleCatalog.theme])
        #expect(
            try await device.latestDeliveries().map(\.productID) == [SampleCatalog.theme])
    }

    @Test("the twin of a signature is the same transaction, and never a second one")
    func twin() async throws {
        try await home.sell(SampleCatalog.coins)
        let device = try await home.open()
        let delivery = try #require(try await device.latestDeliveries().first)
        let known = try await home.store.session().transaction(delivery.transactionID)
        let twin = try known.twin
        #expect(twin != known)
        switch await device.verify(twin) {
        case .verified(let payload): #expect(payload.transactionId == delivery.transactionID)
        case .unverified: Issue.record("a valid signature is refused")
        }
        await device.close()
        try home.alter(
            """
            UPDATE deliveries SET signed = '\(twin.rawValue)';
            INSERT INTO deliveries (id, product, kind, quantity, unit, amount, delivered_at, is_void,
                                    signed, as_of)
            SELECT id + 500, product, kind, quantity, unit, amount, delivered_at, is_void, signed,
                   as_of FROM deliveries; DELETE FROM balances
            """)
        let again = try await home.launch()
        #expect(try await again.balances() == [Balance(unit: "coins", amount: 10)])
        let second = TransactionID(delivery.transactionID.number + 500)
        #expect(again.alteredRecords.compactMap(\.transactionID) == [second])
    }

    @Test(
        "an edited balance is recomputed from the deliveries",
        arguments: [
            "UPDATE balances SET amount = 99999",
            "INSERT INTO balances (unit, amount) VALUES ('gems', 5)",
            "DELETE FROM balances",
            "DELETE FROM meta WHERE name LIKE 'seal:%'",
            "UPDATE balances SET amount = 99999; UPDATE deliveries SET amount = 99999",
        ])
    func balance(_ sql: String) async throws {
        try await home.sell(SampleCatalog.coins, SampleCatalog.coins)
        try home.alter(sql)
        let device = try await home.launch()
        #expect(try await device.balances() == [Balance(unit: "coins", amount: 20)])
        #expect(found(device) == [.recordAltered])
        _ = try await device.buy(.of(SampleCatalog.coins))
        try await home.untilDelivered(3, on: device)
        #expect(try await device.balances() == [Balance(unit: "coins", amount: 30)])
        await device.close()

        let next = try await home.open()
        #expect(try await next.balances() == [Balance(unit: "coins", amount: 30)])
        #expect(next.alteredRecords.isEmpty, "it was put right")
    }

    @Test("an edited balance is recomputed from deliveries, refunds and spends [A5]")
    func refundedAndSpent() async throws {
        try await home.sell(SampleCatalog.coins, SampleCatalog.coins)
        let device = try await home.launch()
        let first = try #require(try await device.deliveries().first)
        let streams = device.updates()
        _ = try await home.store.console.perform(
            .refund(first.transactionID, .percent(50), reason: .other))
        _ = await streams.first { if case .revised = $0 { true } else { nil } }
        let spend = Spend(id: UUID(), unit: "coins", amount: 7, reason: "a hint")
        #expect(try await device.spend(spend) == Balance(unit: "coins", amount: 8))
        await device.close()
        try home.alter("UPDATE balances SET amount = 99999")
        let next = try await home.open()
        #expect(try await next.balances() == [Balance(unit: "coins", amount: 8)])
        #expect(found(next) == [.recordAltered])
        await next.close()
        // An edit that undoes a refund is not accepted either.
        try home.alter("UPDATE revisions SET taken_back = 0; UPDATE balances SET amount = 13")
        let last = try await home.open()
        #expect(try await last.balances().coins <= 8)
        #expect(found(last) == [.recordAltered])
    }

    @Test("a new delivery does not make an edited balance valid")
    func addedTo() async throws {
        try await home.sell(SampleCatalog.coins)
        try home.alter("UPDATE balances SET amount = 99999")
        let device = try await home.launch()
        _ = try await device.buy(.of(SampleCatalog.coins))
        try await home.untilDelivered(2, on: device)
        #expect(try await device.balances() == [Balance(unit: "coins", amount: 20)])
        #expect(found(device) == [.recordAltered])
    }

    @Test(
        "a refunded or deleted purchase is not brought back by editing its state [A13]",
        arguments: [
            "DELETE FROM revisions",
            "DELETE FROM revisions; UPDATE deliveries SET is_void = 0",
            "DELETE FROM revisions; UPDATE deliveries SET seal = NULL",
            "DELETE FROM revisions; DELETE FROM meta WHERE name = 'sealKey'",
            "UPDATE revisions SET taken_back = 0",
            "UPDATE revisions SET taken_back = 0, is_deleted = 1",
            """
            UPDATE revisions SET revision = 0, taken_back = 0, is_deleted = 0,
            signed = (SELECT signed FROM deliveries WHERE deliveries.id = revisions.id)
            """,
            """
            DELETE FROM revisions; UPDATE deliveries SET seal =
            (SELECT seal FROM deliveries AS other WHERE product = '\(SampleCatalog.otherTheme)')
            """,
        ], [true, false])
    func bringBack(_ sql: String, isDeleted: Bool) async throws {
        try await home.sell(SampleCatalog.theme, SampleCatalog.otherTheme)
        let device = try await home.launch()
        let id = try #require(
            try await device.deliveries().first { $0.productID == SampleCatalog.theme }
        ).transactionID
        let updates = device.updates()
        if isDeleted {
            _ = try await home.store.console.perform(.delete(id, wholeChain: false))
            _ = await updates.first { if case .event(.deleted) = $0 { true } else { nil } }
        } else {
            _ = try await home.store.console.perform(.refund(id, .percent(100), reason: .other))
            _ = await updates.first { if case .revised = $0 { true } else { nil } }
        }
        #expect(
            try await device.latestDeliveries().map(\.productID) == [SampleCatalog.otherTheme])
        await device.close()
        try home.alter(sql)
        let next = try await home.launch()
        #expect(
            try await !next.latestDeliveries().map(\.productID).contains(SampleCatalog.theme))
        #expect(found(next) == [.recordAltered])
        // A restore asks the store, and corrects the records.
        _ = try await next.restore()
        await next.close()
        let last = try await home.open()
        #expect(
            try await last.latestDeliveries().map(\.productID) == [SampleCatalog.otherTheme])
        #expect(last.alteredRecords.isEmpty)
    }

    @Test("a claimed consumable is not granted again by editing the record that it is void")
    func bringBackVoid() async throws {
        let device = try await home.launch(script: { store in
            store.beforeFinish = { _ async throws(StoreError) in throw StoreError(.storeBusy) }
        })
        let id = try #require(try await device.buy(.of(SampleCatalog.coins)).number)
        try await home.untilDelivered(1, on: device)
        _ = try await home.session("tablet").claim(id)
        try await home.until(device) { try await device.balances().coins == 0 }
        await device.close()
        try home.alter("UPDATE deliveries SET is_void = 0; DELETE FROM balances")
        let next = try await home.open()
        #expect(try await next.balances().coins == 0)
        #expect(found(next) == [.recordAltered])
        #expect(next.alteredRecords.contains { $0.transactionID == id })
    }

    @Test("records of another device or account grant nothing, are told, and a restore heals them")
    func anotherDevice() async throws {
        try await home.sell(SampleCatalog.coins, SampleCatalog.theme)
        let mine = try await home.open()
        let unlocked = try await mine.unlockRecord().unlocks
        await mine.close()
        #expect(unlocked == ["theme.sepia"])
        for (name, account) in [("tablet", "aoi"), ("phone", "kai")] as [(DeviceName, AccountName)]
        {
            try await home.open(name, of: account).close()
            let (from, to) = try (
                home.deviceFolder().databasePath, home.deviceFolder(name, of: account).databasePath
            )
            for suffix in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: to + suffix)
                try? FileManager.default.copyItem(atPath: from + suffix, toPath: to + suffix)
            }
            let device = try await home.open(name, of: account)
            #expect(try await device.balances().isEmpty)
            #expect(try await device.latestDeliveries().isEmpty)
            #expect(try await device.unlockRecord().unlocks.isEmpty)
            #expect(device.alteredRecords.map(\.reason) == [.anotherDevice])
            let restored = try await device.restore().restored.map(\.productId)
            #expect(restored == (account == "aoi" ? [SampleCatalog.theme] : []))
            await device.close()
            let next = try await home.open(name, of: account)
            #expect(try await next.latestDeliveries().map(\.productID) == restored)
            #expect(next.alteredRecords.isEmpty)
            await next.close()
        }
    }

    @Test("a download in an unknown state is not started, and fails with the reason")
    func unknownState() async throws {
        try await home.sell(SampleCatalog.book)
        try home.alter("UPDATE downloads SET state = 'verifying'")
        let device = try await home.launch()
        let download = try #require(try await device.downloads().first)
        #expect(download.state == .failed)
        #expect(download.error?.code == .storeNewer)
    }

    @Test("latest deliveries are one of each product, and all of a non-renewing subscription")
    func latest() async throws {
        try await home.sell(
            SampleCatalog.coins, SampleCatalog.theme, SampleCatalog.coins, SampleCatalog.pass,
            SampleCatalog.pass)
        let device = try await home.open()
        let all = try await device.deliveries()
        let latest = try await device.latestDeliveries()
        #expect(
            Set(latest.map(\.productID)) == [
                SampleCatalog.coins, SampleCatalog.theme, SampleCatalog.pass,
            ])
        #expect(latest.filter { $0.productID == SampleCatalog.pass }.count == 2)
        for record in latest where record.productID != SampleCatalog.pass {
            let last = all.last { $0.productID == record.productID }
            #expect(record.transactionID == last?.transactionID)
        }
    }
}
