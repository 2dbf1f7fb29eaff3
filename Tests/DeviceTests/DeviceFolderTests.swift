import Foundation
import StoreDevice
import StoreModel
import StoreTestSupport
import Testing

@Suite struct NameRuleTests {
    @Test(
        "a plain name is accepted",
        arguments: ["aoi", "phone-2", "kai@example.com", "A.b_c+d", "_x", "7"])
    func aPlainNameIsPossible(_ name: String) throws {
        try NameRule.check(name, for: "device")
    }

    @Test(
        "a name that is not a plain file name is refused",
        arguments: [
            "", ".", "..", "a/b", "-x", ".hidden", "a b", "\u{1B}[2J", "é", "+x", "@x", "x.",
        ])
    func anotherNameIsRefusedNamingIt(_ name: String) {
        #expect(throws: StoreError.self) { try NameRule.check(name, for: "device") }
    }
}

@Suite(.timeLimit(.minutes(10))) struct DeviceFolderTests {
    @Test(
        "a device is not opened through a link in place of one of the store's folders",
        arguments: ["devices", "devices/phone", "devices/phone/aoi"])
    func linkedFolder(folder: String) async throws {
        let home = try await Home()
        try await home.open().close()
        let (path, aside) = (home.folder.path + "/" + folder, home.folder.path + "/aside")
        try FileManager.default.moveItem(atPath: path, toPath: aside)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: aside)
        let before = try FileManager.default.subpathsOfDirectory(atPath: aside)
        await #expect(throws: StoreError.self) { try await home.open() }
        #expect(throws: StoreError.self) {
            try DeviceNetwork(folder: home.deviceFolder().path).set(.off(milliseconds: nil))
        }
        #expect(try FileManager.default.subpathsOfDirectory(atPath: aside) == before)
    }
}
