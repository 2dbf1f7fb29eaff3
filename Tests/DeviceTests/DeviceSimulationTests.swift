import StoreDevice
import StoreEngine
import StoreModel
import StoreTestSupport
import TestBasics
import Testing

/// Three devices of one account that buy, claim from each other, and are killed and launched again
/// at any time, some of them unheard by the store. In the end, over all devices, exactly what was
/// sold was granted.
@Suite(.timeLimit(.minutes(1))) struct DeviceSimulationTests {
    private static let names: [DeviceName] = ["phone", "tablet", "watch"]

    @Test(arguments: Array(1...8) + [128, 155] as [UInt64])
    func overAllDevicesWhatWasGrantedIsWhatWasSold(_ seed: UInt64) async throws {
        let home = try await Home()
        var random = SplitMix64(seed: seed)
        var running: [DeviceName: [Device]] = [:]
        for _ in 0..<40 {
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
                // It may be finished, or claimed by another, by the time the claim is made.
                _ = try? await home.session(name).claim(random.pick(waiting).id)
            case 60..<80 where running[name, default: []].count < 2:
                running[name, default: []].append(
                    try await launch(name, at: home, isHeard: random.chance(50)))
            case 80..<88:
                guard let device = running[name]?.randomElement(using: &random) else { continue }
                await device.rest()
                if random.chance(50) { try await device.launch() }
            default:
                guard let count = running[name]?.count, count > 0 else { continue }
                await running[name]?.remove(at: Int.random(in: 0..<count, using: &random)).close()
            }
        }
        for device in running.values.joined() { await device.close() }
        try await expectGrantedAsSold(home, seed)
    }

    private func launch(
        _ name: DeviceName, at home: Home, isHeard: Bool
    ) async throws -> Device {
        try await home.launch(name) { script in
            guard !isHeard else { return }
            script.beforeFinish = { (_: TransactionID) async throws(StoreError) in
                throw StoreError(.storeBusy)
            }
        }
    }

    private func expectGrantedAsSold(_ home: Home, _ seed: UInt64) async throws {
        var devices: [Device] = []
        for name in Self.names { devices.append(try await home.launch(name)) }
        try await home.untilFinished()
        // Only the feed tells that something is finished: who heard the last has read all before.
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
            .reduce(0) { $0 + $1.sale.quantity * 10 }
        #expect(granted == Int64(sold), "seed \(seed)")
        for device in devices { await device.close() }
    }
}
