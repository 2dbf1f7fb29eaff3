import StoreDevice
import StoreModel
import StoreTestSupport
import Testing

/// The log, the settings and the reading positions of a device.
@Suite("what a device keeps for its app", .timeLimit(.minutes(10))) struct DeviceLogTests {
    private static let book = SampleCatalog.book
    private let home: Home

    init() async throws { home = try await Home() }

    private func entries(
        of device: Device, _ before: Int64? = nil, _ limit: Int = 100
    ) async throws -> [DeviceLogEntry.What] {
        try await device.logEntries(before: before, limit: limit).map(\.what)
    }

    private func log(_ device: Device, until what: DeviceLogEntry.What) async throws {
        try await home.until(device) { try await entries(of: device).first == what }
    }

    // MARK: - Log

    @Test("a download, its deletion and its return are logged, newest first")
    func downloads() async throws {
        let device = try await home.launch()
        _ = try await device.buy(.of(Self.book))
        let downloaded = DeviceLogEntry.What.downloaded(
            Self.book, contentID: "text", version: "1.0", bytes: Home.bookLength)
        try await log(device, until: downloaded)
        try await device.deleteContent(of: Self.book)
        try await device.resumeDownloads(of: Self.book)
        try await home.until(device) { try await entries(of: device).count == 4 }
        // Requesting content that is on the device already is no event.
        try await device.resumeDownloads(of: Self.book)
        #expect(
            try await entries(of: device) == [
                downloaded, .downloadResumed(Self.book), .contentDeleted(Self.book), downloaded,
            ])
        await device.close()
    }

    @Test("a paused, resumed and cancelled download is logged at each step, once")
    func stopped() async throws {
        let device = try await home.open()
        _ = try await device.restore()
        let buying = try await home.launch { script in
            script.beforeBytes = { (_: String, _: Int64, _: Int) async throws(StoreError) in
                throw StoreError(.networkError)
            }
        }
        _ = try await buying.buy(.of(Self.book))
        try await log(
            device,
            until: .downloadFailed(Self.book, contentID: "text", StoreError(.networkError)))
        await buying.close()
        try await device.resumeDownloads(of: Self.book)
        try await device.pauseDownloads(of: Self.book)
        try await device.pauseDownloads(of: Self.book)
        try await device.cancelDownloads(of: Self.book)
        #expect(
            try await entries(of: device).prefix(3) == [
                .downloadCancelled(Self.book), .downloadPaused(Self.book),
                .downloadResumed(Self.book),
            ])
        #expect(try await entries(of: device).count == 5)
    }

    @Test("a restore is logged with what it found, in a write that it makes anyway")
    func restore() async throws {
        let phone = try await home.launch("phone")
        for product in [SampleCatalog.theme, SampleCatalog.book] {
            _ = try await phone.buy(.of(product))
        }
        try await home.untilFinished()
        await phone.close()
        let tablet = try await home.open("tablet")
        let before = tablet.commits
        _ = try await tablet.restore()
        #expect(tablet.commits == before + 1)
        _ = try await tablet.restore()
        #expect(
            try await entries(of: tablet) == [
                .restored(count: 0, alreadyHere: 2, unverified: 0),
                .restored(count: 2, alreadyHere: 0, unverified: 0),
            ])
    }

    @Test("a restore that fails is logged with its error")
    func failedRestore() async throws {
        let device = try await home.open { script in
            script.beforeRestorable = { () async throws(StoreError) in
                throw StoreError(.networkError)
            }
        }
        await #expect(throws: StoreError.self) { try await device.restore() }
        guard case .restoreFailed(let error) = try await entries(of: device).first else {
            Issue.record("no failed restore in the log")
            return
        }
        #expect(error.code == .networkError)
    }

    @Test("a purchase that an earlier process left unfinished is logged at the launch, once [A12]")
    func finishedAtLaunch() async throws {
        let device = try await home.open()
        let outcome = try await device.buy(.of(SampleCatalog.theme))
        guard case .purchased(_, let left, _) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        await device.close()
        let next = try await home.launch()
        try await log(next, until: .finishedAtLaunch(left, SampleCatalog.theme))
        _ = try await next.buy(.of(SampleCatalog.otherTheme))
        try await home.untilFinished()
        await next.close()
        let last = try await home.launch()
        try await home.untilFinished()
        #expect(
            try await entries(of: last) == [.finishedAtLaunch(left, SampleCatalog.theme)])
        await last.close()
    }

    @Test("a purchase with content costs the device's own writes and none for its log")
    func commits() async throws {
        let device = try await home.launch()
        // The launch may deliver the first sale from the list of unfinished transactions and then
        // again from its event. The second sale is delivered only by its event, after that.
        for product in [SampleCatalog.theme, SampleCatalog.otherTheme] {
            _ = try await device.buy(.of(product))
            try await home.untilFinished()
        }
        let before = device.commits
        _ = try await device.buy(.of(Self.book))
        try await home.untilFinished()
        // One commit each: payment queued, sale delivered, download begun, download finished.
        #expect(device.commits - before == 4)
        await device.close()
    }

    @Test("an entry of the front end is logged with the store's time and the next number")
    func frontEnd() async throws {
        let device = try await home.open()
        let what: [DeviceLogEntry.What] = [
            .catalogRefused(problem: "line 2"), .catalogRefused(problem: "line 3"), .leaseTaken,
            .trouble(StoreError(.storeFull)),
        ]
        for one in what { try await device.log(one) }
        let entries = try await device.logEntries(before: nil, limit: 100)
        #expect(entries.map(\.what) == what.reversed())
        #expect(entries.map(\.number) == [4, 3, 2, 1])
        #expect(Set(entries.map(\.at)) == [home.store.clock.now()])
        #expect(try await self.entries(of: device, 3, 1) == [what[1]])
        #expect(try await self.entries(of: device, nil, 0).isEmpty)
        #expect(try await self.entries(of: device, nil, -1).isEmpty)
        #expect(try await self.entries(of: device, 1).isEmpty)
    }

    @Test("the log keeps the newest 10,000 entries")
    func bound() async throws {
        let device = try await home.open()
        let count = DeviceLimits.logEntriesMax + 3
        // Entries that are logged at the same time share commits.
        try await withThrowingTaskGroup { group in
            for _ in 0..<count { group.addTask { try await device.log(.leaseTaken) } }
            try await group.waitForAll()
        }
        let entries = try await device.logEntries(before: nil, limit: .max)
        #expect(entries.count == DeviceLimits.logEntriesMax)
        #expect(entries.first?.number == Int64(count))
        #expect(entries.last?.number == 4)
    }

    @Test("an entry that this program cannot read is unknown, and the others are listed")
    func unreadable() async throws {
        let device = try await home.open()
        try await device.log(.leaseTaken)
        await device.close()
        try home.alter(#"UPDATE log SET body = '{"somethingLater":{"_0":1}}'"#)
        let next = try await home.open()
        try await next.log(.leaseTaken)
        #expect(try await entries(of: next) == [.leaseTaken, .unknown])
    }

    // MARK: - Payments of processes that ended

    /// Leaves a payment in the queue without a process that sends it, as after SIGKILL.
    private func leave() async throws -> Payment {
        let device = try await home.open { script in
            script.beforePurchase = { (_: Payment) async throws(StoreError) in
                throw StoreError(.outcomeUnknown)
            }
        }
        let payment = Payment.of(SampleCatalog.coins)
        await #expect(throws: StoreError.self) { try await device.buy(payment) }
        await device.close()
        return payment
    }

    @Test("a payment that was sent again is logged with its delivery")
    func resent() async throws {
        let payment = try await leave()
        let device = try await home.launch()
        try await home.untilDelivered(1, on: device)
        #expect(
            try await entries(of: device) == [.paymentResent(payment.id, SampleCatalog.coins)])
        await device.close()
    }

    @Test("a payment that is held is logged once")
    func held() async throws {
        let payment = try await leave()
        let price = Money(milliunits: 1, currency: "USD")
        for _ in 0..<2 {
            let device = try await home.open()
            let updates = device.updates()
            try await device.launch(resendingAtMost: price)
            let held = await updates.first {
                if case .held(let queued) = $0 { queued } else { nil }
            }
            #expect(held?.payment == payment)
            try await home.until(device) {
                try await device.queuedPayments().map(\.state) == [.held]
            }
            #expect(
                try await entries(of: device) == [.paymentHeld(payment.id, SampleCatalog.coins)])
            await device.close()
        }
    }

    // MARK: - Settings and reading places

    @Test("settings are kept, and seen by other processes of the device")
    func settings() async throws {
        let device = try await home.open()
        let other = try await home.open()
        #expect(try await device.settings() == DeviceSettings())
        var settings = DeviceSettings()
        settings.makesRoom = true
        try await device.change(settings)
        #expect(try await other.settings() == settings)
        try await other.change(DeviceSettings())
        #expect(try await device.settings() == DeviceSettings())
        let tablet = try await home.open("tablet")
        try await device.change(settings)
        #expect(try await tablet.settings() == DeviceSettings())
    }

    @Test("a reading place is kept for each file, the file open last first")
    func places() async throws {
        let device = try await home.open()
        func place(_ path: String, _ offset: Int64, of product: ProductID = Self.book)
            -> ReadingPlace
        {
            ReadingPlace(productID: product, contentID: "text", path: path, offset: offset)
        }
        try await device.remember(place("one.txt", 10))
        try await device.remember(place("two.txt", 20))
        try await device.remember(place("one.txt", 30, of: "another"))
        #expect(
            try await device.readingPlaces(of: Self.book) == [
                place("two.txt", 20), place("one.txt", 10),
            ])
        try await device.remember(place("one.txt", 11))
        #expect(
            try await device.readingPlaces(of: Self.book) == [
                place("one.txt", 11), place("two.txt", 20),
            ])
    }

    @Test("the thousand reading places used last are kept")
    func placesBound() async throws {
        let device = try await home.open()
        let count = DeviceLimits.readingPlacesMax + 2
        for number in 0..<count {
            try await device.remember(
                ReadingPlace(
                    productID: Self.book, contentID: "text", path: "\(number)", offset: 0))
        }
        let places = try await device.readingPlaces(of: Self.book)
        #expect(places.count == DeviceLimits.readingPlacesMax)
        #expect(places.first?.path == String(count - 1))
        #expect(places.last?.path == "2")
    }
}
