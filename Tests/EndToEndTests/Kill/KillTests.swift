import Foundation
import TestBasics
import Testing

/// SIGKILL at random instants, many times: every acknowledged sale is recorded, every sale is
/// delivered once, and no transaction stays unfinished. `STOREFRONT_KILLS` sets how many kills must
/// hit a living process; `STOREFRONT_SEED` repeats a run's random choices.
@Suite("SIGKILL at any instant", .withProgram, .inTurn)
struct KillTests {
    private static let killsARound = 13

    @Test("no acknowledged sale is lost, and none is sold or delivered twice [A4]")
    func kill() async throws {
        let environment = ProcessInfo.processInfo.environment
        let wanted = environment["STOREFRONT_KILLS"].flatMap { Int($0) } ?? 40
        let seed =
            environment["STOREFRONT_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 1...999_999)
        var random = SplitMix64(seed: seed)
        var tally = KillTally()
        var rounds = 0
        while tally.kills < wanted {
            rounds += 1
            let round = try KillRound(random: random, pace: tally.pace)
            try await round.run(kills: min(Self.killsARound, wanted - tally.kills))
            let problems = try await round.audit()
            tally.add(round.tally)
            random = round.random
            #expect(problems.isEmpty, "seed \(seed), round \(rounds): \(problems)")
            if !problems.isEmpty { break }
        }
        print("Kill test: seed \(seed), \(rounds) rounds, \(tally.text)")
    }
}

/// Counts the kills by the point at which they came, as far as the output shows it.
struct KillTally {
    var kills = 0
    /// Runs that ended before their kill.
    var tooLate = 0
    var beforeFirstAnswer = 0
    var betweenAnswers = 0
    var afterLastAnswer = 0
    var leftUnfinished = 0
    var leftPartial = 0
    var byJob: [String: Int] = [:]
    var sales = 0
    var renewals = 0
    var spends = 0
    var requests = 0
    var shares = 0
    /// How long each job takes without a kill, in seconds.
    var pace: [String: Double] = [:]

    mutating func add(_ other: KillTally) {
        kills += other.kills
        tooLate += other.tooLate
        beforeFirstAnswer += other.beforeFirstAnswer
        betweenAnswers += other.betweenAnswers
        afterLastAnswer += other.afterLastAnswer
        leftUnfinished += other.leftUnfinished
        leftPartial += other.leftPartial
        sales += other.sales
        renewals += other.renewals
        spends += other.spends
        requests += other.requests
        shares += other.shares
        byJob.merge(other.byJob) { $0 + $1 }
        pace = other.pace
    }

    var text: String {
        let jobs = byJob.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        return """
            \(kills) kills of a living process (\(tooLate) more came too late): \
            \(beforeFirstAnswer) before the first answer, \(betweenAnswers) between answers, \
            \(afterLastAnswer) after the last; \(leftUnfinished) left a sale unfinished, \
            \(leftPartial) left a partial download. Jobs hit: \(jobs.joined(separator: ", ")). \
            \(sales) sales, \(renewals) renewals, \(spends) spends, \(shares) family shares and \
            \(requests) answers to requests checked.
            """
    }
}
