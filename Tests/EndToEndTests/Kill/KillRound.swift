import Foundation
import TestBasics
import Testing

/// One store: about a dozen of its commands are killed, then it is audited.
final class KillRound {
    /// A command that is killed while it runs.
    private enum Job: String, CaseIterable {
        case coins, books, payment, restore, approve, delete, resume
        case subscribe, advance, refund, revoke, reverse, spend, value
        /// Answers and requests of the customer, and purchases outside the app.
        case resolve, withdraw, askRefund, declineRefund, outside, claim
        /// Changes of the family, which make and end shares.
        case family
        /// Failures that the operator sets up.
        case cut, failRestore
    }

    static let devices = ["phone", "tablet"]
    static let books = ["lantern.book.lighthouse.1", "lantern.book.lighthouse.2"]

    let box: Sandbox
    var random: SplitMix64
    var tally = KillTally()
    /// Payments that the program acknowledged as purchased, with their transactions.
    private(set) var acknowledged: [String: String] = [:]
    private(set) var approved: Set<String> = []
    /// Commands that sent a payment with an id of this test, by that id.
    private(set) var sent: [String: [String]] = [:]
    /// Commands that sent a spend with an id of this test, by that id; and the acknowledged spends.
    private(set) var spends: [String: [String]] = [:]
    private(set) var spent: Set<String> = []
    /// The acknowledged answers to requests: resolved and withdrawn; and the requested refunds.
    private(set) var resolved: Set<String> = []
    private(set) var withdrawn: Set<String> = []
    private(set) var refundsAsked: Set<String> = []
    /// The numbers that each device has set as a value of its own, and the last acknowledged ones,
    /// by key.
    private var valuesSet = 0
    private(set) var valuesPromised: [String: Int] = [:]
    var problems: [String] = []

    init(random: SplitMix64, pace: [String: Double]) throws {
        box = try Sandbox()
        self.random = random
        tally.pace = pace
    }

    /// Runs jobs until `kills` kills have hit a living process.
    func run(kills: Int) async throws {
        while tally.kills < kills, problems.isEmpty {
            let device = Self.devices.randomElement(using: &random) ?? "phone"
            // The first job is always the first start of the store.
            let job = tally.byJob.isEmpty ? .coins : Job.allCases.randomElement(using: &random)
            try await perform(job ?? .coins, on: device)
        }
    }

    private func perform(_ job: Job, on device: String) async throws {
        let book = Self.books.randomElement(using: &random) ?? Self.books[0]
        let coins = "lantern.coins.10"
        var words: [String]
        var answers = 1
        switch job {
        case .coins:
            words = ["buy"] + Array(repeating: coins, count: 40)
            answers = 40
        case .books:
            words = ["buy", coins, coins] + Self.books + [coins, coins, "--bandwidth", "200k"]
            answers = 6
        case .payment:
            let payment = sent.keys.sorted().randomElement(using: &random)
            if let payment, let words = sent[payment], Bool.random(using: &random) {
                return try await runAndKill(job, words, answers: 1)
            }
            let new = random.payment()
            let quantity = Int.random(in: 1...10, using: &random)
            words = ["buy", "lantern.coins.100", "--quantity", "\(quantity)", "--payment", new]
            sent[new.lowercased()] = words + ["--device", device, "--json"]
        case .restore: words = ["restore"]
        case .approve:
            answers = try await ask(for: coins, times: 6, on: device)
            words = ["operator", "approve", "--all"]
        case .delete: words = ["downloads", "delete", book]
        case .resume: words = ["downloads", "resume", book, "--bandwidth", "200k"]
        case .subscribe: words = ["buy", "lantern.membership.plus.month"]
        case .advance:
            // Makes several renewals of an active plan due.
            _ = try await box.run("buy", "lantern.membership.plus.month", "--device", device)
            let months = Int.random(in: 1...4, using: &random)
            words = ["operator", "clock", "advance", "\(months)mo"]
        case .refund:
            guard let id = try await someSale() else { return }
            words = [
                "operator", "refund", id, "--percent", "\(Int.random(in: 1...100, using: &random))",
            ]
        case .revoke:
            guard let id = try await someSale() else { return }
            words = ["operator", "revoke", id]
        case .reverse:
            guard let id = try await someSale() else { return }
            words = ["operator", "reverse-refund", id]
        case .spend:
            let known = spends.keys.sorted().randomElement(using: &random)
            if let known, let words = spends[known], Bool.random(using: &random) {
                return try await runAndKill(job, words, answers: 1)
            }
            let id = random.payment()
            words = [
                "purse", "spend", "coins", "\(Int.random(in: 1...30, using: &random))", "--for",
                "a hint", "--id", id,
            ]
            spends[id.uppercased()] = words + ["--device", device, "--json"]
        case .value:
            valuesSet += 1
            words = ["values", "count.\(device)", "\(valuesSet)"]
        case .resolve, .withdraw:
            guard let request = try await interrupt(coins, on: device) else { return }
            words = ["requests", job.rawValue, request]
        case .askRefund:
            guard let id = try await someSale() else { return }
            words = ["request-refund", id]
        case .declineRefund:
            guard let id = try await someSale() else { return }
            words = ["operator", "decline-refund", id]
        case .outside:
            let quantity = Int.random(in: 1...10, using: &random)
            words = ["operator", "buy-outside", coins, "--quantity", "\(quantity)"]
        case .claim:
            let waiting = try await box.run(
                "transactions", "--unfinished", "--json"
            ).json.compactMap { $0["transactionId"].text }
            guard let id = waiting.randomElement(using: &random) else { return }
            words = ["claim", id]
        case .family:
            _ = try await box.run("buy", Self.books[0], "--device", device)
            _ = try await box.run("operator", "family", "create", "me")
            words = ["operator", "family"] + familyChange()
        case .cut:
            // The device must be registered before its network can be cut.
            _ = try await box.run("purse", "--device", device)
            try await box.succeed("operator", "network", device, "off", "--during-purchase")
            words = ["buy", coins]
        case .failRestore:
            try await box.succeed(
                "operator", "fail-next", "networkError", "--call", "appStoreSync", "--after", "1")
            words = ["restore"]
        }
        // The operator's commands take no `--device`.
        let options = words.first == "operator" ? ["--json"] : ["--device", device, "--json"]
        try await runAndKill(job, words + options, answers: answers)
        if job == .cut { try await box.succeed("operator", "network", device, "on") }
        if job == .failRestore { try await box.succeed("operator", "faults", "--clear") }
    }

    /// Makes an interrupted purchase, and returns its request's number; nil if it was sold instead.
    private func interrupt(_ product: String, on device: String) async throws -> String? {
        try await box.succeed("operator", "interrupt-purchases", "on")
        let answer = try await box.run("buy", product, "--device", device, "--json")
        try await box.succeed("operator", "interrupt-purchases", "off")
        if answer.code != 10 { problems.append("not interrupted: \(answer.whole)") }
        return answer.object["requestId"].text
    }

    /// A random change of the family of `me` and `kai`; most changes make shares.
    private func familyChange() -> [String] {
        let changes = [
            ["join", "kai", "--organizer", "me"], ["join", "kai", "--organizer", "me"],
            ["join", "kai", "--organizer", "me"], ["leave", "kai"], ["leave", "me"],
            ["share", "me", Self.books[0], "off"], ["share", "me", Self.books[0], "on"],
        ]
        return changes.randomElement(using: &random) ?? changes[0]
    }

    private func someSale() async throws -> String? {
        try await box.run("transactions", "--json").json
            .compactMap { $0["transactionId"].text }.randomElement(using: &random)
    }

    private func ask(for product: String, times: Int, on device: String) async throws -> Int {
        try await box.succeed("operator", "ask-to-buy", "on")
        let order = ["buy"] + Array(repeating: product, count: times)
        let answer = try await box.run(order + ["--device", device, "--json"])
        if answer.code != 10 { problems.append("not pending: \(answer.code) \(answer.errors)") }
        try await box.succeed("operator", "ask-to-buy", "off")
        return times
    }

    /// Runs a job and kills it at a random instant within its usual duration.
    private func runAndKill(_ job: Job, _ words: [String], answers: Int) async throws {
        let clock = ContinuousClock()
        let usual = tally.pace[job.rawValue] ?? 0.3
        let delay = Double.random(in: 0..<usual, using: &random)
        let begun = clock.now
        let answer = try await box.start(words).endKilled(afterSeconds: delay)
        recordPromises(answer)
        guard answer.code == -SIGKILL, !answer.hung else {
            let took = begun.duration(to: clock.now) / .seconds(1)
            tally.pace[job.rawValue] = (usual + took) / 2
            tally.tooLate += 1
            checkAnswer(job, words, answer)
            return
        }
        // Extend the range slowly, so that kills also reach the end of a job.
        tally.pace[job.rawValue] = usual * 1.05
        tally.kills += 1
        tally.byJob[job.rawValue, default: 0] += 1
        switch answer.json.count {
        case 0: tally.beforeFirstAnswer += 1
        case answers...: tally.afterLastAnswer += 1
        default: tally.betweenAnswers += 1
        }
        if !box.partialFiles.isEmpty { tally.leftPartial += 1 }
        let unfinished = try await box.run("transactions", "--unfinished", "--json")
        if unfinished.code != 0 { problems.append("after a kill: \(unfinished.errors)") }
        if !unfinished.json.isEmpty { tally.leftUnfinished += 1 }
    }

    /// A job that was not killed must have succeeded, or been refused with a valid reason.
    private func checkAnswer(_ job: Job, _ words: [String], _ answer: RunningProgram.Answer) {
        // Deleting or resuming content that this device never had is refused. A payment that a
        // launch resent while Ask to Buy was on waits for approval.
        let good: [Int32] =
            switch job {
            case .delete, .resume: [0, 12]
            // Nothing to reverse, more than the rest, an active plan, or an empty purse.
            case .subscribe, .refund, .revoke, .reverse, .spend: [0, 12]
            // A launch has answered it, or it was requested, declined or finished before.
            case .resolve, .withdraw, .askRefund, .declineRefund, .claim: [0, 12]
            // There is no family, or the account is a member already.
            case .family: [0, 12]
            // The operator cuts the network before the answer: of this purchase, or of one that a
            // killed process left and that this launch sends again; then this one is offline.
            case .cut: [69, 12]
            // The operator makes the restore fail.
            case .failRestore: [0, 12]
            case .payment: [0, 10]
            default: [0]
            }
        if answer.hung || !good.contains(answer.code) {
            problems.append("\(words) ended with \(answer.code): \(answer.whole)")
        }
    }

    /// Records the acknowledgements of a run: one for each whole line on standard output.
    func recordPromises(_ answer: RunningProgram.Answer) {
        for line in answer.json {
            if let id = line["approved"].text { approved.insert(id) }
            if let id = line["spend"]["id"].text { spent.insert(id) }
            if let key = line["key"].text, let value = line["value"].text.flatMap(Int.init) {
                valuesPromised[key] = value
            }
            if let id = line["resolved"].text { resolved.insert(id) }
            if let id = line["withdrawn"].text { withdrawn.insert(id) }
            if line["askedAt"].number != nil, line["requestId"] == .null,
                let id = line["transactionId"].text
            {
                refundsAsked.insert(id)
            }
            guard line["outcome"].text == "purchased", line["alreadyOwned"].bool != true,
                let payment = line["paymentId"].text, let id = line["transactionId"].text
            else { continue }
            let known = acknowledged.updateValue(id, forKey: payment)
            if let known, known != id {
                problems.append("payment \(payment) was \(known), then \(id)")
            }
        }
    }
}
