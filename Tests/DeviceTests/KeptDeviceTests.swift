import Foundation
import SQLiteLedger
import StoreCatalog
import StoreDevice
import StoreEngine
import StoreModel
import StoreSigning
import StoreTestSupport
import Testing

/// Devices of schema version 1 keep all their records.
@Suite(.timeLimit(.minutes(10))) struct KeptDeviceTests {
    private let folder: TemporaryFolder
    private let engine: StoreEngine

    init() async throws {
        folder = try KeptStore.version1.copy()
        // The present demo catalog, with its content beside it.
        let reading = CatalogReader.read(path: KeptStore.demoCatalog)
        engine = try await StoreEngine(
            ledger: SQLiteLedger(path: folder.path + "/store.sqlite"),
            identity: AppIdentity(
                bundleID: "com.example.lantern", appAppleID: 1_234_567_890,
                environment: .sandbox),
            keys: StoreKeys.open(folder: URL(filePath: folder.path + "/keys")),
            clock: ManualClock(Timestamp(milliseconds: 1_799_200_000_000)),
            catalog: try #require(reading.catalog), catalogDigest: reading.sourceDigest,
            homeTerritory: "USA")
    }

    private func open(_ device: DeviceName, of account: AccountName) async throws -> Device {
        try await Device(
            store: engine.session(account: account, device: device, locale: "en_US"),
            storeFolder: folder.path,
            clock: ManualClock(Timestamp(milliseconds: 1_799_200_000_000)),
            elapsed: ContinuousClock(),
            pacer: BandwidthPacer(bytesPerSecond: nil, clock: ContinuousClock()))
    }

    private func delivered(on device: Device) async throws -> [String] {
        try await device.deliveries().map {
            "\($0.transactionID) \($0.type) x\($0.quantity)\($0.isVoid ? " void" : "")"
        }
    }

    @Test("a device of version 1 keeps its deliveries, balance and downloaded content")
    func terminal() async throws {
        let device = try await open("terminal", of: "me")
        #expect(
            try await delivered(on: device) == [
                "1000001 consumable x3", "1000002 consumable x1", "1000003 nonConsumable x1",
                "1000004 autoRenewable x1", "1000005 nonRenewing x1",
                "1000006 nonConsumable x1", "1000007 autoRenewable x1",
                "1000015 autoRenewable x1",
            ])
        #expect(try await device.balances() == [Balance(unit: "coins", amount: 116)])
        let path = try await device.contentPath(
            of: "lantern.book.lighthouse.1", contentID: "text")
        let package = try #require(path)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: package).sorted()
                == ["ContentInfo.plist", "Contents"])
        let files = try await device.contentFiles(of: "lantern.book.lighthouse.1").map(\.path)
        #expect(
            files == [
                "01-the-boat.txt", "02-the-log.txt", "03-the-relief.txt", "ja/01-the-boat.txt",
            ])
    }

    @Test("an interrupted download of a device of version 1 keeps its progress")
    func tablet() async throws {
        let device = try await open("tablet", of: "me")
        #expect(
            try await delivered(on: device) == [
                "1000003 nonConsumable x1", "1000004 autoRenewable x1",
                "1000005 nonRenewing x1", "1000006 nonConsumable x1",
                "1000007 autoRenewable x1", "1000015 autoRenewable x1",
                "1000017 nonConsumable x1",
            ])
        let downloads = try await device.downloads()
        #expect(downloads.map(\.productID) == ["lantern.book.lighthouse.3"])
        #expect(downloads.map(\.transactionID.number) == [1_000_017])
        #expect(downloads.map(\.bytesReceived) == [2_050])
        #expect(downloads.map(\.bytesExpected) == [19_675])
    }

    @Test("payments awaiting approval on a device of version 1 are still queued")
    func handheld() async throws {
        let device = try await open("handheld", of: "child")
        let delivered = try await delivered(on: device)
        #expect(delivered == ["1000008 nonConsumable x1", "1000010 nonConsumable x1"])
        let queued = try await device.queuedPayments().map(\.payment.productID)
        #expect(queued.sorted() == ["lantern.coins.10", "lantern.theme.contrast"])
    }

    @Test("a device of version 1 delivers the coins that it claims once")
    func goesOn() async throws {
        let device = try await open("terminal", of: "me")
        let updates = device.updates()
        try await device.launch()
        try await device.claim(TransactionID(1_000_013))
        _ = await updates.first { $0.finishedID?.number == 1_000_013 ? true : nil }
        #expect(try await device.balances() == [Balance(unit: "coins", amount: 126)])
        await device.close()
    }

    @Test("records of a version before the first release are refused and left as they are")
    func older() async throws {
        let older = try KeptStore.schema1.copy()
        let devices = folder.path + "/devices"
        try FileManager.default.removeItem(atPath: devices)
        try FileManager.default.moveItem(atPath: older.path + "/devices", toPath: devices)
        let before = try folder.state(of: "devices")
        for (device, account) in [("terminal", "me"), ("tablet", "me"), ("handheld", "child")] {
            let error = await #expect(throws: StoreError.self) {
                try await open(DeviceName(device), of: AccountName(account))
            }
            let path = "\(devices)/\(device)/\(account)/device.sqlite"
            #expect(error == StoreError(.storeOlder, subject: path))
        }
        #expect(try folder.state(of: "devices") == before)
    }
}
