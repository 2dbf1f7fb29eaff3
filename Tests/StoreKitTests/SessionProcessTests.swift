import Foundation
import StoreHost
import StoreKitTest
import Testing

/// What concerns the store of the process, which is one for all tests.
extension ProcessTests {
    private typealias Fixture = SessionFixture

    @Test("the newest session that lives is the process's, and an ended one leaves nothing to it")
    func newestSession() async throws {
        let file = try ConfigurationFixture(Fixture.configuration)
        let url = URL(filePath: file.path)
        var updates = Transaction.updates.makeAsyncIterator()
        let first = try SKTestSession(contentsOf: url)
        try await first.buyProduct(identifier: Fixture.theme)
        #expect(
            await Task.detached { await Fixture.list(Transaction.all) }.value == [Fixture.theme])
        var second: SKTestSession? = try SKTestSession(contentsOf: url)
        #expect(await Fixture.list(Transaction.all) == [])
        try await second?.buyProduct(identifier: Fixture.coins)
        #expect(await Fixture.list(Transaction.unfinished) == [Fixture.coins])
        await second?.close()
        second = nil
        #expect(await Fixture.list(Transaction.all) == [Fixture.theme])
        // Told when it was bought, and again by the session that is the process's again.
        for _ in 1...2 {
            #expect(try await updates.next()?.payloadValue.productID == Fixture.theme)
        }
        await first.close()
    }

    @Test("sessions side by side are each their task's; a detached reader follows the newest [H3]")
    func sideBySide() async throws {
        let file = try ConfigurationFixture(Fixture.configuration)
        let url = URL(filePath: file.path)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...6 {
                group.addTask {
                    let session = try SKTestSession(contentsOf: url)
                    try await StoreKitHost.with(session) {
                        #expect(SKTestSession.current === session)
                        var updates = Transaction.updates.makeAsyncIterator()
                        for _ in 1...number { try await Fixture.buy(Fixture.coins) }
                        try await session.buyProduct(identifier: Fixture.theme)
                        #expect(await Fixture.list(Transaction.unfinished).count == number + 1)
                        #expect(session.allTransactions().count == number + 1)
                        #expect(
                            try await updates.next()?.payloadValue.productID == Fixture.theme)
                    }
                    await session.close()
                }
            }
            try await group.waitForAll()
        }
    }

    /// More callers block than Swift's pool has threads.
    @Test("a session's calls need no thread of the pool")
    func synchronousCalls() async throws {
        let file = try ConfigurationFixture(Fixture.configuration)
        let url = URL(filePath: file.path)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let session = try SKTestSession(contentsOf: url, isProcesses: false)
                    session.disableDialogs = true
                    session.timeRate = .oneRenewalEveryMinute
                    try await session.buyProduct(identifier: Fixture.monthly)
                    try session.forceRenewalOfSubscription(productIdentifier: Fixture.monthly)
                    try session.clock.advance(byAdding: .minute, value: 2)
                    try session.expireSubscription(productIdentifier: Fixture.monthly)
                    let count = session.allTransactions().count
                    session.resetToDefaultState()
                    session.clearTransactions()
                    await session.close()
                    return count
                }
            }
            for try await count in group { #expect(count > 1) }
        }
    }

    /// 1,000 with `STOREKIT_SESSIONS=1000`. Other tests run meanwhile, so a few descriptors and
    /// threads are theirs.
    @Test("sessions leave no file, thread or descriptor")
    func sessionsLeaveNothing() async throws {
        let count = Int(ProcessInfo.processInfo.environment["STOREKIT_SESSIONS"] ?? "") ?? 60
        let file = try ConfigurationFixture(Fixture.configuration)
        func open(_ path: String) -> Int {
            (try? FileManager.default.contentsOfDirectory(atPath: path).count) ?? 0
        }
        let before = (open("/proc/self/fd"), open("/proc/self/task"))
        for number in 0..<count {
            var session: SKTestSession? = try SKTestSession(contentsOf: URL(filePath: file.path))
            let folder = try #require(session?.store.host.folder)
            try await session?.buyProduct(identifier: Fixture.coins)
            if number % 2 == 0 { await session?.close() }
            session = nil
            while FileManager.default.fileExists(atPath: folder) { await Task.yield() }
        }
        #expect(open("/proc/self/fd") - before.0 < max(count / 2, 30))
        #expect(open("/proc/self/task") - before.1 < max(count / 2, 30))
    }

    @Test("a cleared session leaves nothing in StoreKit 1's queue, not even what failed")
    func clearedQueue() async throws {
        let file = try ConfigurationFixture(Fixture.configuration)
        let session = try SKTestSession(contentsOf: URL(filePath: file.path))
        let recorder = QueueRecorder()
        let queue = SKPaymentQueue.default()
        queue.add(recorder)
        defer { queue.remove(recorder) }
        try await session.setSimulatedError(.generic(.unknown), forAPI: .purchase)
        let payment = SKMutablePayment()
        payment.productIdentifier = Fixture.coins
        queue.add(payment)
        #expect(
            await recorder.next(2)
                == ["updated test.coins purchasing", "updated test.coins failed"])
        session.resetToDefaultState()
        try await session.buyProduct(identifier: Fixture.theme)
        #expect(queue.transactions.map(\.transactionState) == [.failed, .purchased])
        session.clearTransactions()
        #expect(queue.transactions.isEmpty)
        #expect(
            await recorder.next(3)
                == [
                    "updated test.theme purchased", "removed test.theme purchased",
                    "removed test.coins failed",
                ])
        await session.close()
    }

    static let traitFile: URL = {
        let url = FileManager.default.temporaryDirectory
            .appending(path: "storekit-trait-\(UUID()).storekit")
        atexit { try? FileManager.default.removeItem(at: ProcessTests.traitFile) }
        try? Data(SessionFixture.configuration.utf8).write(to: url)
        return url
    }()

    @Test("a session that ends during purchases lets them end")
    func endsDuringPurchases() async throws {
        let file = try ConfigurationFixture(Fixture.configuration)
        let session = try SKTestSession(contentsOf: URL(filePath: file.path), isProcesses: false)
        let (listening, buying) = StoreKitHost.with(session) {
            (
                Task { for await _ in Transaction.updates {} },
                Task { for _ in 0..<20 { _ = try? await Fixture.buy(Fixture.coins) } }
            )
        }
        try await session.buyProduct(identifier: Fixture.coins)
        await session.close()
        await listening.value
        await buying.value
    }

    /// Bound to a configuration beside the tests.
    @Suite(.storeKit(contentsOf: ProcessTests.traitFile)) struct TraitTests {
        @Test("each test of a suite has a session", arguments: 1...4)
        func ownSession(number: Int) async throws {
            let session = try #require(SKTestSession.current)
            for _ in 1...number { try await SessionFixture.buy(SessionFixture.coins) }
            #expect(session.allTransactions().count == number)
        }
    }

    @Test("a named configuration is found in bundles, parents, and below the package")
    func namedConfiguration() throws {
        let files = FileManager.default
        let root = files.temporaryDirectory.path + "/storekit-named-\(UUID())"
        defer { try? files.removeItem(atPath: root) }
        func put(_ path: String, _ text: String) throws {
            let file = URL(filePath: root + "/" + path)
            try files.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        func find(_ name: String, in folder: String = "app/Tests") throws -> String {
            let path = try NamedConfiguration.find(
                name, bundles: [root + "/build"], from: root + "/" + folder)
            return String(path.dropFirst(root.count + 1))
        }
        try put("app/Package.swift", "")
        try put("app/Tests/AppTests/Shop.storekit", "a")
        try put("app/.build/Shop.storekit", "b")
        #expect(try find("Shop") == "app/Tests/AppTests/Shop.storekit")
        try put("app/Other/Shop.storekit", "c")
        let error = #expect(throws: SKTestError.self) { try find("Shop") }
        #expect(error?.code == .fileNotFound)
        #expect(error?.localizedDescription.contains("Other/Shop.storekit") == true)
        #expect(error?.localizedDescription.contains("AppTests/Shop.storekit") == true)
        try put("app/Shop.storekit", "d")
        #expect(try find("Shop.storekit") == "app/Shop.storekit")
        try put("build/App_AppTests.resources/Shop.storekit", "e")
        try put("build/App_App.resources/Shop.storekit", "e")
        #expect(try find("Shop").hasPrefix("build/App_App.resources"))
        #expect(throws: SKTestError.self) { try find("None") }
    }
}
