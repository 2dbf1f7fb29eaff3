import Foundation
import Testing

/// Signing in to the App Store and out, by command and in the shop.
@Suite("signed out", .withProgram, .inTurn)
struct SignInCommandTests {
    @Test(
        "a device that is signed out keeps what it owns and buys nothing until it is signed in [C7]"
    )
    func signedOut() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.theme.sepia")
        let out = try await box.succeed("sign-out")
        #expect(out.output.contains("is signed out of the App Store on this device"))
        let refused = try await box.run("buy", "lantern.coins.10", "--json")
        #expect(refused.code == 12)
        #expect(refused.object["error"]["code"].text == "notSignedIn")
        #expect(refused.object["error"]["found"].text == "Sandbox", "names the environment")
        let said = try await box.run("buy", "lantern.coins.10")
        #expect(said.errors.contains("signed out of the App Store"))
        #expect(said.errors.contains("storefront sign-in"))
        #expect(try await box.run("restore").code == 12)
        #expect(try await box.run("request-refund", "1000001").code == 12)
        #expect(try await box.succeed("entitlements").output.contains("lantern.theme.sepia"))
        #expect(try await box.run("buy", "lantern.coins.10", "--device", "tablet").code == 0)
        let back = try await box.succeed("sign-in", "--json").object
        #expect(back["isSignedIn"].bool == true && back["environment"].text == "Sandbox")
        #expect(try await box.run("buy", "lantern.coins.10").code == 0)
    }
}
