import Foundation
import Testing

@Suite("receipts and signed texts on the command line", .withProgram, .inTurn)
struct ReceiptCommandTests {
    private func receiptPath(_ box: Sandbox, device: String = "terminal") -> String {
        box.store + "/devices/\(device)/me/receipt.jws"
    }

    @Test("a purchase leaves a receipt, which show, refresh and verify read [A6]")
    func receipt() async throws {
        let box = try Sandbox()
        let missing = try await box.run("receipt", "verify", "--json")
        #expect(missing.code == 13 && missing.object["verified"].bool == false)
        try await box.succeed("buy", "lantern.theme.sepia", "lantern.coins.10")
        // The purchase has already written the receipt.
        #expect(try await box.succeed("receipt", "verify").output == "Receipt: verified.\n")
        let shown = try await box.succeed("receipt", "show", "--json").object
        // A content server asks for the device's identifier, which never changes.
        let device = shown["deviceVerificationId"].text
        #expect(device.flatMap(UUID.init(uuidString:)) != nil)
        #expect(shown["path"].text == receiptPath(box))
        #expect(shown["receiptType"].text == "ProductionSandbox")
        #expect(shown["inApp"].items.map { $0["productId"].text } == ["lantern.theme.sepia"])
        let words = try await box.succeed("receipt")
        #expect(words.output.contains("lantern.theme.sepia"))

        try await box.succeed("buy", "lantern.coins.10", "--leave-unfinished")
        let sold = try await box.succeed("transactions").rows.count
        let refreshed = try await box.succeed("receipt", "refresh")
        #expect(refreshed.output == "Refreshed the receipt: 2 transactions.\n")
        #expect(try await box.succeed("transactions").rows.count == sold)
        let expired = try await box.succeed("receipt", "refresh", "--expired", "--json").object
        #expect(expired["expirationDate"].number != nil)
        #expect(try await box.succeed("receipt", "show").output.contains("expired 20"))
        let japanese = try await box.succeed("receipt", "show", "--language", "ja")
        #expect(japanese.output.contains("検証済み、期限切れ"))
        let app = try await box.succeed("receipt", "show", "--app-transaction", "--json").object
        #expect(app["deviceVerificationId"].text == device)
        #expect(app["bundleId"].text == "com.example.lantern")
        #expect(app["originalPurchaseDate"].number != nil)
    }

    @Test("a failure of appTransaction strikes where a device has one already")
    func appTransaction() async throws {
        let box = try Sandbox()
        func shown() async throws -> String {
            try await box.succeed("receipt", "show", "--app-transaction", "--signed").output
        }
        let before = try await shown()
        try await box.succeed("operator", "fail-next", "notEntitled", "--call", "appTransaction")
        let failed = try await box.run("receipt", "refresh", "--app-transaction")
        #expect(failed.code == 12 && failed.errors.contains("not entitled"), "\(failed.errors)")
        #expect(try await shown() == before)
        let refreshed = try await box.succeed("receipt", "refresh", "--app-transaction")
        #expect(refreshed.output.contains("Refreshed the app transaction"))
        #expect(try await shown() != before)
        let both = try await box.run("receipt", "refresh", "--app-transaction", "--expired")
        #expect(both.code == 64)
    }

    @Test("another device's receipt, and one of another store, are not verified")
    func foreign() async throws {
        let box = try Sandbox()
        try await box.succeed("receipt", "refresh")
        try await box.succeed("receipt", "refresh", "--device", "tablet")
        let path = receiptPath(box)
        let own = try Data(contentsOf: URL(filePath: path))
        try Data(contentsOf: URL(filePath: receiptPath(box, device: "tablet")))
            .write(to: URL(filePath: path))
        let others = try await box.run("receipt", "verify", "--json")
        #expect(others.code == 13)
        #expect(others.object["reason"].text == "invalidDeviceVerification")
        #expect(try await box.run("receipt", "show").code == 13)

        let elsewhere = try Sandbox()
        try await elsewhere.succeed("receipt", "refresh")
        try own.write(to: URL(filePath: receiptPath(elsewhere)))
        let stores = try await elsewhere.run("receipt", "verify")
        #expect(stores.code == 13)
        #expect(stores.errors.contains("invalidCertificateChain"))
    }

    @Test("verify explains this store's texts: argument, file and standard input [F7]")
    func explain() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.theme.sepia")
        let jws = try #require(try await box.succeed("transactions", "--signed").lines.first)
        let words = try await box.succeed("verify", jws)
        for part in [
            "Transaction: verified.", "alg  ES256", "this is the pinned root", "productId",
            "1.2.840.113635.100.6.11.1", "lantern.theme.sepia",
        ] {
            #expect(words.output.contains(part), "\(part) in \(words.output)")
        }
        #expect(words.output.contains(/purchaseDate +[0-9]{13}  20[0-9-]+T/))
        let file = try box.file("two.jws", jws + "\n\n" + jws + "\n")
        let both = try await box.succeed("verify", file, "--json")
        #expect(both.json.map { $0["verified"].bool } == [true, true])
        #expect(both.object["kind"].text == "transaction")
        #expect(both.object["certificates"].items.count == 3)
        #expect(both.object["payload"]["productId"].text == "lantern.theme.sepia")
        let program = try #require(Program.path)
        let piped = try await RunningProgram(
            "bash", ["-c", "\(program) receipt show --signed | \(program) verify - --json"],
            environment: box.environment, folder: box.work
        ).end()
        #expect(piped.code == 0 && piped.object["kind"].text == "receipt", "\(piped.errors)")
        let other = try await box.run("verify", jws, "--device", "tablet", "--json")
        #expect(other.code == 13)
        #expect(other.object["reason"].text == "invalidDeviceVerification")
        #expect(try await box.succeed("verify", jws, "--device", "terminal").code == 0)
        let broken = try await box.run("verify", String(jws.dropLast(8)) + "AAAAAAAA")
        #expect(broken.code == 13)
        #expect(broken.output.contains("not verified (invalidSignature)"))
        let mistyped = try await box.run("verify", "nofile.jws")
        #expect(mistyped.code == 64 && mistyped.errors.contains("neither a JWS nor a file"))
        let app = try await box.run("verify", jws, "--bundle-id", "com.example.lantern")
        #expect(app.code == 0, "\(app.output)")
    }

    @Test("without a store no root is pinned, unless --root names one; nothing is made")
    func noStore() async throws {
        let seller = try Sandbox()
        try await seller.succeed("buy", "lantern.theme.sepia")
        let jws = try #require(try await seller.succeed("transactions", "--signed").lines.first)
        let box = try Sandbox()
        let alone = try await box.run("verify", jws)
        #expect(alone.code == 13)
        #expect(alone.output.contains("No root certificate is pinned here"))
        let json = try await box.run("verify", jws, "--json")
        #expect(json.object["rootPinned"].bool == false)
        #expect(json.object["reason"] == .null)
        for form in ["--pem", "--der"] {
            let root = try await seller.succeed("certificate", form).outputBytes
            try root.write(to: URL(filePath: box.work + "/root"))
            #expect(try await box.run("verify", jws, "--root", "root").code == 0)
        }
        let wrong = try await box.run(
            "verify", jws, "--root", "root", "--bundle-id", "com.example.other", "--json")
        #expect(wrong.code == 13 && wrong.object["reason"].text == "wrongApp")
        #expect(!FileManager.default.fileExists(atPath: box.folder + "/data"))

        let foreign = try Sandbox()
        try await foreign.succeed("products")
        let refused = try await foreign.run("verify", jws, "--json")
        #expect(refused.object["reason"].text == "invalidCertificateChain")
    }

    @Test("--environment is checked by itself, with a root and without")
    func environment() async throws {
        let seller = try Sandbox()
        try await seller.succeed("buy", "lantern.theme.sepia")
        let jws = try #require(try await seller.succeed("transactions", "--signed").lines.first)
        let box = try Sandbox()
        let root = try await seller.succeed("certificate", "--pem").outputBytes
        try root.write(to: URL(filePath: box.work + "/root"))
        func reason(_ words: String...) async throws -> String? {
            let answer = try await box.run(["verify", jws, "--json"] + words)
            return answer.object["reason"].text
        }
        #expect(try await reason("--root", "root", "--environment", "Sandbox") == nil)
        let wrong = try await reason("--root", "root", "--environment", "Production")
        #expect(wrong == "wrongEnvironment")
        // Without a pinned root the app and the environment are still compared.
        #expect(try await reason("--environment", "Production") == "wrongEnvironment")
        #expect(try await reason("--bundle-id", "com.example.other") == "wrongApp")
        #expect(try await reason() == nil)
    }

    @Test("a file without a signed text or certificates is named, with what was expected")
    func withoutCertificates() async throws {
        let box = try Sandbox()
        let notes = try box.file("notes.txt", "Buy milk.\n")
        let none = try await box.run("verify", notes)
        #expect(none.code == 13)
        #expect(none.output.contains("notes.txt holds no signed text"), "\(none.output)")
        #expect(none.output.contains("found \"Buy milk.\", expected a JWS"), "\(none.output)")
        #expect(!none.output.contains("cannot be decoded"))
        // {"alg":"ES256"}.{"productId":"a"}
        let bare = try box.file("bare.jws", "eyJhbGciOiJFUzI1NiJ9.eyJwcm9kdWN0SWQiOiJhIn0.AAAA\n")
        let unsigned = try await box.run("verify", bare)
        #expect(unsigned.code == 13)
        #expect(
            unsigned.output.contains("bare.jws names no certificates in its header"),
            "\(unsigned.output)")
        let root = try await box.run("verify", bare, "--root", notes)
        #expect(root.code == 65)
        #expect(root.errors.contains("found 10 other bytes"), "\(root.errors)")
    }

    @Test("what is no signed text is explained as such, and never reaches the terminal raw")
    func garbage() async throws {
        let box = try Sandbox()
        #expect(try await box.run("verify", "nothing").code == 64)
        #expect(try await box.run("verify", "a.b.c", "--root", "nothing").code == 65)
        let file = try box.file("bytes", "\u{1B}[2J.\u{7}.x\n\n{}\n")
        let answer = try await box.run("verify", file, "--json")
        #expect(answer.code == 13)
        #expect(answer.json.map { $0["reason"].text } == ["invalidEncoding", "invalidEncoding"])
        let red = #"\u001b[31m\u009b31mred\u0007\u202ecod\udb40\udc01"#
        let payload = Data(#"{"productId":"\#(red)","purchaseDate":1e300}"#.utf8)
            .base64EncodedString().replacing("=", with: "").replacing("+", with: "-")
            .replacing("/", with: "_")
        for form in [[], ["--json"]] {
            let raw = try await box.run(["verify", "e30." + payload + ".AAAA"] + form)
            #expect(raw.code == 13)
            let isRaw = raw.output.unicodeScalars.contains { scalar in
                ["\u{1B}", "\u{7}", "\u{9B}", "\u{202E}", "\u{E0001}"].contains(scalar)
            }
            #expect(!isRaw, "\(raw.output)")
            // JSON has the same text, in escapes.
            if !form.isEmpty { #expect(raw.output.contains(#"\u009b31mred\u0007\u202ecod\udb40"#)) }
        }
    }
}
