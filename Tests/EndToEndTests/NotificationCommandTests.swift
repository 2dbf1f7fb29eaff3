import Foundation
import Testing

/// Notifications of a store to a backend: another server of ours, which answers 200 to whatever is
/// sent to /verifyReceipt.
@Suite("notifications by command", .withProgram, .inTurn)
struct NotificationCommandTests {
    /// A backend in a process of its own, and its address.
    private func backend(
        _ box: Sandbox, port: Int = 0
    ) async throws -> (server: RunningProgram, port: Int) {
        let server = try box.start("serve", "--port", "\(port)")
        let line = JSON(line: try #require(await server.nextLine()))
        return (server, try #require(line["port"].number))
    }

    private func address(_ port: Int) -> String { "http://127.0.0.1:\(port)/verifyReceipt" }

    private func list(_ box: Sandbox) async throws -> [JSON] {
        try await box.succeed("notifications", "--json", "--limit", "1000").json
    }

    @Test("an address that is not reached is refused with the reason and the way")
    func addresses() async throws {
        let box = try Sandbox()
        for address in ["https://127.0.0.1/", "http://192.0.2.1/", "http://example.com/", "x"] {
            let answer = try await box.run("operator", "notifications", "url", address)
            #expect(answer.code == 64 && answer.errors.contains("forwarder"), "\(address)")
            let listening = try await box.run("listen", "--forward-to", address)
            #expect(listening.code == 64 && listening.errors.contains("forwarder"), "\(address)")
        }
        let test = try await box.run("operator", "notifications", "test")
        #expect(test.code == 64 && test.errors.contains("operator notifications url"))
        #expect(try await list(box).isEmpty)
    }

    @Test("a move of the clock tries each notification at its time, until the backend is back [G2]")
    func retries() async throws {
        let (box, other) = (try Sandbox(), try Sandbox())
        let (first, port) = try await backend(other)
        first.stop(SIGKILL)
        _ = await first.end()
        try await box.succeed("operator", "clock", "stop")
        try await box.succeed("operator", "notifications", "url", address(port))
        try await box.succeed("operator", "notifications", "retry", "on")
        try await box.succeed("buy", "lantern.coins.10")
        try await box.succeed("operator", "clock", "advance", "2d")
        var item = try #require(try await list(box).first)
        #expect(item["state"].text == "failing")
        let dates = item["sendAttempts"].items.compactMap { $0["attemptDate"].number }
        let begin = try #require(dates.first)
        #expect(dates.map { ($0 - begin) / 3_600_000 } == [0, 1, 13, 37])
        #expect(
            item["sendAttempts"].items.allSatisfy {
                $0["sendAttemptResult"].text == "SOCKET_ISSUE"
            })
        let (server, _) = try await backend(other, port: port)
        try await box.succeed("operator", "clock", "advance", "3d")
        item = try #require(try await list(box).first)
        #expect(item["state"].text == "sent" && item["next"].number == nil)
        let last = try #require(item["sendAttempts"].items.last)
        #expect(last["status"].number == 200 && last["sendAttemptResult"].text == "SUCCESS")
        let received = JSON(line: try #require(await server.nextLine()))
        #expect(received["method"].text == "POST" && received["path"].text == "/verifyReceipt")
        let id = try #require(item["notificationUUID"].text)
        let again = try await box.succeed("notifications", "resend", id, "--json").json[0]
        #expect(again["sendAttempts"].items.count == 6)
        let shown = try await box.succeed("notifications", "show", id, "--json").json[0]
        #expect(shown["transaction"]["productId"].text == "lantern.coins.10")
        #expect(shown["signedPayload"].text?.split(separator: ".").count == 3)
        let sent = try await box.succeed("operator", "notifications", "test", "--json").json[0]
        #expect(sent["notificationType"].text == "TEST" && sent["state"].text == "sent")
        let test = try await box.succeed(
            "notifications", "show", try #require(sent["notificationUUID"].text))
        #expect(test.output.contains("\"bundleId\"") && !test.output.contains("{}"))
        let unknown = try await box.run("notifications", "resend", UUID().uuidString)
        #expect(unknown.code == 64)
        server.stop(SIGTERM)
        _ = await server.end()
    }

    @Test("listen forwards what another process causes, and trigger causes it")
    func listen() async throws {
        let (box, other) = (try Sandbox(), try Sandbox())
        let (server, port) = try await backend(other)
        let listening = try box.start(
            "listen", "--forward-to", address(port), "--events", "did_renew,REFUND", "--json")
        let begun = JSON(line: try #require(await listening.nextLine()))
        #expect(begun["forwardingTo"].text == address(port))
        try await box.succeed("buy", "lantern.coins.10")
        let caused = try await box.succeed("trigger", "did_renew", "--json").json[0]
        #expect(caused["notificationType"].text == "DID_RENEW")
        let line = JSON(line: try #require(await listening.nextLine()))
        #expect(line["notificationType"].text == "DID_RENEW" && line["status"].number == 200)
        #expect(line["notificationUUID"].text == caused["notificationUUID"].text)
        let wrong = try await box.run("trigger", "DID_RENEWED")
        #expect(wrong.code == 64 && wrong.errors.contains("DID_RENEW"))
        let never = try await box.run("trigger", "MIGRATION")
        #expect(never.code == 64 && never.errors.contains("never sends MIGRATION"))
        let nowhere = try await box.run("trigger", "TEST")
        #expect(nowhere.code == 64 && nowhere.errors.contains("operator notifications url"))
        #expect(nowhere.output.isEmpty, "no step was made")
        let all = try await box.succeed("trigger", "--list", "--json").json
        #expect(all.count > 30 && all.contains { $0["never"].text != nil })
        for program in [listening, server] {
            program.stop(SIGTERM)
            _ = await program.end()
        }
    }

    @Test("a stopped reader of listen holds up no forwarding, and gets the lines or their number")
    func stoppedReader() async throws {
        let (box, other) = (try Sandbox(), try Sandbox())
        let (server, port) = try await backend(other)
        let gate = box.work + "/gate"
        try #require(mkfifo(gate, 0o600) == 0)
        // Reads that it listens, and nothing more before the gate opens.
        let script = """
            "$0" listen --forward-to "$1" --print-json --json | {
                read -r line; echo "$line"; read -r _ < gate; exec cat
            }
            """
        let listening = try RunningProgram(
            "bash", ["-c", script, try #require(Program.path), address(port)],
            environment: box.environment, folder: box.work)
        let begun = JSON(line: try #require(await listening.nextLine()))
        #expect(begun["forwardingTo"].text == address(port))
        // With what each says, more than a pipe takes.
        let count = 200
        let bought = try await box.run(["buy"] + Array(repeating: "lantern.coins.10", count: count))
        #expect(bought.code == 0, "\(bought.errors)")
        for number in 1...count {
            let line = await server.nextLine()
            try #require(line != nil, "only \(number - 1) were forwarded")
        }
        let opened = open(gate, O_WRONLY)
        _ = write(opened, "\n", 1)
        close(opened)
        var (told, missed, bytes) = (0, 0, 0)
        while told + missed < count, let line = await listening.nextLine() {
            bytes += line.utf8.count
            let json = JSON(line: line)
            missed += json["dropped"].number ?? 0
            if json["notificationType"].text == "ONE_TIME_CHARGE" { told += 1 }
        }
        #expect(told + missed == count && bytes > 65_536, "\(told) and \(missed), \(bytes) bytes")
        // The shell, the reader and the one that listens.
        kill(-listening.id, SIGTERM)
        _ = await listening.end()
        await server.end(by: SIGTERM)
    }

    @Test(
        "on a terminal, a command that sends says at once what it waits for, once",
        arguments: [
            ["operator", "notifications", "test"], ["notifications", "resend", "--failed"],
        ])
    func waiting(command: [String]) async throws {
        let box = try Sandbox()
        let receiver = try NotificationReceiver()
        try await box.succeed("operator", "notifications", "url", receiver.address)
        receiver.behave(.fails)
        let failed = try await box.succeed("operator", "notifications", "test", "--json").json[0]
        #expect(failed["state"].text == "failed")
        receiver.behave(.hangs)
        try await ShopOnTerminal.run(box, command, columns: 160, waiting: false) { terminal in
            try await terminal.see("1 notification is being sent to \(receiver.address), each")
            receiver.behave(.succeeds)
            #expect(await terminal.end() == 0)
            let told = terminal.writtenText.components(separatedBy: "being sent").count - 1
            #expect(told == 1, "\(terminal.writtenText)")
        }
        let piped = try await box.run(command)
        #expect(piped.code == 0 && piped.errors.isEmpty, "\(piped.errors)")
    }
}
