import StoreDevice
import StoreModel
import StoreTestSupport
import Testing

/// A failed finish does not stop other deliveries: it is reported once and retried.
@Suite("retrying a failed finish", .timeLimit(.minutes(10))) struct FinishRetryTests {
    private let home: Home

    init() async throws { home = try await Home() }

    private func failing(
        _ code: StoreError.Code, times: Int64, _ tries: Tally
    ) -> (inout ScriptedStore) -> Void {
        { script in
            script.beforeFinish = { (_: TransactionID) async throws(StoreError) in
                if tries.add() <= times { throw StoreError(code, cause: "once") }
            }
        }
    }

    @Test(
        "a finish that fails after a delivery is reported once and retried",
        arguments: [StoreError.Code.storeBusy, .storeUnreadable, .storeFull, .outcomeUnknown])
    func afterDelivery(_ code: StoreError.Code) async throws {
        let tries = Tally()
        let device = try await home.launch(script: failing(code, times: 2, tries))
        let updates = device.updates()
        let id = try #require(try await device.buy(.of(SampleCatalog.coins)).number)
        var troubles: [StoreError.Code] = []
        for await update in updates {
            if let trouble = update.trouble { troubles.append(trouble.code) }
            if update.finishedID == id { break }
        }
        #expect(troubles == [code], "reported once")
        // Finishing twice changes nothing, so the retry and a batch of events may both finish it.
        #expect(tries.count >= 3)
        try await home.untilFinished()
    }

    @Test(
        "a finish that fails at launch is reported and retried",
        arguments: [StoreError.Code.storeBusy, .storeUnreadable])
    func atLaunch(_ code: StoreError.Code) async throws {
        _ = try await home.session().purchase(.of(SampleCatalog.coins))
        let tries = Tally()
        let device = try await home.open(script: failing(code, times: 1, tries))
        let updates = device.updates()
        try await device.launch()
        #expect(await updates.first(\.trouble)?.code == code)
        try await home.untilFinished()
        #expect(try await device.balances().coins == 10)
    }

    @Test("sales after one that cannot be finished are still delivered")
    func nobodyWaits() async throws {
        let tries = Tally()
        let device = try await home.launch(script: failing(.storeBusy, times: .max, tries))
        for _ in 0..<3 { _ = try await device.buy(.of(SampleCatalog.coins)) }
        try await home.untilDelivered(3, on: device)
        await device.close()
    }

    @Test("a launch on an unreadable store continues when the store is readable again")
    func unreadableAtLaunch() async throws {
        let tries = Tally()
        _ = try await home.session().purchase(.of(SampleCatalog.coins))
        let device = try await home.open { script in
            script.beforeUnfinished = { () async throws(StoreError) in
                if tries.add() == 1 { throw StoreError(.storeUnreadable, cause: "disk I/O error") }
            }
        }
        let updates = device.updates()
        try await device.launch()
        #expect(await updates.first(\.trouble)?.code == .storeUnreadable)
        try await home.untilDelivered(1, on: device)
    }
}
