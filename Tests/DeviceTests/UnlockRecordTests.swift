import Crypto
import Foundation
import StoreDevice
import StoreEngine
import StoreModel
import StoreTestSupport
import Testing

/// The signed record from which other programs learn the unlocks of a device.
@Suite("the record of unlocks", .timeLimit(.minutes(10))) struct UnlockRecordTests {
    private let home: Home

    init() async throws { home = try await Home() }

    /// Waits until the record has these unlocks.
    private func until(
        _ unlocks: [UnlockID], _ device: Device, _ reader: UnlockReader
    ) async throws {
        let (wakes, areWatched) = device.unlockWakes()
        #expect(areWatched)
        for await _ in wakes {
            if let record = try reader.readIfThere(), record.unlocks == unlocks { return }
        }
        Issue.record("no record of \(unlocks) was written")
    }

    @Test("a renewal taken in for the record is published as new by the next launch, once [D2]")
    func takenInAhead() async throws {
        let device = try await home.launch()
        _ = try await device.buy(.of(SampleCatalog.monthly))
        try await home.untilFinished()
        await device.close()
        _ = try await home.store.console.perform(.clock(.advance(.seconds(32 * 86_400))))
        _ = try await home.session().entitlements()
        // Read the changes twice, as two runs of the command `unlocks` would.
        let reader = try await home.open()
        for _ in 0..<2 { try await reader.takeInChanges() }
        #expect(try await reader.deliveries().count == 2)
        await reader.close()

        func published() async throws -> Bool? {
            let launched = try await home.open()
            let updates = launched.updates()
            try await launched.launch()
            _ = try await launched.buy(.of(SampleCatalog.coins))
            // The sale of the coins is the last one.
            var renewal: Bool?
            for await update in updates {
                guard case .transaction(.verified(let payload), _, let isNew) = update else {
                    continue
                }
                if payload.transactionReason == .renewal { renewal = (renewal ?? false) || isNew }
                if payload.productId == SampleCatalog.coins { break }
            }
            try await home.untilFinished()
            await launched.close()
            return renewal
        }
        #expect(try await published() == true)
        #expect(try await published() != true)
    }

    @Test("it is written at launch, purchase and refund, and verifies by the key beside it [A7]")
    func written() async throws {
        let reader = UnlockReader(try home.deviceFolder())
        let device = try await home.launch()
        try await until([], device, reader)
        let first = try reader.read()
        #expect(first.bundleID == "com.example.test" && first.environment == .sandbox)
        #expect(first.device == "phone")
        #expect(first.products.isEmpty && first.validUntil == nil && first.version == 1)
        #expect(first.asOf == home.store.engine.clock.now())

        let updates = device.updates()
        let outcome = try await device.buy(.of(SampleCatalog.theme))
        let theme = try #require(outcome.number)
        #expect(await updates.first { $0.arrived == theme ? true : nil } == true)
        // The record has the theme before the device reports the purchase.
        let bought = try reader.read()
        #expect(bought.unlocks == ["theme.sepia"])
        #expect(bought.products.map(\.transactionID) == [theme])

        // Consumables are no entitlements, so the record is not written.
        _ = try await device.buy(.of(SampleCatalog.coins))
        try await home.untilFinished()
        #expect(try reader.read() == bought)

        _ = try await home.store.console.perform(.refund(theme, .rest, reason: .other))
        try await until([], device, reader)
        _ = try await home.store.console.perform(.reverseRefund(theme))
        try await until(["theme.sepia"], device, reader)
        await device.close()

        // The next launch writes the record again, with the time of the launch.
        home.store.clock.advance(byMilliseconds: 5_000)
        let next = try await home.launch()
        for await _ in next.unlockWakes().wakes {
            if try reader.read().asOf == home.store.engine.clock.now() { break }
        }
        #expect(try reader.read().unlocks == ["theme.sepia"])
    }

    @Test("it says until when it holds, and what ended is gone when the clock passes that")
    func ends() async throws {
        let reader = UnlockReader(try home.deviceFolder())
        let device = try await home.launch()
        _ = try await device.buy(.of(SampleCatalog.monthly))
        try await until(["club", "theme.sepia"], device, reader)
        let record = try reader.read()
        let end = try #require(record.validUntil)
        #expect(record.products.map(\.until) == [end])
        let id = try #require(record.products.first?.transactionID)
        _ = try await home.store.console.perform(.setAutoRenew(id, false))
        _ = try await home.store.console.perform(.clock(.to(end)))
        try await until([], device, reader)
        #expect(try reader.read().validUntil == nil)
    }

    @Test("it is what the device knows while its network is cut, and current again on return")
    func offline() async throws {
        let reader = UnlockReader(try home.deviceFolder())
        let device = try await home.launch()
        let outcome = try await device.buy(.of(SampleCatalog.theme))
        let theme = try #require(outcome.number)
        try await until(["theme.sepia"], device, reader)
        _ = try await device.products(nil)
        try await device.setNetwork(.off(milliseconds: nil))
        _ = try await home.store.console.perform(.revoke(theme))
        #expect(try await device.unlockRecord().unlocks == ["theme.sepia"])
        await device.close()
        let next = try await home.launch()
        #expect(try await next.unlockRecord().unlocks == ["theme.sepia"])
        try await next.setNetwork(.on)
        try await until([], next, reader)
    }

    @Test("a reader sees only whole, valid records that never go back while the device sells")
    func reading() async throws {
        let reader = UnlockReader(try home.deviceFolder())
        let device = try await home.launch()
        try await until([], device, reader)
        let over = Tally()
        async let count = { () async throws -> Int in
            var (count, last) = (0, Timestamp.earliest)
            while over.count == 0, !Task.isCancelled {
                let record = try reader.read()
                #expect(record.asOf >= last)
                last = record.asOf
                count += 1
                await Task.yield()
            }
            return count
        }()
        for _ in 0..<10 {
            let outcome = try await device.buy(.of(SampleCatalog.theme))
            let id = try #require(outcome.number)
            try await until(["theme.sepia"], device, reader)
            home.store.clock.advance(byMilliseconds: 1_000)
            _ = try await home.store.console.perform(.refund(id, .rest, reason: .other))
            try await until([], device, reader)
        }
        over.add()
        #expect(try await count > 20)
    }

    @Test("what a killed writer has left is written over, and nothing stays beside the record")
    func killedWriter() async throws {
        let folder = try home.deviceFolder()
        let reader = UnlockReader(folder)
        let device = try await home.launch()
        try await until([], device, reader)
        let left = folder.unlocksPath + ".new"
        try Data(repeating: 65, count: 100_000).write(to: URL(filePath: left))
        _ = try await device.buy(.of(SampleCatalog.theme))
        try await until(["theme.sepia"], device, reader)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(!names.contains { $0.hasPrefix(".") || $0.hasSuffix("unlocks.jws.new") })
    }

    // MARK: - Forgeries

    @Test(
        "a record that is edited, older or another device's is replaced by the present one [A13]",
        arguments: Forgery.allCases)
    func forged(_ forgery: Forgery) async throws {
        let folder = try home.deviceFolder()
        let reader = UnlockReader(folder)
        let device = try await home.launch()
        let outcome = try await device.buy(.of(SampleCatalog.theme))
        let theme = try #require(outcome.number)
        try await until(["theme.sepia"], device, reader)
        let old = try Data(contentsOf: URL(filePath: folder.unlocksPath))
        _ = try await home.store.console.perform(.refund(theme, .rest, reason: .other))
        try await until([], device, reader)
        let pem = try String(contentsOfFile: folder.unlocksKeyPath, encoding: .utf8)
        await device.close()

        switch forgery {
        case .edited:
            let text = try String(contentsOfFile: folder.unlocksPath, encoding: .utf8)
            var parts = text.split(separator: ".").map(String.init)
            let body = try #require(UnlockReader.bytes(parts[1]))
            let edited = String(decoding: body, as: UTF8.self)
                .replacingOccurrences(of: "\"unlocks\":[]", with: "\"unlocks\":[\"theme.sepia\"]")
            parts[1] = UnlockReader.text(Data(edited.utf8))
            try Data(parts.joined(separator: ".").utf8)
                .write(to: URL(filePath: folder.unlocksPath))
        case .old: try old.write(to: URL(filePath: folder.unlocksPath))
        case .anothers, .anothersWithKey:
            let tablet = try await home.launch("tablet")
            _ = try await tablet.buy(.of(SampleCatalog.theme))
            let others = try home.deviceFolder("tablet")
            try await until(["theme.sepia"], tablet, UnlockReader(others))
            await tablet.close()
            try FileManager.default.removeItem(atPath: folder.unlocksPath)
            try FileManager.default.copyItem(atPath: others.unlocksPath, toPath: folder.unlocksPath)
            if forgery == .anothersWithKey {
                // A program that reads both files can verify them, but they name another device.
                try FileManager.default.removeItem(atPath: folder.unlocksKeyPath)
                try FileManager.default.copyItem(
                    atPath: others.unlocksKeyPath, toPath: folder.unlocksKeyPath)
            }
        case .empty: try Data().write(to: URL(filePath: folder.unlocksPath))
        case .huge:
            try Data(count: 5_000_000).write(to: URL(filePath: folder.unlocksPath))
        case .link:
            try FileManager.default.removeItem(atPath: folder.unlocksPath)
            try FileManager.default.createSymbolicLink(
                atPath: folder.unlocksPath, withDestinationPath: home.folder.path + "/mine")
            try home.folder.write("mine", to: "mine")
        case .gone: try FileManager.default.removeItem(atPath: folder.unlocksPath)
        }
        if forgery == .anothers || forgery == .edited || forgery == .empty {
            #expect(throws: UnlockReader.Refused.self) { try reader.read() }
        }
        let next = try await home.open()
        let record = try await next.unlockRecord()
        #expect(record.unlocks.isEmpty && record.device == "phone")
        #expect(try reader.read() == record)
        #expect(try String(contentsOfFile: folder.unlocksKeyPath, encoding: .utf8) == pem)
        if forgery == .link {
            #expect(
                try String(contentsOfFile: home.folder.path + "/mine", encoding: .utf8) == "mine")
        }
        let isReported = next.alteredRecords.contains { $0.subject == "unlocks.jws" }
        switch forgery {
        case .edited, .anothers, .anothersWithKey, .empty, .huge, .link: #expect(isReported)
        case .old, .gone: #expect(!isReported)
        }
    }

    enum Forgery: CaseIterable {
        case edited, old, anothers, anothersWithKey, empty, huge, link, gone
    }
}

/// Reads the record as another program would: by the two files and RFC 7515 alone.
struct UnlockReader: Sendable {
    struct Refused: Error {}

    private let folder: DeviceFolder

    init(_ folder: DeviceFolder) { self.folder = folder }

    func readIfThere() throws -> UnlockRecord? {
        FileManager.default.fileExists(atPath: folder.unlocksPath) ? try read() : nil
    }

    func read() throws -> UnlockRecord {
        let pem = try String(contentsOfFile: folder.unlocksKeyPath, encoding: .utf8)
        let der = Data(base64Encoded: pem.split(separator: "\n").dropFirst().dropLast().joined())
        let key = try Curve25519.Signing.PublicKey(rawRepresentation: (der ?? Data()).suffix(32))
        let text = try String(contentsOfFile: folder.unlocksPath, encoding: .utf8)
        let parts = text.trimmingCharacters(in: .newlines).split(separator: ".").map(String.init)
        guard parts.count == 3, let body = Self.bytes(parts[1]),
            let signature = Self.bytes(parts[2]),
            key.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8))
        else { throw Refused() }
        return try JSONDecoder().decode(UnlockRecord.self, from: body)
    }

    static func bytes(_ base64URL: String) -> Data? {
        let text = base64URL.replacingOccurrences(of: "-", with: "+")
            .replacingOccurrences(of: "_", with: "/")
        return Data(base64Encoded: text + String(repeating: "=", count: (4 - text.count % 4) % 4))
    }

    static func text(_ bytes: Data) -> String {
        bytes.base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }
}
