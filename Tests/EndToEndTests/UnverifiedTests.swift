import Foundation
import Testing

@Suite("purchases that cannot be verified", .withProgram, .inTurn)
struct UnverifiedTests {
    static let reasons = [
        "invalidSignature", "invalidCertificateChain", "revokedCertificate",
        "invalidDeviceVerification", "invalidEncoding", "missingRequiredProperties",
    ]

    @Test(
        "a purchase that cannot be verified returns, names the reason and exits with 13 [C4]",
        arguments: reasons)
    func buy(reason: String) async throws {
        let box = try Sandbox()
        try await box.succeed("operator", "fail-next", reason, "--call", "verification")
        let sale = try await box.run("buy", "lantern.coins.10", "--json")
        #expect(sale.code == 13)
        #expect(sale.object["outcome"].text == "unverified")
        #expect(sale.object["verification"].text == "unverified")
        #expect(sale.object["verificationError"].text == reason)
        #expect(sale.object["transactionId"].text != nil, "it is sold")
        #expect(sale.object["finished"].bool == false)
        #expect(try await box.succeed("purse").output.isEmpty)
        // At the next launch the store signs correctly.
        try await box.succeed("restore")
        #expect(try await box.succeed("purse").output == "10  coins\n")
        let good = try await box.succeed("buy", "lantern.coins.10", "--json").object
        #expect(good["verification"].text == "verified")
        #expect(good["verificationError"] == .null)
    }

    @Test("also without waiting for the delivery, an unverified purchase exits with 13")
    func noWait() async throws {
        let box = try Sandbox()
        try await box.succeed("operator", "fail-next", "invalidEncoding", "--call", "verification")
        let sale = try await box.run("buy", "lantern.coins.10", "--no-wait", "--json")
        #expect(sale.code == 13)
        #expect(sale.object["outcome"].text == "unverified")
    }

    @Test("restore and claim return while nothing can be verified, and say so", arguments: reasons)
    func standing(reason: String) async throws {
        let box = try Sandbox()
        let sale = try await box.succeed(
            "buy", "lantern.coins.10", "--leave-unfinished", "--json"
        ).object
        let id = try #require(sale["transactionId"].text)
        try await box.succeed(
            "operator", "fail-next", reason, "--call", "verification", "--every")
        let restored = try await box.run("restore")
        #expect(restored.code == 13)
        #expect(restored.errors.contains(id))
        #expect(restored.errors.contains(reason))
        let json = try await box.run("restore", "--json")
        #expect(json.code == 13)
        let claimed = try await box.run("claim", id, "--device", "tablet", "--json")
        #expect(claimed.code == 13)
        #expect(claimed.object["deliveryError"]["found"].text == reason)
    }

    @Test(
        "a receipt that a revoked certificate signed is not accepted, and its refresh exits with 13"
    )
    func receipt() async throws {
        let box = try Sandbox()
        try await box.succeed("receipt", "refresh")
        let chain = box.store + "/keys/chain/"
        for kind in ["pem", "key"] {
            try Data(contentsOf: URL(filePath: chain + "revoked." + kind))
                .write(to: URL(filePath: chain + "leaf." + kind))
        }
        #expect(try await box.run("receipt", "refresh").code == 13)
    }

    @Test("a restored purchase that cannot be verified makes restore exit with 13 [A3]")
    func restored() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.theme.sepia")
        try await box.succeed(
            "operator", "fail-next", "invalidSignature", "--call", "verification", "--every")
        let answer = try await box.run("restore", "--device", "tablet")
        #expect(answer.code == 13)
        #expect(answer.errors.contains("1 transaction could not be verified"))
    }
}
