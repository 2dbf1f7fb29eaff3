import Foundation
import Testing

/// Every system call by which a purchase writes to its store or device fails in turn, with a full
/// disk and with an I/O error (injected by strace(1)). The program's answer must agree with the
/// ledger: a person who wants one purchase and follows every message gets exactly one sale.
///
/// `STOREFRONT_FAULTS=all` fails every call of more kinds; otherwise every sync fails, and every
/// fourth or fifth write.
@Suite("a failure of any system call", .withProgram, .withTracing, .inTurn)
struct FaultSweepTests {
    private static let sweepsAll =
        ProcessInfo.processInfo.environment["STOREFRONT_FAULTS"] == "all"

    struct Sweep: CustomTestStringConvertible, Sendable {
        var call: String
        var error: String
        /// Only every `step`-th call fails.
        var step = 1
        /// The purchase itself creates the store.
        var isFirst = false
        var testDescription: String { "\(call) \(error)\(isFirst ? ", first start" : "")" }
    }

    private static let sweeps: [Sweep] = {
        // SQLite writes a database with these calls alone, and uses neither fsync(2) nor write(2).
        let all = ["fdatasync", "pwrite64", "ftruncate", "openat"]
            .flatMap { call in
                ["ENOSPC", "EIO"].flatMap { error in
                    [false, true].map { Sweep(call: call, error: error, isFirst: $0) }
                }
            }
        let few = [
            Sweep(call: "fdatasync", error: "EIO"), Sweep(call: "fdatasync", error: "ENOSPC"),
            Sweep(call: "pwrite64", error: "ENOSPC", step: 4),
            Sweep(call: "pwrite64", error: "EIO", step: 5),
        ]
        return sweepsAll ? all : few
    }()

    @Test(
        "a purchase's answer agrees with the ledger, and following it charges once",
        arguments: sweeps)
    func sweep(_ sweep: Sweep) async throws {
        let original = try Sandbox()
        if !sweep.isFirst { try await original.succeed("buy", "lantern.theme.sepia") }
        var tally = FaultTally()
        var place = 1
        while true {
            let round = try FaultRound(copyOf: original)
            let fired = try await round.run(sweep.call, sweep.error, at: place, &tally)
            #expect(round.problems.isEmpty, "\(sweep) at \(place): \(round.problems)")
            guard fired, round.problems.isEmpty else { break }
            place += sweep.step
        }
        print("Fault sweep: \(sweep): \(tally.text)")
        #expect(tally.faults > 0, "nothing was injected")
    }

    /// Actions after a sale, which a person repeats until the program reports them done.
    enum Action: String, CaseIterable, Sendable {
        case refund, revoke, spend, value, renewal, resolve, withdraw, askRefund, outside
        case reverseRefund, delete, claim, joinFamily, leaveFamily, download
        /// Actions that write small files beside the databases.
        case network, unlocks

        /// The calls that fail: those that make the action's writes durable. A receipt can be made
        /// again at any time and is written without a sync, so no sweep covers it.
        func calls(all: Bool) -> [String] {
            switch self {
            case .network, .unlocks: ["fsync"]
            case .refund, .revoke, .spend, .value, .renewal, .resolve, .withdraw, .askRefund,
                .outside, .reverseRefund, .delete, .claim, .joinFamily, .leaveFamily, .download:
                all ? ["fdatasync", "pwrite64"] : ["fdatasync"]
            }
        }

        var preparation: [[String]] {
            switch self {
            case .refund, .revoke, .spend, .value, .renewal, .resolve, .withdraw, .askRefund,
                .outside, .delete, .download, .network, .unlocks:
                []
            case .reverseRefund: [["operator", "refund", "1000001"], ["restore"]]
            case .claim:
                [["buy", "lantern.coins.10", "--device", "phone", "--leave-unfinished"]]
            case .joinFamily: [["operator", "family", "create", "kai"]]
            case .leaveFamily:
                [
                    ["operator", "family", "create", "kai"],
                    ["operator", "family", "join", "me", "--organizer", "kai"],
                ]
            }
        }
    }

    private static let actions: [(Action, Sweep)] = Action.allCases.flatMap { action in
        ["ENOSPC", "EIO"].flatMap { error in
            action.calls(all: sweepsAll).map { (action, Sweep(call: $0, error: error)) }
        }
    }

    @Test(
        "the answer to an action after a sale agrees with the record, and a retry is safe",
        arguments: actions)
    func afterTheSale(_ action: Action, _ sweep: Sweep) async throws {
        let original = try Sandbox()
        try await original.succeed("buy", "lantern.coins.10", "lantern.membership.plus.month")
        try await original.succeed("operator", "interrupt-purchases", "on")
        #expect(try await original.run("buy", "lantern.theme.sepia").code == 10)
        try await original.succeed("operator", "interrupt-purchases", "off")
        for command in action.preparation {
            let answer = try await original.run(command)
            #expect(answer.code == 0, "\(command): \(answer.whole)")
        }
        if action == .unlocks {
            try FileManager.default.removeItem(
                atPath: original.store + "/devices/terminal/me/unlocks.jws")
        }
        var tally = FaultTally()
        var place = 1
        while true {
            let round = try FaultRound(copyOf: original)
            let fired = try await round.run(action, sweep.call, sweep.error, at: place, &tally)
            #expect(round.problems.isEmpty, "\(action) \(sweep) at \(place): \(round.problems)")
            guard fired, round.problems.isEmpty else { break }
            place += sweep.step
        }
        print("Fault sweep: \(action) \(sweep): \(tally.text)")
        #expect(tally.faults > 0, "nothing was injected")
    }
}

extension FaultRound {
    /// One action with one failing call, repeated until it is reported done.
    func run(
        _ action: FaultSweepTests.Action, _ call: String, _ error: String, at place: Int,
        _ tally: inout FaultTally
    ) async throws -> Bool {
        let words = Self.words(action)
        let answer = try await traced(words, call, error, at: place)
        let trace = try String(contentsOfFile: tracePath, encoding: .utf8)
        let fired = trace.contains("(INJECTED)")
        if answer.hung { problems.append("hung: \(answer.whole)") }
        if answer.code < 0 { problems.append("ended by signal \(-answer.code)") }
        if fired {
            tally.faults += 1
            tally.said["exit \(answer.code)", default: 0] += 1
            expectNoFullDisk(after: error, answer)
        }
        if answer.code == 0 || answer.code == 14, answer.object["deliveryError"] != .null {
            // The action is recorded but not delivered: the next command that delivers does that.
            try await want("restore")
        } else if answer.code == 0 {
            // An action that the program reports as done is recorded before the next command runs.
            try await expectDone(action, times: 1)
        } else if !fired {
            problems.append("without a fault: \(answer.whole)")
        } else if action == .outside {
            // Each purchase is another sale, so a person checks before repeating it.
            if try await outsideSales() == 0 { try await want(words) }
        } else if action != .renewal {
            let again = try await box.run(words)
            // If the first try did succeed, the store refuses the second try of these actions.
            let isOnce: [FaultSweepTests.Action] = [
                .refund, .resolve, .withdraw, .askRefund, .reverseRefund, .delete, .claim,
                .joinFamily, .leaveFamily,
            ]
            let isSaid = again.code == 0 || (isOnce.contains(action) && again.code == 12)
            if !isSaid { problems.append("again: \(again.whole)") }
        }
        try await want("entitlements")
        try await expectDone(action, times: answer.code == 0 || action != .renewal ? 1 : nil)
        return fired
    }

    private static func words(_ action: FaultSweepTests.Action) -> [String] {
        switch action {
        case .refund: ["operator", "refund", "1000001", "--json"]
        case .revoke: ["operator", "revoke", "1000001", "--json"]
        case .spend:
            [
                "purse", "spend", "coins", "3", "--for", "a hint", "--json", "--id",
                "7C0E6B1E-7A0B-4B4B-9C55-0F1C2D3E4F50",
            ]
        case .value: ["values", "chapter", "7", "--json"]
        case .renewal: ["operator", "clock", "advance", "1mo", "--json"]
        case .resolve: ["requests", "resolve", request, "--json"]
        case .withdraw: ["requests", "withdraw", request, "--json"]
        case .askRefund: ["request-refund", "1000001", "--json"]
        case .outside: ["operator", "buy-outside", "lantern.coins.10", "--json"]
        case .reverseRefund: ["operator", "reverse-refund", "1000001", "--json"]
        case .delete: ["operator", "delete", "1000001", "--json"]
        case .claim: ["claim", "1000004", "--json"]
        case .joinFamily: ["operator", "family", "join", "me", "--organizer", "kai", "--json"]
        case .leaveFamily: ["operator", "family", "leave", "me", "--json"]
        case .download: ["buy", book, "--json"]
        case .network: ["operator", "network", "terminal", "off", "--json"]
        case .unlocks: ["unlocks", "--json"]
        }
    }

    private static let book = "lantern.book.lighthouse.1"

    /// The pending request in each sweep of these actions.
    private static let request = "1000003"

    /// An I/O error must not be reported as a full disk, because making room would not help.
    fileprivate func expectNoFullDisk(after error: String, _ answer: RunningProgram.Answer) {
        let saysFull = ["is full", "storeFull", "deviceFull"].contains { answer.whole.contains($0) }
        if error == "EIO", saysFull { problems.append("told as full: \(answer.whole)") }
    }

    private func outsideSales() async throws -> Int {
        try await box.run("operator", "events", "--json").json.count {
            $0["event"].text == "sold" && $0["productId"].text == "lantern.coins.10"
                && $0["paymentId"] == .null
        }
    }

    /// - Parameter times: how often the action must have happened; nil for once or not at all.
    private func expectDone(_ action: FaultSweepTests.Action, times: Int?) async throws {
        let purse = try await box.run("purse", "--json").object["amount"].number ?? 0
        let sales = try await box.run("transactions", "--json").json
        let coins = sales.first { $0["transactionId"].text == "1000001" } ?? .null
        let refunded = try await box.run("operator", "takings", "--json")
            .object["refundedMilliunits"].number
        switch action {
        case .refund:
            if coins["revocationDate"].number == nil || purse != 0 || refunded != 990 {
                problems.append("not refunded once: \(purse) coins, \(refunded ?? -1) milliunits")
            }
        case .revoke:
            if coins["revocationDate"].number == nil || purse != 0 || refunded != 0 {
                problems.append("not revoked: \(purse) coins, \(refunded ?? -1) milliunits")
            }
        case .resolve, .withdraw:
            let isSold = sales.contains { $0["transactionId"].text == Self.request }
            let waiting = try await box.run("requests", "--json").json
            if isSold != (action == .resolve) || !waiting.isEmpty {
                problems.append("\(action): sold \(isSold), \(waiting.count) wait")
            }
        case .askRefund:
            let waiting = try await box.run("operator", "refund-requests", "--json").json
            if waiting.count != 1 { problems.append("\(waiting.count) refunds wait") }
        case .outside:
            let count = try await outsideSales()
            if count != 1 { problems.append("sold \(count) times outside the app") }
        case .reverseRefund:
            if coins["revocationDate"].number != nil || purse != 10 || refunded != 0 {
                problems.append("still refunded: \(purse) coins, \(refunded ?? -1) milliunits")
            }
        case .delete:
            if coins != .null || purse != 0 { problems.append("still there: \(purse) coins") }
        case .claim: if purse != 20 { problems.append("claimed 10 of 20, and has \(purse)") }
        case .joinFamily, .leaveFamily:
            let family = try await box.run("family", "--json").output
            if family.contains("kai") != (action == .joinFamily) {
                problems.append("\(action): \(family)")
            }
        case .network:
            let network = try await box.run("operator", "network", "terminal").output
            if !network.contains("off") { problems.append("network: \(network)") }
        case .download:
            let sold = sales.count { $0["productId"].text == Self.book }
            if sold != 1 { problems.append("sold \(sold) times") }
            // A restore may deliver the sale before its event does; its download still has to run.
            try await want("restore")
            try await want("downloads", "run")
            let downloads = try await box.run("downloads", "--json").json
            if downloads.map({ $0["state"].text }) != ["finished"] {
                problems.append("downloads: \(downloads)")
            }
        case .unlocks: try await want("unlocks")
        case .value:
            for device in ["terminal", "phone"] {
                let value = try await box.run("values", "chapter", "--device", device)
                if value.output != "7\n" { problems.append("\(device): \(value.whole)") }
            }
        case .spend: if purse != 7 { problems.append("3 of 10 spent, and \(purse) left") }
        case .renewal:
            let periods = sales.filter { $0["expiresDate"].number != nil }
            let starts = Set(periods.compactMap { $0["purchaseDate"].number })
            let renewed = periods.count - 1
            if starts.count != periods.count { problems.append("a period was recorded twice") }
            if times.map({ renewed != $0 }) ?? ![0, 1].contains(renewed) {
                problems.append("renewed \(renewed) times")
            }
        }
    }
}

/// The results of a sweep.
struct FaultTally {
    var faults = 0
    var said: [String: Int] = [:]

    var text: String {
        "\(faults) faults; said: "
            + said.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
            .joined(separator: ", ")
    }
}

/// One purchase with one failing call, then the steps of a person who follows the program's answer.
final class FaultRound {
    private static let product = "lantern.coins.10"
    fileprivate let box: Sandbox
    fileprivate(set) var problems: [String] = []

    init(copyOf original: Sandbox) throws {
        box = try Sandbox()
        let data = original.folder + "/data"
        if access(data, F_OK) == 0 {
            try FileManager.default.copyItem(atPath: data, toPath: box.folder + "/data")
        }
    }

    /// Returns false if the program makes fewer calls of this kind.
    func run(
        _ call: String, _ error: String, at place: Int, _ tally: inout FaultTally
    ) async throws -> Bool {
        let before = try await sales().count
        let answer = try await buy(call, error, at: place)
        let trace = try String(contentsOfFile: tracePath, encoding: .utf8)
        let fired = trace.contains("(INJECTED)")
        if answer.hung { problems.append("hung: \(answer.whole)") }
        if answer.code < 0 { problems.append("ended by signal \(-answer.code)") }
        let said = answer.json.first { $0["paymentId"].text != nil } ?? .null
        let outcome = said["outcome"].text ?? "nothing"
        try await obey(outcome, said, answer, before)
        if fired {
            tally.faults += 1
            expectNoFullDisk(after: error, answer)
            let delayed = said["deliveryError"] == .null ? "" : ", delivery delayed"
            tally.said[outcome + delayed, default: 0] += 1
        } else if outcome != "purchased" || said["finished"].bool != true {
            problems.append("without a fault: \(answer.whole)")
        }
        return fired
    }

    fileprivate var tracePath: String { box.folder + "/trace" }

    private func buy(
        _ call: String, _ error: String, at place: Int
    ) async throws -> RunningProgram.Answer {
        try await traced(["buy", Self.product, "--json"], call, error, at: place)
    }

    /// Runs the program under strace(1), which fails one call on the store's or the device's files.
    fileprivate func traced(
        _ arguments: [String], _ call: String, _ error: String, at place: Int
    ) async throws -> RunningProgram.Answer {
        let device = box.store + "/devices/terminal/me/"
        let databases = [box.ledger, device + "device.sqlite"]
        let files =
            databases.flatMap { path in
                ["", "-wal", "-shm", ".bell", ".lock"].map { path + $0 }
            } + [device + "lease", device + "senders"]
            + ["unlocks.jws.new", "network.new"].map { device + $0 }
        let words =
            ["-f", "-qq", "-o", tracePath] + files.flatMap { ["-P", $0] }
            + ["-e", "inject=\(call):error=\(error):when=\(place)"]
            + [try #require(Program.path)] + arguments
        return try await RunningProgram(
            "strace", words, environment: box.environment, folder: box.work
        ).end()
    }

    /// Acts like a person who wants these coins once: stops if they were bought, buys again if they
    /// certainly were not, and sends the payment's id again if the outcome is unknown.
    private func obey(
        _ outcome: String, _ said: JSON, _ answer: RunningProgram.Answer, _ before: Int
    ) async throws {
        switch outcome {
        case "purchased":
            if answer.code != (said["deliveryError"] == .null ? 0 : 14) {
                problems.append("bought, and ended with \(answer.code)")
            }
            let id = said["transactionId"].text
            let known = try await sales().contains { $0["transactionId"].text == id }
            if !known { problems.append("said to be bought, and is not: \(answer.whole)") }
        case "unknown":
            if answer.code != 69 { problems.append("unknown, and ended with \(answer.code)") }
            let payment = said["paymentId"].text ?? ""
            try await want("buy", Self.product, "--payment", payment)
        case "failed", "nothing":
            if answer.code == 0 { problems.append("\(outcome), and ended well: \(answer.whole)") }
            try await want("buy", Self.product)
        default: problems.append("said \(outcome)")
        }
        try await want("restore")
        let sold = try await sales().count - before
        if sold != 1 {
            problems.append("said \(outcome), obeyed, and sold \(sold) times: \(answer.whole)")
        }
        let purse = try await box.run("purse", "--json").object["amount"].number
        if purse != 10 { problems.append("\(purse ?? 0) coins in the purse") }
        let queue = try await box.run("payments", "--json").json
        if !queue.isEmpty { problems.append("still queued: \(queue)") }
    }

    fileprivate func want(_ words: String...) async throws { try await want(words) }

    private func want(_ words: [String]) async throws {
        let answer = try await box.run(words)
        if answer.code != 0 { problems.append("\(words): \(answer.whole)") }
    }

    private func sales() async throws -> [JSON] {
        try await box.run("transactions", "--json").json
    }
}

extension Trait where Self == ConditionTrait {
    static var withTracing: Self {
        .enabled("System calls cannot be made to fail here: it takes strace(1) and ptrace(2).") {
            let words = ["-qq", "-o", "/dev/null", "-e", "inject=getpid:error=EIO:when=1", "true"]
            guard
                let answer = try? await RunningProgram(
                    "strace", words, environment: ["PATH": Program.toolPath], folder: "/"
                ).end()
            else { return false }
            return answer.code == 0
        }
    }
}
