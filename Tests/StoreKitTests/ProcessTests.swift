import Foundation
import StoreHost
import StoreKit
import StoreModel
import Testing

/// The store of the process, which is one for all tests: these run one after the other.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ProcessTests {
    @Test(
        "a detached reader follows the sessions of the process, and hears nothing of an ended one")
    func follows() async throws {
        let first = try await TestSession()
        AppStoreProcess.begin(first.session)
        var updates = Transaction.updates.makeAsyncIterator()
        try await first.outside(TestSession.theme)
        #expect(try await updates.next()?.payloadValue.productID == TestSession.theme)
        let second = try await TestSession()
        AppStoreProcess.begin(second.session)
        try await first.outside(TestSession.coins)
        try await second.outside(TestSession.monthly)
        #expect(try await updates.next()?.payloadValue.productID == TestSession.monthly)
        AppStoreProcess.end(second.session)
        AppStoreProcess.end(first.session)
    }

    @Test("a session that goes on tells nothing again when others end")
    func goesOn() async throws {
        let first = try await TestSession()
        let second = try await TestSession()
        AppStoreProcess.begin(first.session)
        AppStoreProcess.begin(second.session)
        var updates = Transaction.updates.makeAsyncIterator()
        try await second.outside(TestSession.theme)
        #expect(try await updates.next()?.payloadValue.productID == TestSession.theme)
        AppStoreProcess.end(first.session)
        AppStoreProcess.end(first.session)
        try await second.outside(TestSession.coins)
        #expect(try await updates.next()?.payloadValue.productID == TestSession.coins)
        AppStoreProcess.end(second.session)
    }

    @Test("what an ended session has told is not read any more, and a call for it finds no other")
    func endedSession() async throws {
        let first = try await TestSession()
        AppStoreProcess.begin(first.session)
        var updates = Transaction.updates.makeAsyncIterator()
        var slow = Transaction.updates.makeAsyncIterator()
        try await first.outside(TestSession.coins)
        let old = try #require(try await updates.next()?.payloadValue)
        AppStoreProcess.end(first.session)
        let second = try await TestSession()
        AppStoreProcess.begin(second.session)
        try await second.outside(TestSession.monthly)
        #expect(try await slow.next()?.payloadValue.productID == TestSession.monthly)
        await old.finish()
        #expect(second.session.board.unfinished.count == 1)
        #expect(try await second.session.store.unfinished(allDevices: false).count == 1)
        AppStoreProcess.end(second.session)
    }

    @Test("a reader that is older than its session is told each unfinished transaction once")
    func unfinishedOnce() async throws {
        let test = try await TestSession()
        var reader = AppUpdateReader(test.session.board, isBound: true)
        try await test.outside(TestSession.theme)
        let sale = try #require(test.session.board.unfinished.first)
        guard case .unfinished(let transaction) = sale.value.update else {
            Issue.record("a sale is kept as unfinished")
            return
        }
        var seen: [Bool] = []
        while let update = await reader.next() {
            if case .event(let event, _, let isReturned) = update, event.kind == .sold {
                seen.append(isReturned)
                if seen.count == 2 { break }
                // The launch reads a sale, and the feed reads it again.
                test.session.board.publish(
                    .event(event, transaction, isReturned: false), of: test.session.number,
                    on: "app")
            }
        }
        #expect(seen == [false, true])
    }

    /// More callers block than Swift's pool has threads.
    @Test("calls that block need no thread of the pool")
    func blocking() async throws {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let session = try Blocking.run { try await TestSession() }
                    try Blocking.run { try await session.outside(TestSession.theme) }
                    return session.session.board.unfinished.count
                }
            }
            for try await count in group { #expect(count == 1) }
        }
    }

    @Test("ten readers get a hundred updates in order, each once")
    func manyUpdates() async throws {
        let test = try await TestSession()
        let readers = (0..<10).map { _ in AppUpdateReader(test.session.board, isBound: true) }
        for _ in 0..<100 {
            _ = try await test.session.console.perform(
                .buyOutside(ProductID(TestSession.coins), account: "me", quantity: 1))
        }
        await test.session.catchUp()
        for var reader in readers {
            var ids: [UInt64] = []
            while let update = await reader.next() {
                if case .event(let event, let transaction?, _) = update, event.kind == .sold {
                    ids.append(transaction.unsafePayloadValue.id)
                    if ids.count == 100 { break }
                }
            }
            #expect(ids == ids.sorted() && Set(ids).count == 100)
        }
    }

    @Test("the folder of a session ends with it")
    func leavesNothing() async throws {
        var test: TestSession? = try await TestSession()
        let folder = try #require(test?.session.host.folder)
        #expect(FileManager.default.fileExists(atPath: folder))
        await test?.session.close()
        test = nil
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test("a process that ends within a purchase leaves no folder", arguments: 1...5)
    func leavesNothingAtExit(process: Int) async throws {
        let folder: String = FileManager.default.temporaryDirectory.path + "/exit-\(UUID())"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        await #expect(processExitsWith: .success) { [folder = folder as String] in
            setenv("TMPDIR", folder, 1)
            let test = try await TestSession()
            try await test.outside(TestSession.theme)
            exit(0)
        }
        // The fixture's own file stays.
        let left = try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter { !$0.hasPrefix("storekit-test-") }
        #expect(left == [])
    }

    @Test("the configuration is the one named, else the only one of the nearest folder")
    func configuration() throws {
        let fixture = try ConfigurationFixture("{}")
        let folder = (fixture.path as NSString).deletingLastPathComponent
        let inner = folder + "/a/b"
        try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: true)
        #expect(try ConfigurationFile.find(environment: [:], from: inner) == fixture.path)
        let named = ["STOREKIT_CONFIGURATION": "x.storekit"]
        #expect(
            try ConfigurationFile.find(environment: named, from: inner) == inner + "/x.storekit")
        try Data().write(to: URL(filePath: folder + "/Other.storekit"))
        let error = #expect(throws: StoreError.self) {
            try ConfigurationFile.find(environment: [:], from: inner)
        }
        #expect(error?.found == "Other.storekit, Test.storekit")
    }
}

extension TestSession {
    /// Buys outside the app.
    func outside(_ product: String) async throws {
        try await session.perform(.buyOutside(ProductID(product), account: "me", quantity: 1))
    }
}
