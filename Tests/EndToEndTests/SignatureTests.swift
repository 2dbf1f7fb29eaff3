import Foundation
import Testing

@Suite("signed transactions, verified as a backend would", .withProgram, .inTurn)
struct SignatureTests {
    @Test("openssl verifies signature and chain with the root certificate the store prints [F7]")
    func verify() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.theme.sepia")
        try await box.succeed("buy", "lantern.coins.10")
        let pem = try await box.succeed("certificate", "--pem")
        _ = try box.file("root.pem", pem.output)
        let signed = try await box.succeed("transactions", "--signed").lines
        #expect(signed.count == 2)
        for jws in signed { try await check(jws, in: box) }
    }

    @Test("in JSON the root certificate is an object with the bytes that --der prints")
    func certificateInJSON() async throws {
        let box = try Sandbox()
        let line = try await box.succeed("certificate", "--json").object
        let der = try await box.succeed("certificate", "--der").outputBytes
        #expect(line["rootCertificate"].text.flatMap { Data(base64Encoded: $0) } == Data(der))
        #expect(try await box.succeed("certificate").output == line["pem"].text)
    }

    private func check(_ jws: String, in box: Sandbox) async throws {
        let parts = jws.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        try #require(parts.count == 3)
        let header = JSON(
            line: String(decoding: try #require(bytes(parts[0])), as: UTF8.self))
        #expect(header["alg"].text == "ES256")
        let chain = header["x5c"].items.compactMap(\.text)
        try #require(chain.count == 3)
        for (name, text) in zip(["leaf", "intermediate", "top"], chain) {
            try write(try #require(Data(base64Encoded: text)), "\(name).der", box)
            let made = try await Program.tool(
                "openssl", "x509", "-inform", "DER", "-in", "\(name).der", "-out", "\(name).pem",
                in: box.work)
            #expect(made.code == 0, "\(made.errors)")
        }
        let chained = try await Program.tool(
            "openssl", "verify", "-x509_strict", "-CAfile", "root.pem", "-untrusted",
            "intermediate.pem", "leaf.pem", in: box.work)
        #expect(chained.output == "leaf.pem: OK\n", "\(chained.errors)")

        let key = try await Program.tool(
            "openssl", "x509", "-in", "leaf.pem", "-pubkey", "-noout", in: box.work)
        _ = try box.file("leaf.pub", key.output)
        try write(der(try #require(bytes(parts[2]))), "signature", box)
        try write(Data("\(parts[0]).\(parts[1])".utf8), "message", box)
        #expect(try await digest(box).output == "Verified OK\n")
        // The signature covers exactly the header and the payload of the text.
        let payload = String(decoding: try #require(bytes(parts[1])), as: UTF8.self)
        #expect(JSON(line: payload)["bundleId"].text == "com.example.lantern")
        try write(Data("\(parts[0]).\(parts[1])A".utf8), "message", box)
        #expect(try await digest(box).code != 0)
    }

    private func digest(_ box: Sandbox) async throws -> RunningProgram.Answer {
        try await Program.tool(
            "openssl", "dgst", "-sha256", "-verify", "leaf.pub", "-signature", "signature",
            "message", in: box.work)
    }

    private func write(_ data: Data, _ name: String, _ box: Sandbox) throws {
        try data.write(to: URL(filePath: box.work + "/" + name))
    }

    private func bytes(_ base64URL: String) -> Data? {
        var text = base64URL.replacing("-", with: "+").replacing("_", with: "/")
        while text.count % 4 != 0 { text += "=" }
        return Data(base64Encoded: text)
    }

    /// The 64 bytes of a JWS as the ASN.1 that openssl expects (RFC 7518, 3.4; SEC 1, C.5).
    private func der(_ raw: Data) -> Data {
        func integer(_ bytes: Data) -> Data {
            var digits = Data(bytes.drop { $0 == 0 })
            if digits.first.map({ $0 >= 0x80 }) ?? true { digits = [0] + digits }
            return Data([0x02, UInt8(digits.count)]) + digits
        }
        let body = integer(raw.prefix(32)) + integer(raw.suffix(32))
        return Data([0x30, UInt8(body.count)]) + body
    }

    @Test("the root certificate is the same in PEM and DER, and stays the same")
    func certificate() async throws {
        let box = try Sandbox()
        let pem = try await box.succeed("certificate")
        #expect(try await box.succeed("certificate", "--pem").output == pem.output)
        let der = try await box.succeed("certificate", "--der")
        let body = pem.lines.filter { !$0.hasPrefix("-----") }.joined()
        #expect(Data(base64Encoded: body) == der.outputBytes)
        #expect(try await box.run("certificate", "--pem", "--der").code == 64)
    }

    @Test("transactions are listed newest first, up to --limit [A6]")
    func limit() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.coins.10", "lantern.coins.10", "lantern.coins.10")
        let all = try await box.succeed("transactions", "--json").json.compactMap {
            $0["transactionId"].text.flatMap { Int($0) }
        }
        #expect(all == all.sorted(by: >))
        #expect(try await box.succeed("transactions", "--limit", "2").rows.count == 2)
        #expect(try await box.run("transactions", "--limit", "0").code == 64)
    }
}
