import Foundation
import Testing

/// The store's own server in its own process, and its keys.
@Suite("the store's own server", .withProgram, .inTurn)
struct ServeCommandTests {
    private func get(_ path: String, port: Int, in box: Sandbox) async throws -> String {
        let script = """
            exec 3<>/dev/tcp/127.0.0.1/\(port)
            printf 'GET \(path) HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\nConnection: close\\r\\n\\r\\n' >&3
            cat <&3
            """
        return try await RunningProgram(
            "bash", ["-c", script], environment: ["PATH": Program.toolPath], folder: box.work
        ).end().output
    }

    @Test("it says where it listens, tells each request in JSON in a pipe, and ends by the signal")
    func life() async throws {
        let box = try Sandbox()
        let file = box.work + "/port.txt"
        let server = try box.start("serve", "--port", "0", "--port-file", file)
        let line = JSON(line: try #require(await server.nextLine()))
        let port = try #require(line["port"].number)
        #expect(line["address"].text == "http://127.0.0.1:\(port)")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "\(port)\n")
        let second = try box.start("serve", "--port", "0")
        let secondLine = try #require(await second.nextLine())
        let other = try #require(JSON(line: secondLine)["port"].number)

        let health = try await get("/health", port: port, in: box)
        #expect(health.hasPrefix("HTTP/1.1 200") && health.contains("\"status\":\"ok\""))
        let told = JSON(line: try #require(await server.nextLine()))
        #expect(told["method"].text == "GET" && told["path"].text == "/health")
        #expect(told["status"].number == 200)
        let refused = try await get("/inApps/v1/transactions/1000001", port: other, in: box)
        #expect(refused.hasPrefix("HTTP/1.1 401"))
        _ = await second.nextLine()
        // The requests of both servers, for the console.
        let log = try String(
            contentsOfFile: box.store + "/server/requests.jsonl", encoding: .utf8)
        let kept = log.split(separator: "\n").map { JSON(line: String($0)) }
        #expect(
            kept.map { $0["path"].text } == ["/health", "/inApps/v1/transactions/1000001"])
        #expect(kept.map { $0["status"].number } == [200, 401])
        let taken = try await box.run("serve", "--port", "\(port)")
        #expect(taken.code == 12 && taken.errors.contains("another program listens there"))
        #expect(!taken.errors.contains("app's own"), "it is the store's")

        server.stop(SIGTERM)
        let end = await server.end()
        #expect(end.code == -SIGTERM && end.errors.isEmpty, "\(end.whole)")
        #expect(!FileManager.default.fileExists(atPath: file))
        second.stop(SIGINT)
        #expect(await second.end().code == -SIGINT)
    }

    @Test("a reader that stops holds up no answer, and is told how many lines it has missed")
    func stoppedReader() async throws {
        let box = try Sandbox()
        let (file, gate) = (box.work + "/port.txt", box.work + "/gate")
        try #require(mkfifo(gate, 0o600) == 0)
        // Reads where the server listens, and nothing more before the gate opens.
        let script = """
            "$0" serve --port 0 --port-file port.txt | {
                read -r line; echo "$line"; read -r _ < gate; exec cat
            }
            """
        let server = try RunningProgram(
            "bash", ["-c", script, try #require(Program.path)], environment: box.environment,
            folder: box.work)
        let line = JSON(line: try #require(await server.nextLine()))
        let port = try #require(line["port"].number)
        // More than a pipe and the server's memory of lines take.
        let count = 3_000
        let path = "/health?" + String(repeating: "a", count: 300)
        let ask = """
            exec 3<>/dev/tcp/127.0.0.1/\(port)
            { for ((n = 1; n < \(count); n++)); do
                printf 'GET \(path) HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n'
              done
              printf 'GET /health HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n'
            } >&3 &
            cat <&3
            """
        let answers = try await RunningProgram(
            "bash", ["-c", ask], environment: ["PATH": Program.toolPath], folder: box.work
        ).end()
        #expect(answers.output.components(separatedBy: "HTTP/1.1 200").count - 1 == count)

        let opened = open(gate, O_WRONLY)
        _ = write(opened, "\n", 1)
        close(opened)
        var (told, missed) = (0, 0)
        while told + missed < count, let line = await server.nextLine() {
            if let dropped = JSON(line: line)["dropped"].number {
                missed += dropped
            } else {
                told += 1
            }
        }
        #expect(told + missed == count && told > 0 && missed > 0, "\(told) and \(missed)")
        // The shell, the reader and the server.
        kill(-server.id, SIGTERM)
        _ = await server.end()
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test("keys are made, listed and revoked; a private half is shown once, and in no file of ours")
    func keys() async throws {
        let box = try Sandbox()
        let file = box.work + "/key.p8"
        let made = try await box.succeed("operator", "api-keys", "create", "--json").json[0]
        let key = try #require(made["privateKey"].text)
        #expect(key.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        let saved = try await box.succeed(
            "operator", "api-keys", "create", "--name", "staging", "--out", file, "--json"
        ).json[0]
        #expect(saved["privateKey"].text == nil && saved["file"].text == file)
        #expect(saved["issuerId"].text == made["issuerId"].text)
        #expect(
            try String(contentsOfFile: file, encoding: .utf8)
                .hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        let rights = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
        #expect(rights as? Int == 0o600)
        let again = try await box.run("operator", "api-keys", "create", "--out", file)
        #expect(again.code == 74, "the file is there already")

        let ids = [made, saved].compactMap { $0["keyId"].text }
        try await box.succeed("operator", "api-keys", "revoke", ids[0])
        let list = try await box.succeed("operator", "api-keys", "--json").json
        #expect(list.compactMap { $0["keyId"].text } == ids)
        #expect(list.map { $0["revokedAt"].number != nil } == [true, false])
        let wrong = try await box.run("operator", "api-keys", "revoke", "NOSUCHKEY1")
        #expect(wrong.code == 64 && wrong.errors.contains(ids[1]))
        let secret = key.split(separator: "\n")[1]
        for name in ["store.sqlite", "store.sqlite-wal"] {
            let stored = try? Data(contentsOf: URL(filePath: box.store + "/" + name))
            #expect(stored?.range(of: Data(secret.utf8)) == nil)
        }
        for command in [["serve"], ["operator", "api-keys", "list"]] {
            let customer = try await box.run(command + ["--customer"])
            #expect(customer.code == 64 && customer.output.isEmpty)
        }
    }
}
