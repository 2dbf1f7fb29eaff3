import Crypto
import Foundation
import GRDBSQLite
import StoreDevice
import StoreEngine
import StoreModel
import StoreTestSupport
import Testing

/// The records that a device keeps for use without a network, edited by hand: they grant only
/// purchases that the store has signed for this account on this device.
@Suite("forged records of an offline device", .timeLimit(.minutes(10)))
struct OfflineForgeryTests {
    private let home: Home

    init() async throws { home = try await Home() }

    // MARK: - The database

    private func database(
        _ account: AccountName = "aoi", _ work: (OpaquePointer?) throws -> Void
    ) throws {
        var handle: OpaquePointer?
        defer { sqlite3_close(handle) }
        let path = try home.deviceFolder(of: account).databasePath
        #expect(sqlite3_open(path, &handle) == SQLITE_OK)
        try work(handle)
    }

    private func row(_ name: String, of account: AccountName = "aoi") throws -> Data {
        var found = Data()
        try database(account) { handle in
            var statement: OpaquePointer?
            defer { sqlite3_finalize(statement) }
            let sql = "SELECT value FROM meta WHERE name = '\(name)'"
            #expect(sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK)
            #expect(sqlite3_step(statement) == SQLITE_ROW, "\(name)")
            if let start = sqlite3_column_blob(statement, 0) {
                found = Data(bytes: start, count: Int(sqlite3_column_bytes(statement, 0)))
            }
        }
        return found
    }

    private func put(_ name: String, _ value: Data) throws {
        let hex = value.map { String(format: "%02x", $0) }.joined()
        try database { handle in
            let sql = "INSERT OR REPLACE INTO meta (name, value) VALUES ('\(name)', x'\(hex)')"
            #expect(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK)
        }
    }

    /// The first 32 bytes are the seal. `isSealed` makes it again, as by a person with the key.
    private func edit(
        _ name: String, isSealed: Bool, _ change: (String) -> String
    ) throws {
        let before = try row("kept:" + name)
        let body = Data(change(String(decoding: before.dropFirst(32), as: UTF8.self)).utf8)
        #expect(body != before.dropFirst(32), "nothing was edited in \(name)")
        var seal = Data(before.prefix(32))
        if isSealed {
            let key = try JSONDecoder().decode(Data.self, from: row("sealKey"))
            seal = Data(
                HMAC<SHA256>.authenticationCode(
                    for: Data("kept:\(name)\u{0}".utf8) + body, using: SymmetricKey(data: key)))
        }
        try put("kept:" + name, seal + body)
    }

    /// Offline and closed. It owns the theme, and knows a subscription bought on the tablet.
    private func prepare(_ account: AccountName = "aoi") async throws {
        let tablet = home.session("tablet", of: account)
        let sold = try await tablet.purchase(.of(SampleCatalog.monthly))
        _ = try await tablet.finish(#require(sold.number))
        let device = try await home.launch(of: account)
        _ = try await device.buy(.of(SampleCatalog.theme))
        try await home.untilDelivered(1, on: device)
        _ = try await device.products(nil)
        _ = try await device.accountSettings()
        #expect(try await device.entitlements().value.count == 2)
        try await device.setNetwork(.off(milliseconds: nil))
        await device.close()
    }

    private struct Known {
        var products: [ProductID]
        var altered: Set<String>
    }

    private func known() async throws -> Known {
        let device = try await home.open()
        let answer = try await device.entitlements()
        #expect(!answer.isFresh)
        return Known(
            products: answer.value.map(\.productID).sorted(),
            altered: Set(device.alteredRecords.compactMap(\.subject)))
    }

    private func expect(_ products: [ProductID], altered: Set<String>) async throws {
        let known = try await known()
        #expect(known.products == products)
        #expect(known.altered == altered)
    }

    @Test("what the store answered the account is known without a network, if nobody edits it [F4]")
    func untouched() async throws {
        try await prepare()
        try await expect([SampleCatalog.monthly, SampleCatalog.theme], altered: [])
    }

    @Test("edited entitlements without a seal are not used", arguments: ["monthly", "theme"])
    func unsealed(word: String) async throws {
        try await prepare()
        try edit("entitlements", isSealed: false) {
            $0.replacingOccurrences(of: "test.\(word)", with: "test.theme.other")
        }
        try await expect([SampleCatalog.theme], altered: ["entitlements"])
    }

    @Test("an entitlement added with a fitting seal unlocks nothing: nobody signed it [A13]")
    func added() async throws {
        try await prepare()
        try edit("entitlements", isSealed: true) { body in
            // The signed text of the subscription, under another transaction number.
            guard let first = body.firstRange(of: "\"transactionID\":\"") else { return body }
            return body.replacingCharacters(in: first, with: "\"transactionID\":\"9")
        }
        try await expect([SampleCatalog.theme], altered: ["entitlements"])
    }

    @Test("an end that was moved, with a fitting seal, does not count")
    func movedEnd() async throws {
        try await prepare()
        try edit("entitlements", isSealed: true) { body in
            let pattern = /"until":(\d+)/
            return body.replacing(pattern) { _ in "\"until\":4102444799000" }
        }
        home.store.clock.advance(byMilliseconds: 40 * 86_400_000)
        #expect(try await known().products == [SampleCatalog.theme])
    }

    @Test(
        "without a network access goes on in a grace period that the store has signed, and no longer"
    )
    func grace() async throws {
        _ = try await home.store.console.perform(
            .setRenewals(RenewalsChange(failsBilling: true, hasGracePeriod: true)))
        let device = try await home.launch()
        _ = try await device.buy(.of(SampleCatalog.monthly))
        try await home.untilDelivered(1, on: device)
        home.store.clock.advance(byMilliseconds: 33 * 86_400_000)
        let fresh = try #require(try await device.entitlements().value.first)
        #expect(fresh.renewalInfo != nil)
        try await device.setNetwork(.off(milliseconds: nil))
        let kept = try await device.entitlements()
        #expect(!kept.isFresh && kept.value.map(\.until) == [fresh.until])
        await device.close()
        #expect(try await known().products == [SampleCatalog.monthly])
        // An edited signed text grants nothing, even with a correct seal.
        let row = try row("kept:entitlements")
        try edit("entitlements", isSealed: true) {
            $0.replacing(/"renewalInfo":"([^"]+)..."/) { "\"renewalInfo\":\"\($0.1)AAA\"" }
        }
        #expect(try await known().products == [])
        try put("kept:entitlements", row)
        home.store.clock.advance(byMilliseconds: 20 * 86_400_000)
        #expect(try await known().products == [])
    }

    @Test("an end that was moved within the signed text breaks its signature")
    func movedSignedEnd() async throws {
        try await prepare()
        try edit("entitlements", isSealed: true) { body in
            body.replacing(/"transaction":"([^".]+)\.([^".]+)\./) { match -> String in
                let payload = UnlockReader.bytes(String(match.2)) ?? Data()
                let moved = String(decoding: payload, as: UTF8.self)
                    .replacing(/"expiresDate":\d+/) { _ in "\"expiresDate\":4102444799000" }
                return "\"transaction\":\"\(match.1).\(UnlockReader.text(Data(moved.utf8)))."
            }
        }
        try await expect([SampleCatalog.theme], altered: ["entitlements"])
    }

    @Test("another account's kept answers unlock nothing, with its key or without [A13]")
    func anotherAccounts() async throws {
        try await prepare()
        try await prepare("kai")
        let others = try row("kept:entitlements", of: "kai")
        try put("kept:entitlements", others)
        try await expect([SampleCatalog.theme], altered: ["entitlements"])
        // With the other account's key the seal is correct, but the texts were signed for that
        // account, and the seals of this account's own deliveries are wrong now.
        try put("sealKey", row("sealKey", of: "kai"))
        let found = try await known()
        #expect(found.products.isEmpty)
        #expect(found.altered.contains("entitlements"))
    }

    @Test("another account's whole database unlocks nothing")
    func anotherAccountsDatabase() async throws {
        try await prepare()
        try await prepare("kai")
        for ending in ["-shm", "-wal", ""] {
            let mine = try home.deviceFolder().databasePath + ending
            let others = try home.deviceFolder(of: "kai").databasePath + ending
            try? FileManager.default.removeItem(atPath: mine)
            // SQLite makes the WAL's index (-shm) again.
            if ending != "-shm", FileManager.default.fileExists(atPath: others) {
                try FileManager.default.copyItem(atPath: others, toPath: mine)
            }
        }
        let device = try await home.open()
        #expect(try await device.entitlements().value.isEmpty)
        #expect(!device.alteredRecords.isEmpty)
        let error = await #expect(throws: StoreError.self) {
            try await device.accountSettings()
        }
        #expect(error?.isNetworkOff == true, "another account's settings are not this one's")
    }

    @Test("an edited clock is not used: the device goes by the store's")
    func clock() async throws {
        try await prepare()
        _ = try await home.store.console.perform(.clock(.advance(.seconds(90 * 86_400))))
        // If the device believed a stopped clock, the subscription would never end.
        try edit("contact", isSealed: false) { _ in
            #"{"aheadMilliseconds":0,"at":0,"state":{"stopped":{"at":1800000000000}}}"#
        }
        let found = try await known()
        #expect(found.products == [SampleCatalog.theme])
        #expect(found.altered == ["contact"])
    }

    @Test("edited products are not shown, and unlock nothing")
    func products() async throws {
        try await prepare()
        try edit("products", isSealed: false) {
            $0.replacingOccurrences(of: "theme.sepia", with: "everything")
        }
        let device = try await home.open()
        let error = await #expect(throws: StoreError.self) { try await device.products(nil) }
        #expect(error?.isNetworkOff == true)
        #expect(device.alteredRecords.map(\.subject) == ["products"])
    }

    @Test("a delivery inserted by hand is no entitlement without a network either")
    func delivery() async throws {
        try await prepare()
        try database { handle in
            let sql = """
                INSERT INTO deliveries
                (id, product, kind, quantity, unit, amount, delivered_at, is_void, signed, as_of)
                SELECT 999999, 'test.theme.other', kind, quantity, unit, amount, delivered_at,
                is_void, signed, as_of FROM deliveries
                """
            #expect(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK)
        }
        #expect(
            try await known().products == [SampleCatalog.monthly, SampleCatalog.theme])
    }

    // MARK: - The network file

    @Test(
        "a network file that this program did not write means that the network is on",
        arguments: NetworkForgery.allCases)
    func networkFile(_ forgery: NetworkForgery) async throws {
        let device = try await home.open()
        let path = try home.deviceFolder().networkPath
        let target = home.folder.path + "/elsewhere"
        try home.folder.write(#"{"state":"off","version":1}"#, to: "elsewhere")
        switch forgery {
        case .garbage: try Data([0, 1, 2, 255]).write(to: URL(filePath: path))
        case .otherVersion:
            try Data(#"{"state":"off","version":2}"#.utf8).write(to: URL(filePath: path))
        case .otherWords:
            try Data(#"{"state":"away","version":1}"#.utf8).write(to: URL(filePath: path))
        case .huge:
            let text = #"{"state":"off","version":1}"# + String(repeating: " ", count: 100_000)
            try Data(text.utf8).write(to: URL(filePath: path))
        case .hugeNumber:
            let until = #"{"bootID":"x","length":9223372036854775807,"system":-1,"uptime":-1}"#
            try Data(#"{"state":"off","until":\#(until),"version":1}"#.utf8)
                .write(to: URL(filePath: path))
        case .negative:
            let until = #"{"bootID":"","length":-5,"system":9e18,"uptime":9}"#
            try Data(#"{"state":"off","until":\#(until),"version":1}"#.utf8)
                .write(to: URL(filePath: path))
        case .link:
            try FileManager.default.createSymbolicLink(
                atPath: path, withDestinationPath: target)
        case .folder:
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false)
        case .pipe: #expect(mkfifo(path, 0o600) == 0)
        }
        #expect(device.network() == .on)
        #expect(try await device.entitlements().isFresh)
        guard forgery != .folder else {
            let error = await #expect(throws: StoreError.self) {
                try await device.setNetwork(.off(milliseconds: nil))
            }
            #expect(error?.code == .deviceUnreadable)
            return
        }
        // Setting the network replaces the file, instead of writing through a link.
        try await device.setNetwork(.off(milliseconds: nil))
        #expect(device.network() == .off(remaining: nil))
        #expect(
            try String(contentsOfFile: target, encoding: .utf8) == #"{"state":"off","version":1}"#)
        try await device.setNetwork(.on)
        #expect(device.network() == .on)
    }

    enum NetworkForgery: CaseIterable {
        case garbage, otherVersion, otherWords, huge, hugeNumber, negative, link, folder, pipe
    }
}
