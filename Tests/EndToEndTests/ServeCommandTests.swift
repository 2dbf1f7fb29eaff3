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
        let refusedLine = JSON(line: try #require(await second.nextLine()))
        #expect(refusedLine["tokenRefusal"].text == "missing")
        // The requests of both servers, for the console.
        let log = try String(
            contentsOfFile: box.store + "/server/requests.jsonl", encoding: .utf8)
        let kept = log.split(separator: "\n").map { JSON(line: String($0)) }
        #expect(
            kept.map { $0["path"].text } == ["/health", "/inApps/v1/transactions/1000001"])
        #expect(kept.map { $0["status"].number } == [200, 401])
        #expect(kept.map { $0["tokenRefusal"].text } == [nil, "missing"])
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

    @Test("a port file that cannot be written ends the server, with the reason")
    func unwritablePortFile() async throws {
        let box = try Sandbox()
        let file = box.work + "/none/port.txt"
        let command = ["serve", "--port", "0", "--port-file", file]
        for words in [command, command + ["--json"]] {
            let ended = try await box.run(words)
            #expect(ended.code == 74, "\(ended.whole)")
            let reason = "\"\(file)\" cannot be written (No such file or directory). Nothing was"
            #expect(ended.errors.contains(reason), "\(ended.errors)")
            #expect(!ended.output.contains("\"address\""), "\(ended.output)")
        }
    }

    @Test("a port that needs rights is told as such, with what to do", .withTracing)
    func forbiddenPort() async throws {
        let box = try Sandbox()
        for command in [["serve"], ["content", "serve"]] {
            let tracing = [
                "-f", "-qq", "-o", "/dev/null", "-e", "inject=bind:error=EACCES:when=1+",
            ]
            let words = tracing + [try #require(Program.path)] + command + ["--port", "80"]
            let answer = try await RunningProgram(
                "strace", words, environment: box.environment, folder: box.work
            ).end()
            #expect(answer.code == 12, "\(answer.whole)")
            let reason = "the port needs rights that you do not have (Permission denied)."
            for word in [reason, "Choose another one with --port"] {
                #expect(answer.errors.contains(word), "\(answer.errors)")
            }
            #expect(!answer.errors.contains("bind("), "\(answer.errors)")
        }
    }

    /// Ways of bash to lose what is written to standard output: a full disk, and a pipe whose reader
    /// has ended.
    private static let losses = ["exec 1> /dev/full", "exec 1> >(:); wait $!"]

    /// The program with its standard output lost, and the errors in its place.
    private func losing(
        _ loss: String, _ command: String, in box: Sandbox
    ) throws -> RunningProgram {
        try RunningProgram(
            "bash",
            ["-c", "exec 2>&1; \(loss); exec \"$0\" \(command)", try #require(Program.path)],
            environment: box.environment, folder: box.work)
    }

    @Test("a server whose lines are lost says so once and goes on", arguments: losses)
    func lostLines(_ loss: String) async throws {
        let box = try Sandbox()
        let server = try losing(loss, "serve --port 0 --port-file port.txt", in: box)
        let line = try #require(await server.nextLine())
        #expect(line.contains("Nothing more can be printed"), "\(line)")
        #expect(line.contains("continues"), "\(line)")
        let text = try String(contentsOfFile: box.work + "/port.txt", encoding: .utf8)
        let port = try #require(Int(text.dropLast()))
        for _ in 0..<2 {
            let health = try await get("/health", port: port, in: box)
            #expect(health.hasPrefix("HTTP/1.1 200"))
        }
        server.stop(SIGTERM)
        let end = await server.end()
        #expect(end.code == -SIGTERM && end.lines == [line], "\(end.whole)")
    }

    @Test("a key whose private half is lost is revoked, and named", arguments: losses)
    func lostKey(_ loss: String) async throws {
        let box = try Sandbox()
        for option in ["", " --json"] {
            let command = "operator api-keys create" + option
            let running = try losing(loss, command, in: box)
            let lost = await running.end()
            #expect(lost.code == 74 && lost.output.contains("was revoked"), "\(lost.output)")
            let list = try await box.succeed("operator", "api-keys", "--json").json
            let id = try #require(list.last?["keyId"].text)
            #expect(lost.output.contains(id) && list.allSatisfy { $0["revokedAt"].number != nil })
        }
        // A private half in a file is not lost with the lines.
        let saving = try losing(loss, "operator api-keys create --out key.p8", in: box)
        let kept = await saving.end()
        #expect(!kept.output.contains("revoked"), "\(kept.output)")
        let list = try await box.succeed("operator", "api-keys", "--json").json
        #expect(list.map { $0["revokedAt"].number != nil } == [true, true, false])
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
