import DurableFiles
import Foundation
import StoreModel
import StoreTestSupport
import Testing

@Suite struct PrivateFolderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("a network file system is recognized even if its mount point has a space")
    func mountedPathWithSpace() {
        let table = #"""
            22 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw
            60 22 0:50 / /mnt/my\040share rw,relatime shared:2 - nfs4 host:/x rw
            61 22 0:51 / /mnt/a\134b rw,relatime - cifs //host/y rw
            """#
        #expect(MountTable.kind(of: "/mnt/my share/store", in: table) == "nfs4")
        #expect(MountTable.kind(of: #"/mnt/a\b/store"#, in: table) == "cifs")
        #expect(MountTable.kind(of: "/mnt/my sharex", in: table) == "ext4")
    }

    @Test("a world-writable folder is refused, and the user's other folders are accepted")
    func mode() throws {
        let path = folder.path + "/store"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
        for mode in [0o777, 0o702] {
            #expect(chmod(path, mode_t(mode)) == 0)
            let error = #expect(throws: StoreError.self) { try PrivateFolder.make(path) }
            #expect(error?.code == .storeUnreadable)
            #expect(error?.found?.text.contains(String(mode, radix: 8)) == true)
        }
        for mode in [0o700, 0o755, 0o775] {
            #expect(chmod(path, mode_t(mode)) == 0)
            try PrivateFolder.make(path)
        }
    }

    @Test("a folder owned by another user, or writable by another group, is refused")
    func owner() {
        func reason(_ owner: UInt32, _ group: UInt32, _ mode: UInt32) -> String? {
            PrivateFolder.reasonToRefuse(
                owner: owner, group: group, mode: mode, user: 1000, userGroup: 1000)
        }
        #expect(reason(1000, 1000, 0o40700) == nil)
        #expect(reason(1000, 1000, 0o40775) == nil)
        #expect(reason(1000, 50, 0o40755) == nil)
        #expect(reason(1000, 50, 0o40775)?.contains("775") == true)
        #expect(reason(1001, 1000, 0o40700)?.contains("1001") == true)
        #expect(reason(0, 0, 0o41777)?.contains("user 0") == true)
    }

    @Test("a link in place of a store file is not followed")
    func links() throws {
        let victim = folder.path + "/victim"
        let link = folder.path + "/store.sqlite"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: victim)
        #expect(throws: StoreError.self) { try PrivateFolder.makeFile(link) }
        #expect(!FileManager.default.fileExists(atPath: victim))
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/other.bell", withDestinationPath: victim)
        #expect(throws: StoreError.self) {
            try CommitNotifier(databasePath: folder.path + "/other")
        }
        #expect(!FileManager.default.fileExists(atPath: victim))
    }
}
