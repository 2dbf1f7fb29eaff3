import StoreDevice
import StoreModel
import StoreTestSupport
import Testing

/// Pending payments in the queues of several devices of one account.
@Suite("payments that wait, in the queue", .timeLimit(.minutes(10))) struct WaitingTests {
    private let home: Home

    init() async throws { home = try await Home() }

    @Test(
        "a request leaves the queues of all devices that asked, however it ends",
        arguments: [RequestReason.askToBuy, .authentication, .interrupted])
    func aRequestLeavesAllQueues(_ reason: RequestReason) async throws {
        for isSold in [true, false] {
            let account: AccountName = isSold ? "aoi" : "kai"
            _ = try await home.store.console.perform(
                .changeAccount(
                    AccountChange(
                        account: account, askToBuy: reason == .askToBuy,
                        asksBank: reason == .authentication,
                        interruptsPurchases: reason == .interrupted)))
            let phone = try await home.launch(of: account)
            let tablet = try await home.launch("tablet", of: account)
            let payments = [Payment.of(SampleCatalog.theme), .of(SampleCatalog.theme)]
            guard
                case .pending(let request, reason) = try await phone.buy(payments[0]),
                case .pending(request, reason) = try await tablet.buy(payments[1])
            else {
                Issue.record("not one request")
                return
            }
            for device in [phone, tablet] {
                #expect(try await device.requests().map(\.number) == [request])
                #expect(try await device.queuedPayments().map(\.reason) == [reason])
            }
            switch (isSold, reason) {
            case (true, .interrupted): try await tablet.resolve(request)
            case (true, _): _ = try await home.store.console.perform(.approve(request))
            case (false, _): try await tablet.withdraw(request)
            }
            for device in [phone, tablet] {
                try await home.until(device) { try await device.queuedPayments().isEmpty }
            }
            for device in [phone, tablet] { await device.close() }
        }
        #expect(try await home.salesCount() == 1)
    }
}
