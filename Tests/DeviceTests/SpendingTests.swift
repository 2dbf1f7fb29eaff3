import Foundation
import StoreDevice
import StoreEngine
import StoreModel
import StoreTestSupport
import Testing

/// Spending from a balance of consumables by the app.
@Suite("spending", .timeLimit(.minutes(10))) struct SpendingTests {
    private let home: Home

    init() async throws { home = try await Home() }

    private static func spend(_ amount: Int64, id: UUID = UUID()) -> Spend {
        Spend(id: id, unit: "coins", amount: amount, reason: "a hint")
    }

    private func buy(_ count: Int, on device: Device) async throws {
        for _ in 0..<count { _ = try await device.buy(.of(SampleCatalog.coins)) }
        try await home.untilDelivered(count, on: device)
        try await home.untilFinished()
    }

    @Test("a repeated spend counts once, also after the device is opened again [A5]")
    func once() async throws {
        let device = try await home.launch()
        try await buy(2, on: device)
        let spend = Self.spend(8)
        for _ in 0..<3 {
            #expect(try await device.spend(spend) == Balance(unit: "coins", amount: 12))
        }
        await device.close()
        let next = try await home.open()
        #expect(try await next.spend(spend).amount == 12)
        #expect(try await next.balances().coins == 12)
        #expect(next.alteredRecords.isEmpty)
    }

    @Test("a spend id reused with other values is refused, naming the field that differs")
    func mismatch() async throws {
        let device = try await home.launch()
        try await buy(1, on: device)
        let spend = Self.spend(1)
        _ = try await device.spend(spend)
        var others = [spend, spend, spend]
        others[0].amount = 2
        others[1].unit = "gems"
        others[2].reason = "a sword"
        for (other, field) in zip(others, ["amount", "unit", "reason"]) {
            let error = await #expect(throws: StoreError.self) { try await device.spend(other) }
            #expect(error?.code == .spendMismatch)
            #expect(error?.subject == field)
        }
        #expect(try await device.balances().coins == 9)
    }

    @Test(
        "a spend larger than the balance is refused",
        arguments: [11, 100, Spend.amounts.upperBound])
    func tooMuch(_ amount: Int64) async throws {
        let device = try await home.launch()
        try await buy(1, on: device)
        let error = await #expect(throws: StoreError.self) {
            try await device.spend(Self.spend(amount))
        }
        #expect(error?.code == .insufficientBalance)
        #expect(error?.found == "10")
        #expect(try await device.balances().coins == 10)
    }

    @Test("a spend from an empty purse is refused")
    func noPurse() async throws {
        let device = try await home.open()
        let error = await #expect(throws: StoreError.self) {
            try await device.spend(Self.spend(1))
        }
        #expect(error?.code == .insufficientBalance)
        #expect(error?.found == "0")
    }

    @Test(
        "a spend amount outside the allowed range is refused",
        arguments: [0, -1, Int64.min, Int64.max])
    func strange(_ amount: Int64) async throws {
        let device = try await home.launch()
        try await buy(1, on: device)
        let error = await #expect(throws: StoreError.self) {
            try await device.spend(Self.spend(amount))
        }
        #expect(error?.code == .invalidName)
        #expect(try await device.balances().coins == 10)
    }

    @Test(
        "a refund of spent coins makes the balance negative and blocks spending until repaid [A5]")
    func owed() async throws {
        let device = try await home.launch()
        try await buy(2, on: device)
        _ = try await device.spend(Self.spend(20))
        let id = try #require(try await device.deliveries().first?.transactionID)
        let updates = device.updates()
        _ = try await home.store.console.perform(.refund(id, .rest, reason: .other))
        _ = await updates.first { if case .revised = $0 { true } else { nil } }
        #expect(try await device.balances() == [Balance(unit: "coins", amount: -10)])
        let error = await #expect(throws: StoreError.self) {
            try await device.spend(Self.spend(1))
        }
        #expect(error?.code == .insufficientBalance)
        _ = try await device.buy(.of(SampleCatalog.coins))
        try await home.untilDelivered(3, on: device)
        #expect(try await device.balances().coins == 0)
        _ = try await device.buy(.of(SampleCatalog.coins))
        try await home.untilDelivered(4, on: device)
        #expect(try await device.spend(Self.spend(10)).amount == 0)
    }

    @Test("two processes that spend at once never exceed the balance")
    func atOnce() async throws {
        let first = try await home.launch()
        try await buy(3, on: first)
        let second = try await home.open()
        let spent = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<20 {
                let device = number.isMultiple(of: 2) ? first : second
                group.addTask { (try? await device.spend(Self.spend(4))) != nil }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(spent == 7)
        #expect(try await second.balances().coins == 2)
    }
}
