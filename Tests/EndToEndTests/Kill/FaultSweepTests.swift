import Foundation
import Testing

/// Every system call by which a purchase writes to its store or device fails in turn, with a full
/// disk and with an I/O error (strace(1) injects the failure). What was *said* must agree with the
/// ledger: a person who wants one thing and obeys every message ends with exactly one sale.
///
/// `STOREFRONT_FAULTS=all` sweeps every call; otherwise only those that make things durable, and of
/// the others every few.
@Suite("a fault at any system call", .withProgram, .withTracing, .inTurn)
struct FaultSweepTests {
    private static let sweepsAll =
        ProcessInfo.processInfo.environment["STOREFRONT_FAULTS"] == "all"

    struct Sweep: CustomTestStringConvertible, Sendable {
        var call: String
        var error: String
        /// Every so many of the calls.
        var step = 1
        /// On a store that is made by the purchase itself.
        var isFirst = false
        var testDescription: String { "\(call) \(error)\(isFirst ? ", first start" : "")" }
    }

    private static let sweeps: [Sweep] = {
        let all = ["fdatasync", "fsync", "pwrite64", "write", "ftruncate", "openat"]
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

    @Test("what was said agrees with the ledger, and obeying it charges once", arguments: sweeps)
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
}

/// What a sweep met.
struct FaultTally {
    var faults = 0
    var said: [String: Int] = [:]

    var text: String {
        "\(faults) faults; said: "
            + said.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
            .joined(separator: ", ")
    }
}

/// One purchase with one fault, and what a person does who believes what was said.
final class FaultRound {
    private static let product = "lantern.coins.10"
    private let box: Sandbox
    private(set) var problems: [String] = []

    init(copyOf original: Sandbox) throws {
        box = try Sandbox()
        let data = original.folder + "/data"
        if access(data, F_OK) == 0 {
            try FileManager.default.copyItem(atPath: data, toPath: box.folder + "/data")
        }
    }

    /// False if there was no such call any more.
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
            let delayed = said["deliveryError"] == .null ? "" : ", delivery delayed"
            tally.said[outcome + delayed, default: 0] += 1
        } else if outcome != "purchased" || said["finished"].bool != true {
            problems.append("without a fault: \(answer.whole)")
        }
        return fired
    }

    private var tracePath: String { box.folder + "/trace" }

    /// Buys under strace(1), which fails one call that touches the store's or the device's files.
    private func buy(
        _ call: String, _ error: String, at place: Int
    ) async throws -> RunningProgram.Answer {
        let device = box.store + "/devices/terminal/me/"
        let databases = [box.ledger, device + "device.sqlite"]
        let files =
            databases.flatMap { path in
                ["", "-wal", "-shm", ".bell", ".lock"].map { path + $0 }
            } + [device + "lease", device + "senders"]
        let words =
            ["-f", "-qq", "-o", tracePath] + files.flatMap { ["-P", $0] }
            + ["-e", "inject=\(call):error=\(error):when=\(place)"]
            + [try #require(Program.path), "buy", Self.product, "--json"]
        return try await RunningProgram(
            "strace", words, environment: box.environment, folder: box.work
        ).end()
    }

    /// Does what a person does who wants these coins once: nothing if they were bought, buys again if
    /// they surely were not, asks again with the payment's id if nobody knows.
    private func obey(
        _ outcome: String, _ said: JSON, _ answer: RunningProgram.Answer, _ before: Int
    ) async throws {
        switch outcome {
        case "purchased":
            if answer.code != 0 { problems.append("bought, and ended with \(answer.code)") }
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

    private func want(_ words: String...) async throws {
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
