import Foundation
import Testing

/// The app's own server in its own process, and devices that download from it.
@Suite("the app's own server", .withProgram, .inTurn)
struct ContentServerCommandTests {
    private let charts = "lantern.tool.charts"

    /// Writes a catalog whose charts are one long file on a server at this port.
    private func write(_ box: Sandbox, port: Int, version: String = "1.0") throws {
        var text = try String(contentsOfFile: Program.catalog, encoding: .utf8)
        text = text.replacingOccurrences(of: "127.0.0.1:8090", with: "127.0.0.1:\(port)")
        text = text.replacingOccurrences(
            of: "\"path\": \"atlas\"", with: "\"path\": \"long-atlas\"")
        _ = try box.file("catalog.json", text)
    }

    private func box() throws -> Sandbox {
        let box = try Sandbox()
        try box.copyContent()
        let folder = box.work + "/Content/long-atlas"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let text = (0..<400_000).map { "\($0 &* 7919)" }.joined(separator: " ")
        try Data(text.utf8).write(to: URL(filePath: folder + "/one.txt"))
        try Data("Sheet two.".utf8).write(to: URL(filePath: folder + "/two.txt"))
        try write(box, port: 8090)
        return box
    }

    private func start(_ box: Sandbox, port: Int = 0) async throws -> (RunningProgram, Int) {
        let server = try box.start(
            "content", "serve", "--port", "\(port)", "--json", "--catalog",
            box.work + "/catalog.json")
        let line = JSON(line: try #require(await server.nextLine()))
        return (server, try #require(line["port"].number))
    }

    private func run(_ box: Sandbox, _ arguments: String...) async throws -> RunningProgram.Answer {
        try await box.run(arguments + ["--catalog", box.work + "/catalog.json"])
    }

    @Test(
        "what the app's server delivers is bought, downloaded, and refused to anybody else [A8, G5]"
    )
    func life() async throws {
        let box = try box()
        let (server, port) = try await start(box)
        try write(box, port: port)
        let bought = try await run(box, "buy", charts, "--bandwidth", "unlimited")
        #expect(bought.code == 0, "\(bought.whole)")
        let path = try await run(box, "content", "path", charts).lines.first ?? ""
        #expect(
            FolderContents(path + "/Contents") == FolderContents(box.work + "/Content/long-atlas"))
        server.stop(SIGTERM)
        #expect(await server.end().code == -SIGTERM)
        let taken = try await start(box)
        let second = try await run(
            box, "content", "serve", "--port", "\(taken.1)")
        #expect(second.code == 12 && second.errors.contains("another program listens there"))
        taken.0.stop(SIGINT)
        #expect(await taken.0.end().code == -SIGINT)
    }

    @Test("it always ends by the signal, without a word", arguments: 1...8)
    func ends(round: Int) async throws {
        let box = try box()
        let (server, _) = try await start(box)
        server.stop(SIGTERM)
        let answer = await server.end()
        #expect(answer.code == -SIGTERM && answer.errors.isEmpty, "\(answer.whole)")
        // Its files are removed with it, which the server would tell.
        withExtendedLifetime(box) {}
    }

    @Test(
        "a server that is killed in mid-download costs nothing but the wait: it goes on at its byte"
    )
    func killed() async throws {
        let box = try box()
        let (server, port) = try await start(box)
        try write(box, port: port)
        _ = try await run(box, "downloads")
        let byte = 1_000_003
        _ = try await run(
            box, "operator", "download-faults", "terminal", "--stall-at", "\(byte)")
        let buying = try box.start(
            "buy", charts, "--bandwidth", "unlimited", "--catalog", box.work + "/catalog.json")
        // The download stalls at this byte until the fault is cleared.
        while true {
            let rows = try await run(box, "downloads", "--json").json
            if rows.first?["bytesReceived"].number == byte { break }
        }
        server.stop(SIGKILL)
        #expect(await server.end().code == -SIGKILL)
        _ = try await run(box, "operator", "download-faults", "terminal", "--clear")
        let bought = await buying.end()
        #expect(bought.code == 14)
        #expect(bought.errors.contains("The app's own server at 127.0.0.1:\(port)"))
        #expect(bought.errors.contains("You still own what you bought"))
        let failed = try await run(box, "downloads", "--json").object
        #expect(failed["state"].text == "failed")
        #expect(failed["bytesReceived"].number.map { $0 >= byte } == true)

        // A request for the first byte would lose its connection.
        _ = try await run(
            box, "operator", "download-faults", "terminal", "--disconnect-at", "0")
        let (again, _) = try await start(box, port: port)
        let resumed = try await run(
            box, "downloads", "resume", charts, "--bandwidth", "unlimited")
        #expect(resumed.code == 0, "\(resumed.whole)")
        let path = try await run(box, "content", "path", charts).lines.first ?? ""
        #expect(
            FolderContents(path + "/Contents") == FolderContents(box.work + "/Content/long-atlas"))
        await again.end(by: SIGTERM)
    }

    @Test("without its server a purchase stands, and says how to start the server")
    func absent() async throws {
        let box = try box()
        let (server, port) = try await start(box)
        await server.end(by: SIGTERM)
        try write(box, port: port)
        let bought = try await run(box, "buy", charts)
        #expect(bought.code == 14)
        #expect(bought.errors.contains("does not answer"))
        #expect(bought.errors.contains("storefront content serve"))
        #expect(try await run(box, "entitlements").output.contains(charts))
    }
}
