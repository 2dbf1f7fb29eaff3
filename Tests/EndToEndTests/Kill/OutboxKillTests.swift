import Foundation
import TestBasics
import Testing

/// SIGKILL to processes that send notifications, many times: nothing is lost, and each notification
/// is first sent in the order of the events. `STOREFRONT_OUTBOX_KILLS` sets how many kills must hit a
/// living process; `STOREFRONT_SEED` repeats a run's random choices.
@Suite("SIGKILL to a process that sends notifications", .withProgram, .inTurn)
struct OutboxKillTests {
    private static let killsARound = 10

    @Test(
        "every notification is received or given up after its retries, first attempts in order")
    func kill() async throws {
        let environment = ProcessInfo.processInfo.environment
        let wanted = environment["STOREFRONT_OUTBOX_KILLS"].flatMap { Int($0) } ?? 20
        let seed =
            environment["STOREFRONT_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 1...999_999)
        var random = SplitMix64(seed: seed)
        var tally = OutboxKillTally()
        var rounds = 0
        while tally.kills < wanted {
            rounds += 1
            let round = try await OutboxKillRound(random: random)
            try await round.run(kills: min(Self.killsARound, wanted - tally.kills))
            try await round.audit()
            tally.add(round.tally)
            random = round.random
            #expect(
                round.problems.isEmpty, "seed \(seed), round \(rounds): \(round.problems)")
            if !round.problems.isEmpty { break }
        }
        print("Outbox kill test: seed \(seed), \(rounds) rounds, \(tally.text)")
    }
}

/// Counts the kills by what was killed and what the backend did.
struct OutboxKillTally {
    var kills = 0
    /// Runs that ended before their kill.
    var tooLate = 0
    /// Kills of a process from which a notification had arrived.
    var whileSending = 0
    var byJob: [String: Int] = [:]
    var byBehaviour: [String: Int] = [:]
    var notifications = 0
    var attempts = 0
    var givenUp = 0

    mutating func add(_ other: OutboxKillTally) {
        kills += other.kills
        tooLate += other.tooLate
        whileSending += other.whileSending
        byJob.merge(other.byJob) { $0 + $1 }
        byBehaviour.merge(other.byBehaviour) { $0 + $1 }
        notifications += other.notifications
        attempts += other.attempts
        givenUp += other.givenUp
    }

    var text: String {
        func list(_ counts: [String: Int]) -> String {
            counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
                .joined(separator: ", ")
        }
        return """
            \(kills) kills of a living process (\(tooLate) more came too late): \(list(byJob)); \
            \(whileSending) of them had sent, to a backend that \(list(byBehaviour)). \
            \(notifications) notifications checked, with \(attempts) attempts; \(givenUp) given up.
            """
    }
}
