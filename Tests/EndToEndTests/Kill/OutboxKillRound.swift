import Foundation
import TestBasics
import Testing

/// One store and its app's backend: about ten processes that send notifications are killed, while the
/// backend fails, hangs and comes back and the clock moves by days. Then the outbox is audited.
final class OutboxKillRound {
    /// A process that sends, and is killed.
    private enum Job: String, CaseIterable {
        case serve, advance, test
    }

    private static let coins = "lantern.coins.10"
    private static let plan = "lantern.membership.plus.month"
    /// The most that a killed process may take, in seconds, at first.
    private static let usual = 0.6

    private let box: Sandbox
    private let receiver: NotificationReceiver
    private(set) var random: SplitMix64
    private(set) var tally = OutboxKillTally()
    private(set) var problems: [String] = []

    init(random: SplitMix64) async throws {
        self.random = random
        box = try Sandbox()
        receiver = try NotificationReceiver()
        try await box.succeed("operator", "clock", "stop")
        try await box.succeed("operator", "notifications", "url", receiver.address)
        try await box.succeed("operator", "notifications", "retry", "on")
        try await box.succeed("buy", Self.plan)
    }

    /// Runs jobs until `kills` kills have hit a living process.
    func run(kills: Int) async throws {
        while tally.kills < kills, problems.isEmpty {
            let behaviour = random.pick(NotificationReceiver.Behaviour.allCases)
            receiver.behave(behaviour)
            if random.chance(60) { try await box.succeed("buy", Self.coins) }
            try await runAndKill(random.pick(Job.allCases), behaviour)
        }
    }

    private func words(_ job: Job) -> [String] {
        switch job {
        case .serve: ["serve", "--port", "0"]
        case .advance: ["operator", "clock", "advance", "\(1 + random.below(96))h"]
        case .test: ["operator", "notifications", "test"]
        }
    }

    /// Runs a job and kills it at a random instant.
    private func runAndKill(
        _ job: Job, _ behaviour: NotificationReceiver.Behaviour
    ) async throws {
        let before = receiver.arrived.count
        let seconds = Double.random(in: 0..<Self.usual, using: &random)
        let words = words(job)
        let program = try box.start(words)
        async let ending = program.endKilled(afterSeconds: seconds)
        // A server has something to send while it runs.
        if job == .serve {
            for _ in 0...random.below(2) { try await box.succeed("buy", Self.coins) }
        }
        let answer = await ending
        guard answer.code == -SIGKILL, !answer.hung else {
            tally.tooLate += 1
            if answer.code != 0 || answer.hung { problems.append("\(words): \(answer.whole)") }
            return
        }
        tally.kills += 1
        tally.byJob[job.rawValue, default: 0] += 1
        if receiver.arrived.count > before {
            tally.whileSending += 1
            tally.byBehaviour[behaviour.rawValue, default: 0] += 1
        }
    }

    // MARK: - The end

    /// Every notification was received or given up after its last retry, each first attempt was in
    /// the order of the events, and a retry has the number of the first attempt.
    func audit() async throws {
        guard problems.isEmpty else { return }
        receiver.behave(.succeeds)
        // Longer than the five retries take together.
        let ended = try await box.run("operator", "clock", "advance", "8d")
        if ended.code != 0 { problems.append("the last move: \(ended.whole)") }
        let list = try await box.succeed("notifications", "--json", "--limit", "1000").json
        let items = Array(list.reversed())
        let ids = items.compactMap { $0["notificationUUID"].text }
        if ids.count != items.count || Set(ids).count != ids.count {
            problems.append("numbers are missing, or occur twice: \(ids)")
        }
        for item in items { check(item) }
        checkOrder(of: items)
        try await checkSales(items)
        tally.notifications += items.count
        tally.attempts += receiver.arrived.count
    }

    private func check(_ item: JSON) {
        let id = item["notificationUUID"].text ?? ""
        let attempts = item["sendAttempts"].items.count
        switch item["state"].text {
        case "sent": if !receiver.accepted.contains(id) { problems.append("lost: \(item)") }
        case "failed":
            tally.givenUp += 1
            if attempts != 6 { problems.append("given up after \(attempts) attempts: \(item)") }
        default: problems.append("neither sent nor given up: \(item)")
        }
        // A killed process may have sent without recording it, and never records without sending.
        let sent = receiver.arrived.count { $0 == id }
        if sent < attempts { problems.append("\(attempts) attempts, \(sent) arrived: \(item)") }
    }

    private func checkOrder(of items: [JSON]) {
        var seen: Set<String> = []
        let first = receiver.arrived.filter { seen.insert($0).inserted }
        // A test may be queued before an earlier event was looked at.
        let happened = items.enumerated().sorted { one, other in
            let date = one.element["signedDate"].number ?? 0
            let later = other.element["signedDate"].number ?? 0
            return date == later ? one.offset < other.offset : date < later
        }
        let ids = happened.compactMap { $0.element["notificationUUID"].text }
        if first != ids { problems.append("arrived first: \(first), and happened: \(ids)") }
    }

    /// Each sale is told once.
    private func checkSales(_ items: [JSON]) async throws {
        let events = try await box.succeed("operator", "events", "--json").json
        let sold = events.filter {
            $0["event"].text == "sold" && $0["productId"].text == Self.coins
        }
        let told = items.filter { $0["notificationType"].text == "ONE_TIME_CHARGE" }
        let sales = sold.compactMap { $0["transactionId"].text }.sorted()
        let charges = told.compactMap { $0["transactionId"].text }.sorted()
        if sales != charges { problems.append("sold \(sales), and told \(charges)") }
    }
}
