import DurableFiles
import Foundation
import StoreEngine
import StoreModel
import StoreTestSupport
import Testing

@testable import StoreDevice

/// Installed content has the form of a package, also what an earlier version installed without it.
@Suite(.timeLimit(.minutes(10))) struct PackageFormTests {
    private static let book = SampleCatalog.book

    /// A store whose device has the book as an earlier version of the program installed it.
    private func homeOfBefore() async throws -> Home {
        let home = try await Home()
        try await home.sell(Self.book)
        let files = FileManager.default
        let folder = try home.deviceFolder()
        let version = "\(folder.contentPath)/\(Self.book)/text/1.0"
        try files.moveItem(atPath: version + "/Contents", toPath: folder.path + "/aside")
        try files.removeItem(atPath: version)
        try files.moveItem(atPath: folder.path + "/aside", toPath: version)
        try home.alter("DELETE FROM meta WHERE name = 'packageForm'")
        return home
    }

    /// Nothing is lost, and nothing is fetched again.
    @Test("content of an earlier version becomes a package, whatever step a kill follows [E7]")
    func killedWhileMoving() async throws {
        var steps = 0
        var isWhole = false
        while !isWhole {
            let home = try await homeOfBefore()
            let folder = try home.deviceFolder()
            var left = steps
            do {
                try PackageFormMove(folder: folder) {
                    if left == 0 { throw CancellationError() }
                    left -= 1
                }.run()
                isWhole = true
            } catch {}
            let asked = Tally()
            let device = try await home.launch { script in
                script.beforeBytes = { (_: String, _: Int64, _: Int) async throws(StoreError) in
                    asked.add()
                }
            }
            #expect(try await device.downloads().map(\.state) == [.finished], "step \(steps)")
            try await home.expectWholeBook(on: device)
            // The device delivers a purchase only after its launch has removed leftovers.
            _ = try await device.buy(.of(SampleCatalog.theme))
            try await home.untilFinished()
            #expect(asked.count == 0, "step \(steps)")
            #expect(
                !FileManager.default.fileExists(
                    atPath: folder.path + "/" + PackageFormMove.made))
            #expect(
                FileManager.default.fileExists(atPath: folder.contentPath + "/CACHEDIR.TAG"))
            await device.close()
            try await home.expectWholeBook(on: home.open())
            steps += 1
        }
        #expect(steps == 4, "each step was followed by a kill, and then by none")
    }

    /// What an unfinished move left of a package that was only begun.
    enum Begun: CaseIterable {
        case none
        /// In the place of what is aside. Its content was taken for content of before.
        case inPlace
        /// A later move was about to place a package that it had made of the begun one.
        case madeAnew
    }

    /// Its first form took all of `content` aside, and left it there if the process ended.
    @Test("content that a move had taken aside comes back [E7]", arguments: Begun.allCases)
    func aside(_ begun: Begun) async throws {
        let home = try await homeOfBefore()
        let folder = try home.deviceFolder()
        let files = FileManager.default
        let aside = folder.path + "/" + PackageFormMove.aside
        try files.moveItem(atPath: folder.contentPath, toPath: aside)
        if begun != .none {
            let place =
                begun == .inPlace
                ? folder.contentPath : folder.path + "/" + PackageFormMove.made
            let contents = "\(place)/\(Self.book)/text/1.0/Contents"
            try files.createDirectory(atPath: contents, withIntermediateDirectories: true)
            #expect(files.createFile(atPath: contents + "/ContentInfo.plist", contents: Data()))
            #expect(files.createFile(atPath: contents + "/../ContentInfo.plist", contents: Data()))
        }
        if begun == .inPlace {
            try home.alter(
                "INSERT INTO meta (name, value) VALUES ('packageForm', CAST('true' AS BLOB))")
        }
        let asked = Tally()
        let device = try await home.launch { script in
            script.beforeBytes = { (_: String, _: Int64, _: Int) async throws(StoreError) in
                asked.add()
            }
        }
        #expect(try await device.downloads().map(\.state) == [.finished])
        try await home.expectWholeBook(on: device)
        #expect(asked.count == 0 && !files.fileExists(atPath: aside))
    }

    @Test("content of an earlier version is read where it lies while the disk is full [E7]")
    func fullDisk() async throws {
        let home = try await homeOfBefore()
        var folder = try home.deviceFolder()
        let database = try DurableDatabase(path: folder.databasePath, schema: DeviceSchema.schema)
        let isMoved = try await Device.moveToPackages(database, folder) {
            throw StoreError(.deviceFull)
        }
        #expect(!isMoved)
        folder.hasOlderForm = true
        let old = Download(
            transactionID: TransactionID(1), productID: Self.book, contentID: "text",
            version: "1.0",
            state: .finished, bytesReceived: 0, bytesExpected: 0)
        #expect(try ContentReader(folder: folder).files(of: old).map(\.path) == Home.bookFiles)
        #expect(folder.bytes(of: old) == Home.bookLength)
        // A package that arrives meanwhile has its form already.
        let new = "\(folder.contentPath)/\(Self.book)/text/2.0"
        try FileManager.default.copyItem(
            atPath: "\(folder.path)/\(PackageFormMove.made)/\(Self.book)/text/1.0", toPath: new)
        try FileManager.default.createDirectory(
            atPath: new + "/Contents", withIntermediateDirectories: true)
        #expect(try await Device.moveToPackages(database, folder))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: new).sorted()
                == ["ContentInfo.plist", "Contents"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: new + "/Contents").isEmpty)
        try await home.expectWholeBook(on: home.open())
    }

    @Test("a device that is only read shows the content of an earlier version [E7]")
    func onlyRead() async throws {
        let home = try await homeOfBefore()
        let device = try await Device(
            store: home.session(), storeFolder: home.folder.path, clock: home.store.engine.clock,
            elapsed: ContinuousClock(),
            pacer: BandwidthPacer(bytesPerSecond: nil, clock: ContinuousClock()),
            system: home.store.clock, isOnlyRead: true)
        #expect(try await device.downloads().map(\.installedVersion) == ["1.0"])
        let files = try await device.contentFiles(of: Self.book)
        #expect(files.map(\.path) == Home.bookFiles)
        let one = try await device.readContent(
            product: Self.book, contentID: "text", path: "part/three/four.txt", offset: 0, count: 9)
        #expect(one == Data("End.".utf8))
    }

    @Test(
        "a process that ends when all files are in a package, but not in place, fetches none again")
    func killedBeforeItsPlace() async throws {
        let home = try await Home()
        let cut = Tally()
        let first = try await home.launch { script in
            script.beforeBytes = { (_: String, _: Int64, _: Int) async throws(StoreError) in
                if cut.add() > 2 { throw StoreError(.networkError) }
            }
        }
        _ = try await first.buy(.of(Self.book))
        try await home.until(first, .failed)
        let here = try #require(try await first.downloads().first).bytesReceived
        await first.close()
        let partial = try home.deviceFolder().partialPath + "/\(Self.book)/text"
        let files = FileManager.default
        try files.createDirectory(
            atPath: partial + "/package", withIntermediateDirectories: true)
        try files.moveItem(atPath: partial + "/files", toPath: partial + "/package/Contents")
        let asked = Tally()
        let second = try await home.launch { script in
            script.beforeBytes = { (_: String, _: Int64, _ count: Int) async throws(StoreError) in
                asked.add(Int64(count))
            }
        }
        #expect(try await second.downloads().map(\.bytesReceived) == [here])
        try await second.resumeDownloads(of: Self.book)
        try await home.until(second, .finished)
        #expect(asked.count == Home.bookLength - here)
        try await home.expectWholeBook(on: second)
        try await home.untilFinished()
    }
}
