import StoreDevice
import StoreEngine
import StoreModel
import StoreTestSupport
import Synchronization
import TestBasics
import Testing

/// Two devices of one account buy. Meanwhile their networks are cut before and after payments and
/// restored, and their processes are closed, or killed before and after the store records a
/// payment, and launched again. No payment is sold twice, and no sale is lost (promises P1 and P2).
@Suite("buying with a network that comes and goes", .timeLimit(.minutes(10)))
struct NetworkSimulationTests {
    private static let names: [DeviceName] = ["phone", "tablet"]

    /// The outcome of a payment, as the device reports it.
    private enum Told { case sold, refused, unknown }

    /// The step at which the buying process is killed; the device then never gets an answer.
    private final class KillPoint: Sendable {
        enum Place { case beforeStore, afterStore }
        private let place = Mutex<Place?>(nil)

        func set(_ new: Place?) { place.withLock { $0 = new } }

        func pass(_ here: Place) throws(StoreError) {
            if place.withLock({ $0 == here }) { throw StoreError(.outcomeUnknown) }
        }
    }

    private static func launch(
        _ name: DeviceName, at home: Home, killedAt point: KillPoint
    ) async throws -> Device {
        try await home.launch(name) { script in
            script.beforePurchase = { (_: Payment) async throws(StoreError) in
                try point.pass(.beforeStore)
            }
            script.afterPurchase = { (_: Payment) async throws(StoreError) in
                try point.pass(.afterStore)
            }
        }
    }

    @Test(
        "each payment is sold at most once, one that was refused never, and all coins arrive [F4]",
        arguments: Array(1...12) as [UInt64])
    func cuts(_ seed: UInt64) async throws {
        let home = try await Home()
        var random = SplitMix64(seed: seed)
        var running: [DeviceName: Device] = [:]
        var told: [PaymentID: (payment: Payment, device: DeviceName, told: Told)] = [:]
        let points = Dictionary(uniqueKeysWithValues: Self.names.map { ($0, KillPoint()) })
        for name in Self.names {
            running[name] = try await Self.launch(
                name, at: home, killedAt: points[name] ?? KillPoint())
        }
        for _ in 0..<60 {
            let name = random.pick(Self.names)
            guard let point = points[name] else { continue }
            point.set(nil)
            guard let device = running[name] else {
                running[name] = try await Self.launch(name, at: home, killedAt: point)
                continue
            }
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<45:
                var payment = Payment.of(
                    SampleCatalog.coins, quantity: Int.random(in: 1...3, using: &random),
                    id: PaymentID(random.uuid()))
                // Sometimes send a payment again whose outcome is unknown.
                let queued = Set(try await device.queuedPayments().map(\.payment.id))
                let unknown = told.values.filter {
                    $0.told == .unknown && queued.contains($0.payment.id)
                }
                let isKilled = random.chance(20)
                if isKilled { point.set(random.pick([.beforeStore, .afterStore])) }
                if random.chance(30),
                    let again = unknown.min(by: {
                        $0.payment.id.description < $1.payment.id.description
                    })
                {
                    payment = again.payment
                }
                let answer: Told
                do throws(StoreError) {
                    answer = try await device.buy(payment).isPurchased ? .sold : .refused
                } catch {
                    answer = error.code == .outcomeUnknown ? .unknown : .refused
                    #expect(answer == .unknown || error.isNetworkOff, "seed \(seed): \(error)")
                }
                if isKilled {
                    await device.close()
                    running[name] = nil
                }
                let before = told[payment.id]?.told
                #expect(before == nil || answer != .refused, "seed \(seed): sent before")
                told[payment.id] = (payment, name, answer)
            case 45..<55: try await device.setNetwork(.off(milliseconds: nil))
            case 55..<68: try await device.setNetwork(.offAfterPayment(milliseconds: nil))
            case 68..<82: try await device.setNetwork(.on)
            case 82..<88: _ = try? await device.entitlements()
            default:
                await device.close()
                running[name] = nil
            }
        }
        for device in running.values { await device.close() }
        try await expectSoldOnce(home, told.values.map { ($0.payment, $0.told) }, seed)
    }

    private func expectSoldOnce(
        _ home: Home, _ told: [(payment: Payment, told: Told)], _ seed: UInt64
    ) async throws {
        var granted: Int64 = 0
        for name in Self.names {
            let device = try await home.launch(name)
            try await device.setNetwork(.on)
            try await home.until(device) { try await device.queuedPayments().isEmpty }
            let waiting = { try await home.session(name).unfinished(allDevices: false) }
            try await home.untilStore { try await waiting().isEmpty }
            granted += try await device.balances().coins
            await device.close()
        }
        var sold: Int64 = 0
        for (payment, told) in told {
            let outcome = try await home.session().outcome(of: payment)
            switch told {
            case .sold: #expect(outcome?.isPurchased == true, "seed \(seed)")
            case .refused: #expect(outcome == nil, "seed \(seed): refused, and sold")
            case .unknown:
                #expect(outcome?.isPurchased == true, "seed \(seed): it was lost")
            }
            if outcome?.isPurchased == true { sold += Int64(payment.quantity * 10) }
        }
        let rows = try await home.store.ledger.allRows().transactions.values
        let recorded = rows.reduce(Int64(0)) { $0 + Int64($1.sale.quantity * 10) }
        #expect(recorded == sold, "seed \(seed): sold twice")
        #expect(granted == sold, "seed \(seed)")
    }
}
