import DurableFiles
@testable import StoreDevice
import StoreEngine
import StoreModel
import StoreTestSupport
import Testing

/// Small values of the app on several devices of one account.
@Suite("values that follow the account", .timeLimit(.minutes(10))) struct AccountValueTests {
    private let home: Home

    init() async throws { home = try await Home() }

    private static func value(_ key: String, _ value: String?) -> AccountValue {
        AccountValue(key: key, value: value)
    }

    private static func place(_ offset: Int64, in path: String = "one.txt") -> ReadingPlace {
        ReadingPlace(
            productID: SampleCatalog.book, contentID: "text", path: path, offset: offset)
    }

    @Test("a value set on one device is read on the others, which an event tells; last wins [A16]")
    func twoDevices() async throws {
        let phone = try await home.launch()
        let tablet = try await home.launch("tablet")
        let updates = tablet.updates()
        #expect(try await phone.setValue(Self.value("chapter", "7")))
        let told = await updates.first { update -> AccountValue? in
            if case .event(.valueChanged(let change)) = update { change } else { nil }
        }
        #expect(told == Self.value("chapter", "7"))
        #expect(try await tablet.values() == ["chapter": "7"])
        #expect(try await tablet.setValue(Self.value("chapter", "8")))
        #expect(try await phone.values() == ["chapter": "8"])
        #expect(try await phone.setValue(Self.value("chapter", nil)))
        #expect(try await tablet.values().isEmpty)
        // Another account of the same store has its own.
        let other = try await home.launch("phone", of: "kai")
        #expect(try await other.values().isEmpty)
    }

    @Test("changes made offline are kept and sent on return; the position in the ledger decides")
    func offline() async throws {
        let phone = try await home.launch()
        let tablet = try await home.launch("tablet")
        #expect(try await phone.setValue(Self.value("a", "1")))
        _ = try await phone.values()
        try await phone.setNetwork(.off(milliseconds: nil))
        #expect(try await tablet.setValue(Self.value("a", "tablet")))
        #expect(try await tablet.setValue(Self.value("b", "tablet")))
        #expect(try await !phone.setValue(Self.value("a", "phone")))
        #expect(try await !phone.setValue(Self.value("c", "phone")))
        #expect(try await phone.values() == ["a": "phone", "c": "phone"])
        // The changes outlive the process.
        await phone.close()
        let next = try await home.launch()
        #expect(try await next.values() == ["a": "phone", "c": "phone"])
        #expect(try await DeviceRecords.unsent(on: next) == ["a", "c"])
        #expect(try await home.session().values() == ["a": "tablet", "b": "tablet"])
        try await next.setNetwork(.on)
        try await home.untilStore { try await home.session().values()["c"] == "phone" }
        let merged = ["a": "phone", "b": "tablet", "c": "phone"]
        #expect(try await next.values() == merged)
        #expect(try await DeviceRecords.unsent(on: next).isEmpty)
        #expect(try await tablet.values() == merged)
    }

    @Test("of two changes that two processes of a device send at once, the later one holds [A16]")
    func sentAtOnce() async throws {
        let gate = Gate()
        let phone = try await home.launch {
            $0.beforeValue = { (_: AccountValue) async throws(StoreError) in await gate.pass() }
        }
        async let first = phone.setValue(Self.value("chapter", "1"))
        await gate.reached()
        let other = try await home.open()
        // The second change is not sent before the first one, which would overwrite it. A task that
        // is cancelled does not wait for that, so the change is only recorded.
        let second = Task { try await other.setValue(Self.value("chapter", "2")) }
        second.cancel()
        #expect(try await !second.value)
        #expect(try await home.session().values().isEmpty)
        #expect(try await DeviceRecords.unsent(on: other) == ["chapter"])
        gate.open()
        let isSent = try await first
        #expect(isSent)
        #expect(try await other.values() == ["chapter": "2"])
        #expect(try await home.session().values() == ["chapter": "2"])
        // A change back to the former value is a change, too.
        #expect(try await phone.setValue(Self.value("chapter", "1")))
        #expect(try await home.session().values() == ["chapter": "1"])
    }

    @Test("a change to what this device knows is sent: another one has changed the key [A16]")
    func changedElsewhere() async throws {
        // Neither device is launched, so neither hears of the other's changes.
        let phone = try await home.open()
        let tablet = try await home.open("tablet")
        try await phone.change(Self.value("theme", "theme.sepia"))
        #expect(try await phone.setValue(Self.value("chapter", "1")))
        try await tablet.change(Self.value("theme", "theme.night"))
        #expect(try await tablet.setValue(Self.value("chapter", "2")))
        try await phone.setNetwork(.off(milliseconds: nil))
        #expect(try await !phone.setValue(Self.value("chapter", "1")))
        // A setting of the device leaves the theme to the other device, whatever theme was shown.
        var settings = DeviceSettings(theme: "theme.sea")
        settings.isMetered = true
        try await phone.change(settings)
        try await phone.setNetwork(.on)
        #expect(try await phone.values() == ["chapter": "1", "theme": "theme.night"])
        #expect(try await tablet.values() == ["chapter": "1", "theme": "theme.night"])
    }

    @Test("room that another device has made counts at once")
    func roomElsewhere() async throws {
        let phone = try await home.open()
        let tablet = try await home.open("tablet")
        let most = String(repeating: "x", count: AccountValue.bytesMax)
        #expect(try await phone.setValue(Self.value("all", most)))
        #expect(try await tablet.setValue(Self.value("all", nil)))
        #expect(try await phone.setValue(Self.value("other", most)))
    }

    @Test("a refusal reaches the one who made the change, whichever process of the device sends it")
    func refusedForAnother() async throws {
        let tablet = home.session("tablet")
        let all = Self.value("all", String(repeating: "x", count: AccountValue.bytesMax))
        // The tablet takes all room when a change of the phone is on its way.
        let script: (inout ScriptedStore) -> Void = {
            $0.beforeValue = { (_: AccountValue) async throws(StoreError) in
                try await tablet.setValue(all)
            }
        }
        let phone = try await home.open(script: script)
        let other = try await home.open(script: script)
        let sending = Task { while !Task.isCancelled { _ = try await other.values() } }
        defer { sending.cancel() }
        for _ in 1...30 {
            try await tablet.setValue(Self.value("all", nil))
            let error = await #expect(throws: StoreError.self) {
                try await phone.setValue(Self.value("mine", "x"))
            }
            #expect(error?.code == .valuesFull)
        }
    }

    @Test("a change whose answer was lost is sent again by the next process, and recorded once")
    func answerLost() async throws {
        let phone = try await home.launch {
            $0.afterValue = { (_: AccountValue) async throws(StoreError) in
                throw StoreError(.storeBusy)
            }
        }
        #expect(try await !phone.setValue(Self.value("chapter", "7")))
        #expect(try await DeviceRecords.unsent(on: phone) == ["chapter"])
        await phone.close()
        let head = try await home.session().head()
        let next = try await home.launch()
        #expect(try await next.values() == ["chapter": "7"])
        #expect(try await DeviceRecords.unsent(on: next).isEmpty)
        #expect(try await home.session().head() == head)
    }

    @Test("a change is refused at once, or given up when the account has become full meanwhile")
    func full() async throws {
        let phone = try await home.launch()
        let most = String(repeating: "x", count: AccountValue.bytesMax - 10)
        let error = await #expect(throws: StoreError.self) {
            try await phone.setValue(Self.value("big", most + most))
        }
        #expect(error?.code == .valuesFull && error?.subject == "bytes")
        #expect(try await phone.values().isEmpty)
        try await phone.setNetwork(.off(milliseconds: nil))
        #expect(try await !phone.setValue(Self.value("mine", "twenty bytes of text")))
        let tablet = try await home.launch("tablet")
        #expect(try await tablet.setValue(Self.value("theirs", most)))
        try await phone.setNetwork(.on)
        try await home.until(phone) {
            try await phone.logEntries(before: nil, limit: 9).contains { entry in
                if case .trouble(let error) = entry.what {
                    error.code == .valuesFull
                } else {
                    false
                }
            }
        }
        let known = try await phone.values()
        #expect(known["mine"] == nil && known["theirs"] == most)
    }

    @Test("theme, language and the place read last follow the account, also to a new device [A16]")
    func themeAndPlace() async throws {
        let phone = try await home.launch()
        try await phone.remember(Self.place(100))
        try await phone.remember(Self.place(200, in: "part/two.txt"))
        try await phone.change(Self.value("theme", "theme.sepia"))
        try await phone.change(Self.value("language", "ja"))
        let tablet = try await home.launch("tablet")
        try await home.until(tablet) {
            let known = try await tablet.settings()
            return known.theme == "theme.sepia" && known.language == "ja"
        }
        #expect(
            try await tablet.readingPlaces(of: SampleCatalog.book)
                == [Self.place(200, in: "part/two.txt")])
        // What the tablet reads on, the phone goes on with; its other places stay its own.
        try await tablet.remember(Self.place(300))
        try await home.until(phone) {
            try await phone.readingPlaces(of: SampleCatalog.book)
                == [Self.place(300), Self.place(200, in: "part/two.txt")]
        }
        for key in ["theme", "language"] { try await tablet.change(Self.value(key, nil)) }
        try await home.until(phone) { try await phone.settings() == DeviceSettings() }
    }

    @Test("a theme that a version before kept on the device holds until one is chosen")
    func olderTheme() async throws {
        let phone = try await home.open()
        try await phone.database.write {
            try DeviceRecords($0).set("settings", DeviceSettings(theme: "theme.sepia"))
        }
        try await phone.change(DeviceSettings())
        #expect(try await phone.settings().theme == "theme.sepia")
        try await phone.change(Self.value("theme", nil))
        #expect(try await phone.settings() == DeviceSettings())
    }

    @Test("while somebody reads, the place is sent once a minute at most, and at the end")
    func placesOfAReader() async throws {
        let phone = try await home.launch()
        func sent() async throws -> String {
            let key = AccountValue.readingKey(SampleCatalog.book)
            return try await home.session().values()[key] ?? ""
        }
        let updates = phone.updates()
        try await phone.remember(Self.place(1))
        // The event of the first place sends whatever is unsent then.
        _ = await updates.first { update -> AccountValue? in
            if case .event(.valueChanged(let change)) = update { change } else { nil }
        }
        for offset in 2...9 { try await phone.remember(Self.place(Int64(offset))) }
        #expect(try await sent().contains("\"offset\":1}"))
        #expect(try await phone.readingPlaces(of: SampleCatalog.book) == [Self.place(9)])
        await phone.closeContent()
        #expect(try await sent().contains("\"offset\":9}"))
    }

    @Test("a signed-out device keeps its changes until it is signed in again")
    func signedOut() async throws {
        let phone = try await home.launch()
        try await phone.setSignedIn(false)
        #expect(try await !phone.setValue(Self.value("chapter", "7")))
        #expect(try await home.session().values().isEmpty)
        try await phone.setSignedIn(true)
        #expect(try await home.session().values() == ["chapter": "7"])
    }

    @Test("a value of another program that only looks like a place is left alone")
    func foreignPlaces() async throws {
        let phone = try await home.launch()
        for (key, value) in [
            ("reading.other", "{}"), ("reading." + SampleCatalog.book.rawValue, "nonsense"),
            (
                "reading.other",
                """
                {"contentID":"text","offset":5,"path":"one.txt",
                "productID":"\(SampleCatalog.book.rawValue)"}
                """
            ),
        ] {
            #expect(try await phone.setValue(Self.value(key, value)))
        }
        #expect(try await phone.readingPlaces(of: SampleCatalog.book).isEmpty)
    }
}

extension DeviceRecords {
    fileprivate static func unsent(on device: Device) async throws -> [String] {
        try await device.database.read { try DeviceRecords($0).unsentValues.map(\.key) }
    }
}
