import Foundation
import StoreDevice
import StoreEngine
import StoreModel
import StoreTestSupport
import Testing

/// Family shares on devices: when a share ends, every device loses it at once.
@Suite("family shares on devices", .timeLimit(.minutes(10)))
struct FamilyDeviceTests {
    private let home: Home

    init() async throws {
        home = try await Home()
        for action: FamilyAction in [
            .create(organizer: "kai"), .join("aoi", organizer: "kai", role: .adult),
            .join("nia", organizer: "kai", role: .child),
        ] { _ = try await home.store.console.perform(.family(action)) }
    }

    private static let theme = SampleCatalog.otherTheme

    private func owned(_ device: Device) async throws -> [ProductID] {
        try await device.latestDeliveries().filter { $0.takenBack == .none }.map(\.productID)
    }

    @Test("a share is delivered on each device of a member, and goes from all when it ends [F8]")
    func twoDevices() async throws {
        let devices = [
            try await home.launch("phone"), try await home.launch("tablet"),
            try await home.launch("phone", of: "nia"),
        ]
        let parent = try await home.launch("phone", of: "kai")
        _ = try await parent.buy(.of(Self.theme))
        for device in devices {
            try await home.until(device) { try await owned(device) == [Self.theme] }
        }
        for device in devices {
            #expect(try await device.entitlements().value.map(\.productID) == [Self.theme])
            #expect(try await device.familyStatus().value.shares.map(\.owner) == ["kai"])
        }
        _ = try await home.store.console.perform(.family(.leave("aoi")))
        for device in devices.prefix(2) {
            try await home.until(device) { try await owned(device).isEmpty }
            #expect(try await device.entitlements().value.isEmpty)
        }
        #expect(try await owned(devices[2]) == [Self.theme], "nia is still in the family")
        _ = try await home.store.console.perform(
            .family(.join("aoi", organizer: "kai", role: .adult)))
        for device in devices.prefix(2) {
            try await home.until(device) { try await owned(device) == [Self.theme] }
        }
        let sold = try #require(try await parent.deliveries().first?.transactionID)
        _ = try await home.store.console.perform(.refund(sold, .rest, reason: .other))
        for device in devices + [parent] {
            try await home.until(device) { try await owned(device).isEmpty }
        }
        _ = try await home.store.console.perform(.reverseRefund(sold))
        for device in devices + [parent] {
            try await home.until(device) { try await owned(device) == [Self.theme] }
        }
    }

    @Test("a shared book is downloaded as an owned one is, and finished by its member")
    func sharedContent() async throws {
        let phone = try await home.launch("phone")
        _ = try await home.session("phone", of: "kai").purchase(.of(SampleCatalog.book))
        try await home.untilFinished(of: "aoi")
        #expect(try await phone.downloads().map(\.state) == [.finished])
        #expect(try await phone.restore().alreadyHere.map(\.productId) == [SampleCatalog.book])
    }

    @Test("a device installed anew restores shares too")
    func restoring() async throws {
        _ = try await home.session("phone", of: "kai").purchase(.of(Self.theme))
        let tablet = try await home.launch("tablet")
        try await home.until(tablet) { try await owned(tablet) == [Self.theme] }
        try await home.untilFinished(of: "aoi")
        let phone = try await home.launch("phone")
        #expect(try await phone.restore().restored.map(\.inAppOwnershipType) == [.familyShared])
        #expect(try await owned(phone) == [Self.theme])
    }

    // MARK: - Forgeries

    private func delivered(to account: AccountName) async throws {
        let device = try await home.launch("phone", of: account)
        try await home.until(device) { try await owned(device) == [Self.theme] }
        await device.close()
    }

    @Test(
        "a share that ended is not brought back by editing the device's records",
        arguments: [
            "UPDATE revisions SET taken_back = 0",
            "UPDATE revisions SET revision = 0, taken_back = 0",
        ])
    func editedRevision(_ sql: String) async throws {
        _ = try await home.session("phone", of: "kai").purchase(.of(Self.theme))
        try await delivered(to: "aoi")
        let device = try await home.launch("phone")
        _ = try await home.store.console.perform(.family(.leave("aoi")))
        try await home.until(device) { try await owned(device).isEmpty }
        await device.close()
        try home.alter(sql)
        let opened = try await home.open("phone")
        #expect(try await owned(opened).isEmpty)
        await opened.close()
    }

    @Test("a share whose text fails verification unlocks nothing")
    func unverifiedShare() async throws {
        _ = try await home.store.console.perform(
            .failNext(.verification, error: .invalidSignature, count: nil))
        let device = try await home.launch("phone")
        let updates = device.updates()
        _ = try await home.session("phone", of: "kai").purchase(.of(Self.theme))
        #expect(await updates.first(\.unverified) == .invalidSignature)
        #expect(try await owned(device).isEmpty)
        #expect(try await device.restore().unverifiedCount == 1)
        _ = try await home.store.console.perform(.clearFaults)
        #expect(try await device.restore().restored.map(\.productId) == [Self.theme])
    }

    @Test("another member's share, copied into a device's records, unlocks nothing there")
    func copiedShare() async throws {
        _ = try await home.session("phone", of: "kai").purchase(.of(Self.theme))
        try await delivered(to: "aoi")
        // mo is in no family. The device of mo gets the records of aoi's device.
        let stranger = try await home.launch("phone", of: "mo")
        await stranger.close()
        let path = try home.deviceFolder(of: "aoi").databasePath
        try home.alter(
            """
            ATTACH '\(path)' AS other;
            INSERT INTO deliveries SELECT * FROM other.deliveries;
            """, of: "mo")
        // Neither the share's signed text nor the seal was made for this device.
        let opened = try await home.open("phone", of: "mo")
        #expect(try await owned(opened).isEmpty)
        #expect(opened.alteredRecords.map(\.code) == [.recordAltered])
        await opened.close()
        #expect(try await home.session("phone", of: "mo").entitlements().isEmpty)
    }

    @Test("a share replayed on the device after leaving is older than its end")
    func replayedShare() async throws {
        _ = try await home.session("phone", of: "kai").purchase(.of(Self.theme))
        let device = try await home.launch("phone")
        try await home.until(device) { try await owned(device) == [Self.theme] }
        let share = try #require(try await device.deliveries().first?.transactionID)
        let before = try await home.session("phone").transaction(share)
        _ = try await home.store.console.perform(.family(.leave("aoi")))
        try await home.until(device) { try await owned(device).isEmpty }
        // The genuine text is verified, but only the store decides who owns the product.
        guard case .verified(let payload) = await device.verify(before) else {
            Issue.record("not verified")
            return
        }
        #expect(payload.inAppOwnershipType == .familyShared)
        #expect(try await owned(device).isEmpty)
        #expect(try await device.restore().restored.isEmpty)
        #expect(try await owned(device).isEmpty)
        #expect(try await device.entitlements().value.isEmpty)
    }

    @Test("a device's record of a share, put back after leaving as it was before, unlocks nothing")
    func replayedRecord() async throws {
        _ = try await home.session("phone", of: "kai").purchase(.of(Self.theme))
        try await delivered(to: "aoi")
        try home.alter("CREATE TABLE kept AS SELECT * FROM deliveries")
        let device = try await home.launch("phone")
        _ = try await home.store.console.perform(.family(.leave("aoi")))
        try await home.until(device) { try await owned(device).isEmpty }
        await device.close()
        // Put back the genuine row, with the genuine text of the share that was valid then.
        try home.alter(
            """
            DELETE FROM deliveries;
            INSERT INTO deliveries SELECT * FROM kept;
            DROP TABLE kept;
            """)
        let opened = try await home.launch("phone")
        #expect(try await owned(opened).isEmpty)
        #expect(try await opened.entitlements().value.isEmpty)
        #expect(try await opened.restore().restored.isEmpty)
        // Without a network the device has only its own records.
        try await opened.setNetwork(.off(milliseconds: nil))
        #expect(try await opened.entitlements().value.isEmpty)
        #expect(try await opened.unlockRecord().products.isEmpty)
        await opened.close()
    }
}
