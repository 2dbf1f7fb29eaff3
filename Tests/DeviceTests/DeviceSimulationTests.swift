import StoreDevice
import StoreEngine
import StoreModel
import StoreTestSupport
import TestBasics
import Testing

/// Three devices of one account buy, spend, claim each other's sales, and are closed and launched
/// again at random. On some of them every `finish` fails. Meanwhile the operator refunds, revokes,
/// reverses refunds and deletes. In the end, over all devices, the coins granted less those taken
/// back equal the coins sold less those refunded and deleted (promise P2).
@Suite(.timeLimit(.minutes(10))) struct DeviceSimulationTests {
    private static let names: [DeviceName] = ["phone", "tablet", "watch"]

    @Test(
        "over all devices, coins granted equal coins sold, less refunds and spends [A5]",
        arguments: Array(1...8) + [128, 155] as [UInt64])
    func overAllDevicesWhatWasGrantedIsWhatWasSold(_ seed: UInt64) async throws {
        try await run(seed, isDisturbed: false)
    }

    @Test(
        "coins granted equal coins sold while updates come twice, late and out of order [A5]",
        arguments: Array(1...12) as [UInt64])
    func whileFeedsAreDisturbed(_ seed: UInt64) async throws {
        try await run(seed, isDisturbed: true)
    }

    private func run(_ seed: UInt64, isDisturbed: Bool) async throws {
        let home = try await Home()
        var random = SplitMix64(seed: seed)
        var running: [DeviceName: [Device]] = [:]
        var spent: Int64 = 0
        for _ in 0..<40 {
            if isDisturbed { try await disturb(home, &random) }
            let name = random.pick(Self.names)
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<30:
                let payment = Payment.of(
                    SampleCatalog.coins, quantity: Int.random(in: 1...3, using: &random),
                    id: PaymentID(random.uuid()))
                if let device = running[name]?.randomElement(using: &random) {
                    _ = try await device.buy(payment)
                } else {
                    _ = try await home.session(name).purchase(payment)
                }
            case 30..<35: _ = try await home.session(name).purchase(.of(SampleCatalog.theme))
            case 35..<60:
                let waiting = try await home.session(name).unfinished(allDevices: true)
                guard !waiting.isEmpty else { continue }
                // It may be finished, or claimed by another device, before this claim.
                _ = try? await home.session(name).claim(random.pick(waiting).id)
            case 60..<66: try await takeBack(at: home, &random)
            case 66..<70:
                guard let device = running[name]?.randomElement(using: &random) else { continue }
                let spend = Spend(
                    id: random.uuid(), unit: "coins",
                    amount: Int64.random(in: 1...15, using: &random), reason: "a hint")
                // The spend is repeated with the same id, and must count once.
                _ = try? await device.spend(spend)
                if (try? await device.spend(spend)) != nil { spent += spend.amount }
            case 70..<80 where running[name, default: []].count < 2:
                running[name, default: []].append(
                    try await launch(name, at: home, canFinish: random.chance(50)))
            case 80..<88:
                guard let device = running[name]?.randomElement(using: &random) else { continue }
                await device.suspend()
                if random.chance(50) { try await device.launch() }
            default:
                guard let count = running[name]?.count, count > 0 else { continue }
                await running[name]?.remove(at: Int.random(in: 0..<count, using: &random)).close()
            }
        }
        for device in running.values.joined() { await device.close() }
        try await home.store.console.clearFaults()
        try await expectGrantedAsSold(home, seed, spent: spent)
    }

    /// Sometimes sets or clears a fault of the feeds, or moves the clock, at which late updates come.
    private func disturb(_ home: Home, _ random: inout SplitMix64) async throws {
        let console = home.store.console
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<30:
            let error = random.pick(Fault.Call.updates.errors)
            let delay: Int64? =
                error == .deliveredLate && random.chance(50) ? 60_000 : nil
            let count = random.chance(70) ? Int.random(in: 1...3, using: &random) : nil
            _ = try await console.perform(
                .failNext(.updates, error: error, count: count, delayMilliseconds: delay))
        case 30..<40: try await console.clearFaults()
        case 40..<60: _ = try await console.perform(.clock(.advance(.seconds(60))))
        default: break
        }
    }

    /// A random action on a random sale; the store may refuse it.
    private func takeBack(at home: Home, _ random: inout SplitMix64) async throws {
        let sales = try await home.store.ledger.allRows().transactions.keys.sorted()
        guard !sales.isEmpty else { return }
        let id = random.pick(sales)
        let action = random.pick([
            OperatorAction.refund(
                id, .percent(Int.random(in: 1...100, using: &random)), reason: .other),
            .refund(id, .rest, reason: .app), .revoke(id), .reverseRefund(id), .reverseRefund(id),
            .delete(id, wholeChain: false),
        ])
        _ = try? await home.store.console.perform(action)
    }

    private func launch(
        _ name: DeviceName, at home: Home, canFinish: Bool
    ) async throws -> Device {
        try await home.launch(name) { script in
            guard !canFinish else { return }
            script.beforeFinish = { (_: TransactionID) async throws(StoreError) in
                throw StoreError(.storeBusy)
            }
        }
    }

    private func expectGrantedAsSold(
        _ home: Home, _ seed: UInt64, spent: Int64
    ) async throws {
        var devices: [Device] = []
        for name in Self.names { devices.append(try await home.launch(name)) }
        try await home.untilFinished()
        // Only the feed reports a finish: a device that reports the last one has read everything.
        let streams = devices.map { $0.updates() }
        let last = try await home.session().purchase(.of(SampleCatalog.pass)).number
        var granted: Int64 = 0
        for (device, stream) in zip(devices, streams) {
            #expect(await stream.first { $0.finishedID == last ? true : nil } == true)
            granted += try await device.balances().coins
            let lasting = try await device.deliveries().filter { $0.type == .nonConsumable }
            #expect(lasting.allSatisfy { !$0.isVoid }, "seed \(seed)")
            #expect(try await device.queuedPayments().isEmpty, "seed \(seed)")
        }
        let sold = try await home.store.ledger.allRows().transactions.values
            .filter { $0.sale.type == .consumable }
            .reduce(Int64(0)) { sum, row in
                let whole = Int64(row.sale.quantity * 10)
                let takenBack = row.state.isDeleted ? .all : row.state.revocation?.takenBack
                return sum + whole - (takenBack ?? .none).of(whole)
            }
        #expect(granted == sold - spent, "seed \(seed)")
        for device in devices { await device.close() }
    }
}
