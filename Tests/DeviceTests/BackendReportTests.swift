import Foundation
import StoreDevice
import StoreEngine
import StoreModel
import StoreTestSupport
import Synchronization
import Testing

/// What a device reports to the app's own backend.
@Suite("reports to the app's own backend", .timeLimit(.minutes(10))) struct BackendReportTests {
    private let home: Home
    private let backend = FakeBackend()

    init() async throws { home = try await Home() }

    private func open(
        _ backend: FakeBackend? = nil, elapsed: any Clock<Duration> = ContinuousClock()
    ) async throws -> Device {
        try await home.open(elapsed: elapsed, servers: backend ?? self.backend)
    }

    /// Launched, with the backend set.
    private func launch(elapsed: any Clock<Duration> = ContinuousClock()) async throws -> Device {
        let device = try await open(elapsed: elapsed)
        try await device.setBackend(AppBackend.sample)
        try await device.launch()
        return device
    }

    private func buy(_ product: ProductID, on device: Device) async throws -> TransactionID {
        try #require(try await device.buy(.of(product)).number)
    }

    private func untilNoneWaits(_ device: Device) async throws {
        try await home.until(device) { try await device.reports().waiting == 0 }
    }

    // MARK: - What is reported

    @Test(
        "a purchase, a refund and a renewal are reported in order, with price and login, once each is recorded [G3]"
    )
    func inOrder() async throws {
        let phone = Mutex<Device?>(nil)
        let early = Tally()
        backend.set { (request: BackendRequest) async throws(StoreError) in
            guard let body = request.body, let device = phone.withLock({ $0 }) else {
                throw FakeBackend.failure(.wrongAnswer, "404")
            }
            let report = try? JSONDecoder().decode(FakeBackend.Report.self, from: body)
            let isHere = try await device.deliveries().contains { $0.transactionID == report?.id }
            if !isHere { early.add() }
            return Data()
        }
        let device = try await launch()
        phone.withLock { $0 = device }
        let coins = try #require(
            try await device.buy(.of(SampleCatalog.coins, quantity: 2)).number)
        let theme = try await buy(SampleCatalog.theme, on: device)
        let month = try await buy(SampleCatalog.monthly, on: device)
        try await home.untilDelivered(3, on: device)
        _ = try await home.store.console.perform(.refund(theme, .rest, reason: .other))
        try await backend.until { $0.told.count == 4 }
        _ = try await home.store.console.perform(.clock(.advance(.seconds(32 * 86_400))))
        _ = try await home.session().entitlements()
        try await backend.until { $0.told.count >= 5 }
        let told = backend.told
        #expect(Array(told.prefix(4).map(\.id)) == [coins, theme, month, theme])
        #expect(told[0].price == 1_980 && told[0].currency == "USD")
        #expect(told[0].account == "aoi" && told[0].device == "phone")
        #expect(told[1].payload?.revocationDate == nil && told[3].payload?.revocationDate != nil)
        #expect(told[4].payload?.transactionReason == .renewal)
        #expect(told[4].payload?.originalTransactionId == month)
        #expect(early.count == 0, "reported before it was recorded")
        let request = try #require(backend.asked().first)
        #expect(request.url == "http://127.0.0.1:3000/apple/transactions" && !request.isElsewhere)
        try await untilNoneWaits(device)
        await device.close()
        phone.withLock { $0 = nil }
    }

    @Test("without a backend nothing is kept; one that is set first gets what is here already [G3]")
    func setLater() async throws {
        try await home.sell(SampleCatalog.coins, SampleCatalog.theme, SampleCatalog.otherTheme)
        let sold = try await home.store.ledger.allRows().transactions.keys.sorted()
        let device = try await open()
        let before = try await device.reports()
        #expect(before.backend == nil && before.waiting == 0 && before.failures.isEmpty)
        let updates = device.updates()
        try await device.launch()
        _ = try await home.store.console.perform(.refund(sold[1], .rest, reason: .other))
        _ = try await home.store.console.perform(.delete(sold[2], wholeChain: false))
        _ = await updates.first { update -> Bool? in
            if case .event(.deleted) = update { true } else { nil }
        }
        try await device.setBackend(AppBackend.sample)
        try await untilNoneWaits(device)
        // The newest state of each, and nothing about one that the store does not know any more.
        #expect(backend.toldIDs == [sold[0], sold[1]])
        #expect(backend.told[1].payload?.revocationDate != nil)
        // Setting the same again sends nothing again.
        try await device.setBackend(AppBackend.sample)
        let pass = try await buy(SampleCatalog.pass, on: device)
        try await backend.until { $0.toldIDs.last == pass }
        #expect(backend.told.count == 3)

        try await device.setBackend(nil)
        _ = try await buy(SampleCatalog.coins, on: device)
        try await home.untilDelivered(5, on: device)
        #expect(try await device.reports().waiting == 0)
        await device.close()
    }

    @Test("a restore and a revocation are reported by the device that gets them [G3]")
    func restored() async throws {
        try await home.sell(SampleCatalog.theme)
        let tablet = try await home.open("tablet", servers: backend)
        try await tablet.setBackend(AppBackend.sample)
        try await tablet.launch()
        _ = try await tablet.restore()
        try await backend.until { $0.told.count == 1 }
        #expect(backend.told[0].device == "tablet")
        let sold = try #require(backend.toldIDs.first)
        _ = try await home.store.console.perform(.revoke(sold))
        try await backend.until { $0.told.count == 2 }
        #expect(backend.toldIDs == [sold, sold])
        await tablet.close()
    }

    @Test("a delivery whose record was altered is told and not reported")
    func altered() async throws {
        try await home.sell(SampleCatalog.theme, SampleCatalog.otherTheme)
        let device = try await open()
        try await device.setBackend(AppBackend.sample)
        await device.close()
        try home.alter(
            """
            UPDATE deliveries SET signed = signed || 'A'
            WHERE product = '\(SampleCatalog.theme)'
            """)
        let next = try await open()
        let updates = next.updates()
        try await next.launch()
        #expect(
            await updates.first { $0.trouble?.code == .recordAltered ? $0.trouble : nil } != nil)
        try await untilNoneWaits(next)
        #expect(backend.told.compactMap { $0.payload?.productId } == [SampleCatalog.otherTheme])
        await next.close()
    }

    // MARK: - A backend that does not answer

    @Test(
        "a failure is told and logged once; the report is sent again after 1, 2 and 4 seconds, then all in order [G3]",
        arguments: [
            (ContentServerFailure.unreachable, nil), (.serverError, "500"), (.stalled, nil),
            (.tooMuch, nil), (.redirected, nil), (.wrongAnswer, "404"), (.wrongAnswer, "401"),
        ] as [(ContentServerFailure, String?)])
    func failing(failure: ContentServerFailure, status: String?) async throws {
        let clock = HandClock()
        backend.fail(failure, status)
        let device = try await launch(elapsed: clock)
        let updates = device.updates()
        let first = try await buy(SampleCatalog.coins, on: device)
        for (tries, pause) in [(1, 1_000), (2, 2_000), (3, 4_000)] {
            try await backend.until { $0.asked().count == tries }
            await clock.untilSleeping()
            clock.pass(.milliseconds(pause / 2))
            await clock.untilSleeping()
            #expect(backend.asked().count == tries, "asked before the pause was over")
            if tries == 3 {
                backend.set { (request: BackendRequest) async throws(StoreError) in Data() }
            }
            clock.pass(.milliseconds(pause - pause / 2))
        }
        let second = try await buy(SampleCatalog.theme, on: device)
        try await backend.until { $0.toldIDs == [first, second] }
        try await untilNoneWaits(device)
        #expect(try await device.reports().failures == [])
        device.endUpdates()
        var told: [StoreError] = []
        for await update in updates {
            if case .trouble(let error, in: .backend, ended: false) = update { told.append(error) }
        }
        #expect(told.map(\.code) == [.backendFailed])
        #expect(told.first?.serverFailure == failure && told.first?.cause == status)
        #expect(try await logged(by: device) == told)
        await device.close()
    }

    private func logged(by device: Device) async throws -> [StoreError] {
        try await device.logEntries(before: nil, limit: 100).compactMap { entry in
            if case .trouble(let error) = entry.what { error } else { nil }
        }
    }

    @Test(
        "a failure that an earlier process has logged is not logged again; what waits is sent at launch"
    )
    func nextLaunch() async throws {
        backend.fail(.unreachable)
        var sold: [TransactionID] = []
        for _ in 0..<3 {
            let clock = HandClock()
            let device = try await launch(elapsed: clock)
            sold.append(try await buy(SampleCatalog.coins, on: device))
            try await home.until(device) { try await logged(by: device).count == 1 }
            await clock.untilSleeping()
            #expect(try await device.reports().failures.map(\.code) == [.backendFailed])
            await device.close()
        }
        backend.set { (request: BackendRequest) async throws(StoreError) in Data() }
        let device = try await launch()
        try await untilNoneWaits(device)
        #expect(backend.toldIDs == sold)
        #expect(try await device.reports().failures == [])
        #expect(try await logged(by: device).count == 1)
        await device.close()
    }

    @Test(
        "a report that the backend refuses for good holds back no other, and is told once",
        arguments: ["400", "409", "410", "413", "415", "422"])
    func refused(status: String) async throws {
        let refused = Tally()
        backend.set { (request: BackendRequest) async throws(StoreError) in
            if refused.add() <= 2 { throw FakeBackend.failure(.wrongAnswer, status) }
            return Data()
        }
        let device = try await launch()
        let first = try await buy(SampleCatalog.coins, on: device)
        _ = try await buy(SampleCatalog.coins, on: device)
        let third = try await buy(SampleCatalog.coins, on: device)
        try await backend.until { $0.toldIDs == [third] }
        try await untilNoneWaits(device)
        #expect(try await device.reports().failures.map(\.transactionID) == [first])
        #expect(try await logged(by: device).map(\.transactionID) == [first])
        await device.close()
    }

    @Test(
        "nothing waits for a backend that hangs: purchases are delivered and finished, the device closes"
    )
    func hanging() async throws {
        let gate = Gate()
        backend.set { (request: BackendRequest) async throws(StoreError) in
            await gate.passWhenCancelled()
            throw FakeBackend.failure(.connectionLost)
        }
        let device = try await launch()
        for product in [SampleCatalog.coins, SampleCatalog.theme] {
            _ = try await buy(product, on: device)
        }
        await gate.reached()
        try await home.untilDelivered(2, on: device)
        try await home.untilFinished()
        #expect(try await device.reports().waiting == 2)
        await device.close()
        #expect(backend.asked().count == 1)
    }

    @Test("without a network nothing is sent; on return everything is")
    func offline() async throws {
        let device = try await launch()
        let first = try await buy(SampleCatalog.coins, on: device)
        try await backend.until { $0.told.count == 1 }
        try await device.setNetwork(.off(milliseconds: nil))
        let second = try #require(
            try await home.session().purchase(.of(SampleCatalog.theme)).number)
        #expect(try await device.reports().waiting == 0)
        try await device.setNetwork(.on)
        try await backend.until { $0.told.count == 2 }
        #expect(backend.toldIDs == [first, second])
        await device.close()
    }

    // MARK: - Another backend, another process

    @Test("another backend gets everything anew, and what waited for the one before is forgotten")
    func another() async throws {
        backend.fail(.unreachable)
        let clock = HandClock()
        let device = try await launch(elapsed: clock)
        let first = try await buy(SampleCatalog.coins, on: device)
        let second = try await buy(SampleCatalog.theme, on: device)
        try await home.untilDelivered(2, on: device)
        await clock.untilSleeping()
        backend.set { (request: BackendRequest) async throws(StoreError) in Data() }
        // Without a pause: it has not failed.
        try await device.setBackend(AppBackend("http://127.0.0.1:4000/app/"))
        try await backend.until { $0.toldIDs == [first, second] }
        let last = try #require(backend.asked().last)
        #expect(last.url == "http://127.0.0.1:4000/app/apple/transactions")
        try await untilNoneWaits(device)
        await device.close()
    }

    @Test("one process of a device reports, and another one goes on when that ends")
    func processes() async throws {
        let first = try await launch()
        let others = FakeBackend()
        let second = try await open(others)
        let updates = second.updates()
        try await second.launch()
        let coins = try await buy(SampleCatalog.coins, on: second)
        try await backend.until { $0.toldIDs == [coins] }
        try await untilNoneWaits(first)
        await first.close()
        _ = await updates.first { $0 == .leaseTaken ? true : nil }
        let theme = try await buy(SampleCatalog.theme, on: second)
        try await others.until { $0.toldIDs == [theme] }
        #expect(backend.toldIDs == [coins])
        await second.close()
    }

    @Test("what a command records ahead is reported by the process that delivers [G3]")
    func recordedAhead() async throws {
        try await home.sell(SampleCatalog.monthly)
        let device = try await open()
        try await device.setBackend(AppBackend.sample)
        _ = try await home.store.console.perform(.clock(.advance(.seconds(32 * 86_400))))
        _ = try await home.session().entitlements()
        try await device.takeInChanges()
        #expect(backend.asked().isEmpty)
        let waiting = try await device.reports().waiting
        #expect(waiting >= 2)
        try await device.launch()
        try await untilNoneWaits(device)
        // The launch reads the renewal again, which changes nothing and reports nothing.
        #expect(Set(backend.toldIDs).count == backend.told.count)
        #expect(backend.told.count >= waiting)
        await device.close()
    }

    // MARK: - Addresses

    @Test(
        "only a numeric address of this machine is a backend's, unless a person allows another",
        arguments: [
            ("http://127.0.0.1:3000", "http://127.0.0.1:3000", true),
            ("http://localhost:3000/a/", "http://127.0.0.1:3000/a", true),
            ("http://[::1]:3000", "http://[::1]:3000", true),
            ("HTTP://127.9.9.9", "http://127.9.9.9:80", true),
            ("http://192.0.2.7:3000", "http://192.0.2.7:3000", false),
            ("http://[2001:db8::1]:3000", "http://[2001:db8::1]:3000", false),
            ("http://127.0.0.1:3000/?a=b", nil, false), ("https://127.0.0.1", nil, false),
            ("http://example.com", nil, false), ("http://localhost.example.com", nil, false),
            ("http://me@127.0.0.1", nil, false), ("http://127.0.0.1:0", nil, false),
            ("http://2130706433", nil, false), ("http://0x7f.1", nil, false),
            ("127.0.0.1:3000", nil, false), ("", nil, false),
        ] as [(String, String?, Bool)])
    func addresses(url: String, address: String?, isHere: Bool) {
        #expect(AppBackend(url, isElsewhere: true)?.address == address)
        #expect(AppBackend(url)?.address == (isHere ? address : nil))
    }

    @Test("an account's name is escaped in the address of its list")
    func accountInQuery() throws {
        let backend = try #require(AppBackend.sample)
        #expect(
            backend.productsURL(of: "a+b@c.d-e_f")
                == "http://127.0.0.1:3000/products?account=a%2Bb%40c.d-e_f")
    }
}
