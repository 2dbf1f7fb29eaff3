import Foundation
import StoreKit
import StoreModel
import Testing

// What other processes do to the one that buys, and what it says by itself.
extension ProcessTests {
    /// A folder beside the configuration, which is removed with it.
    private static func store(
        beside file: ConfigurationFixture, device: DeviceName = "app"
    ) -> AppStoreSession.Choice {
        var choice = AppStoreSession.Choice(file: file.path)
        choice.store = (file.path as NSString).deletingLastPathComponent + "/store"
        choice.environment = .sandbox
        choice.device = device
        return choice
    }

    /// The store's threads are not in the child, so that a call that waited for them would hang until
    /// the child's alarm. A fork while another thread holds a lock of the runtime makes a child that
    /// hangs as well, with which nothing is wrong: then another child is made.
    @Test("in a child that was forked, a call says so at once, and the parent buys on")
    func forked() async {
        await #expect(processExitsWith: .success) {
            let test = try await TestSession()
            AppStoreProcess.begin(test.session)
            _ = try await AppStoreProcess.current()
            var hasSaidSo = false
            for _ in 1...10 where !hasSaidSo {
                let child = fork()
                if child == 0 {
                    alarm(10)
                    do throws(StoreError) {
                        _ = try await AppStoreProcess.current()
                        _exit(1)
                    } catch {
                        _exit(error.code == .systemError && error.subject == "fork" ? 0 : 2)
                    }
                }
                var status: Int32 = -1
                waitpid(child, &status, 0)
                // Of a child that a signal has ended, wait(2) tells the signal.
                guard status == 0 || status == SIGALRM else { exit(3) }
                hasSaidSo = status == 0
            }
            guard hasSaidSo else { exit(4) }
            try await SessionFixture.buy(TestSession.coins)
            exit(0)
        }
    }

    @Test("a clock that another process moves is the session's: renewals come, and calls go on")
    func movedClock() async throws {
        let file = try ConfigurationFixture(SessionFixture.configuration)
        let here = try await AppStoreSession.open(Self.store(beside: file))
        let other = try await AppStoreSession.open(Self.store(beside: file, device: "other"))
        let monthly = ProductID(SessionFixture.monthly)
        try await here.perform(.buyOutside(monthly, account: "me", quantity: 1))
        let before = here.now
        var reader = AppUpdateReader(here.board, isBound: true)
        try await other.perform(.clock(.advance(.calendar(.init(unit: .month, value: 2)))))
        var isRenewed = false
        while !isRenewed, let update = await reader.next() {
            guard case .event(_, let transaction?, _) = update else { continue }
            let sold = transaction.unsafePayloadValue
            isRenewed = sold.productID == SessionFixture.monthly && sold.id != sold.originalID
        }
        #expect(isRenewed)
        #expect(here.now.milliseconds(since: before) > 58 * 86_400_000)
        try await AppStoreProcess.$bound.withValue(here) {
            let latest = try #require(await Transaction.latest(for: SessionFixture.monthly))
            #expect(try latest.payloadValue.purchaseDate > Date())
            try await SessionFixture.buy(SessionFixture.coins)
        }
        // A clock that stands still stops no call.
        try await other.perform(.clock(.stop))
        try await AppStoreProcess.$bound.withValue(here) {
            try await SessionFixture.buy(SessionFixture.theme)
        }
        #expect(here.isClockStopped)
        await other.close()
        await here.close()
    }

    @Test("a store of another app is refused by each call, until the app chooses its own")
    func otherApp() async throws {
        let file = try ConfigurationFixture(SessionFixture.configuration)
        let first = try await AppStoreSession.open(Self.store(beside: file))
        await first.close()
        let text = SessionFixture.configuration.replacing("5C0F1A2C", with: "5C0F1A2D")
        let other = try ConfigurationFixture(text)
        let store: String = (file.path as NSString).deletingLastPathComponent + "/store"
        let (own, foreign): (String, String) = (file.path, other.path)
        await #expect(processExitsWith: .success) {
            [own = own as String, foreign = foreign as String, store = store as String] in
            let folder = URL(filePath: store)
            StoreKitHost.configure(configuration: URL(filePath: foreign), store: folder)
            for _ in 1...2 {
                do throws(StoreError) {
                    _ = try await AppStoreProcess.current()
                    exit(1)
                } catch { guard error.code == .storeOfAnotherApp else { exit(2) } }
            }
            do {
                _ = try await SessionFixture.product(SessionFixture.coins)
                exit(3)
            } catch StoreKitError.systemError {} catch { exit(4) }
            StoreKitHost.configure(configuration: URL(filePath: own), store: folder)
            _ = try await SessionFixture.product(SessionFixture.coins)
            exit(0)
        }
    }

    @Test("that purchases are made without a question is told once, with its reason")
    func toldOnce() async {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardErrorContent]
        ) {
            let test = try await TestSession()
            AppStoreProcess.begin(test.session)
            for _ in 1...3 { try await SessionFixture.buy(TestSession.coins) }
            exit(0)
        }
        let told = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        let line = "StoreKit: test.coins is bought without a question, since a test is running. "
        #expect(told.components(separatedBy: line).count == 2, "\(told)")
        #expect(told.contains("StoreKitHost.confirmation chooses who confirms.\n"), "\(told)")
    }
}
