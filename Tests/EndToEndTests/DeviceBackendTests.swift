import Foundation
import Testing

/// The app's own backend, in its own process, and devices that report to it.
@Suite("the app's own backend, by command", .withProgram, .inTurn)
struct DeviceBackendTests {
    /// Prints each report on a line, and has two lists.
    private static let program = """
        from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
        from json import dumps
        from sys import argv
        LISTS = {
            "A": [{"id": "lantern.theme.sepia", "badge": "new", "orderID": [1, None]},
                  "lantern.coins.10", {"id": "lantern.none"}],
            "B": ["lantern.coins.10", "lantern.theme.sepia"]}
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            def say(self, answer):
                data = dumps(answer).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                print(body.decode(), flush=True)
                self.say({})
            def do_GET(self):
                name = "B" if self.path.endswith("account=kai") else "A"
                self.say({"list": name, "products": LISTS[name]})
            def log_message(self, *_): pass
        server = ThreadingHTTPServer(("127.0.0.1", int(argv[1])), Handler)
        print(dumps({"port": server.server_port}), flush=True)
        server.serve_forever()
        """

    /// - Parameter port: 0 for one that is free.
    private func start(
        _ box: Sandbox, port: Int = 0
    ) async throws -> (backend: RunningProgram, port: Int) {
        let backend = try RunningProgram(
            "python3", [try box.file("backend.py", Self.program), "\(port)"],
            environment: box.environment, folder: box.work)
        let line = JSON(line: try #require(await backend.nextLine()))
        return (backend, try #require(line["port"].number))
    }

    private func report(_ backend: RunningProgram) async throws -> JSON {
        JSON(line: try #require(await backend.nextLine()))
    }

    @Test(
        "each purchase is reported with price, currency and login, and the backend's list is shown [G3, G4]"
    )
    func life() async throws {
        let box = try Sandbox()
        let (backend, port) = try await start(box)
        let url = "http://127.0.0.1:\(port)"
        let none = try await box.succeed("device", "backend", "--json")
        #expect(none.object["backend"] == .null && none.object["waiting"].number == 0)
        let set = try await box.succeed("device", "backend", "http://localhost:\(port)/")
        #expect(set.output == "Transactions are reported to \(url). None waits.\n")
        try await box.succeed("buy", "lantern.coins.10", "--quantity", "2")
        let coins = try await report(backend)
        #expect(coins["price"].number == 1_980 && coins["currency"].text == "USD")
        #expect(coins["account"].text == "me" && coins["device"].text == "terminal")
        let signed = try #require(coins["signedTransactionInfo"].text)
        let verified = try await box.succeed("verify", signed, "--json")
        #expect(verified.output.contains("lantern.coins.10"), "\(verified.output)")
        let state = try await box.succeed("device", "backend", "--json").object
        #expect(state["backend"].text == url && state["waiting"].number == 0)
        #expect(state["failures"].items.isEmpty)

        let list = try await box.succeed("products", "--json").object
        #expect(list["list"].text == "A")
        #expect(list["invalidProductIds"].items.map(\.text) == ["lantern.none"])
        #expect(
            list["products"].items.map { $0["productId"].text }
                == ["lantern.theme.sepia", "lantern.coins.10"])
        #expect(
            list["products"][0]["list"]
                == .object(["badge": .text("new"), "orderID": .array([.number(1), .null])]))
        let shown = try await box.succeed("products")
        #expect(shown.errors.contains("lantern.none") && !shown.output.contains("lantern.tool"))
        let shop = try await box.succeed("screenshot")
        #expect(shop.output.contains("Sepia") && !shop.output.contains("Reading lamp"))
        let compared = try await box.succeed(
            "products", "--list", url + "/products?account=me", "--list",
            url + "/products?account=kai")
        #expect(compared.output == "< lantern.none\n~ lantern.theme.sepia\n")

        let off = try await box.succeed("device", "backend", "off")
        #expect(off.output == "The app has no backend on this device: nothing is reported.\n")
        #expect(try await box.succeed("products").output.contains("lantern.tool"))
        await backend.end(by: SIGKILL)
    }

    @Test(
        "while it is away everything is sold all the same; it gets what it missed, in order [G3, G4]"
    )
    func away() async throws {
        let box = try Sandbox()
        let (first, port) = try await start(box)
        try await box.succeed("device", "backend", "http://127.0.0.1:\(port)")
        try await box.succeed("products")
        await first.end(by: SIGKILL)
        let bought = try await box.succeed("buy", "lantern.theme.sepia")
        #expect(bought.output.hasPrefix("Bought Sepia for $0.99"))
        #expect(bought.errors.contains("The app's backend at 127.0.0.1:\(port) does not answer."))
        try await box.succeed("buy", "lantern.coins.10")
        let waiting = try await box.succeed("device", "backend", "--json").object
        #expect(waiting["waiting"].number == 2)
        #expect(waiting["failures"][0]["code"].text == "backendFailed")
        // Told by each process, and logged once.
        let log = try await box.succeed("history", "--device-log", "--json").json
        #expect(log.count { $0["error"]["code"].text == "backendFailed" } == 1)
        let remembered = try await box.succeed("products", "--json")
        #expect(
            remembered.object["list"].text == "A" && remembered.object["products"].items.count == 2)
        #expect(remembered.errors.contains("This is the app's list of"), "\(remembered.errors)")

        let (second, _) = try await start(box, port: port)
        try await box.succeed("buy", "lantern.coins.100")
        var prices: [Int?] = []
        for _ in 0..<3 { prices.append(try await report(second)["price"].number) }
        #expect(prices == [990, 990, 7_990])
        #expect(try await box.succeed("device", "backend").output.hasSuffix("None waits.\n"))
        await second.end(by: SIGKILL)
    }

    @Test(
        "watch reports what other processes do, a refund and what a killed one left; nothing is lost [G3]"
    )
    func watching() async throws {
        let box = try Sandbox()
        let (backend, port) = try await start(box)
        try await box.succeed("device", "backend", "http://127.0.0.1:\(port)")
        var watching = try await box.watch(delivers: true)
        try await box.succeed("buy", "lantern.theme.sepia")
        let sold = try await report(backend)
        try await box.succeed("operator", "refund", "1000001")
        let refunded = try await report(backend)
        #expect(sold["signedTransactionInfo"] != refunded["signedTransactionInfo"])
        await watching.end(by: SIGKILL)
        // No process delivers this one.
        try await box.succeed("operator", "buy-outside", "lantern.tool.lamp")
        watching = try await box.watch(delivers: true)
        // The one before may come once more: its removal from the queue may be lost with the process.
        #expect(await backend.next { $0["price"].number == 1_990 } != nil)
        await watching.end(by: SIGTERM)
        await backend.end(by: SIGKILL)
    }

    @Test(
        "an address that is not of this machine, no number or no http is refused, and nothing is set",
        arguments: [
            "https://127.0.0.1:3000", "http://192.0.2.1:3000", "http://example.com",
            "127.0.0.1:3000", "http://127.0.0.1:3000/?a=b", "on", "",
        ])
    func refused(address: String) async throws {
        let box = try Sandbox()
        let answer = try await box.run("device", "backend", address)
        #expect(answer.code == 64 && answer.errors.contains("no address to report to"))
        let alone = try await box.run("device", "backend", "--elsewhere")
        #expect(alone.code == 64)
        #expect(!FileManager.default.fileExists(atPath: box.store))
    }
}
