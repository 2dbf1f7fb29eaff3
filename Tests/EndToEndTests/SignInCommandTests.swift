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

    @Test("a restore that fails half-way brings the rest when it is repeated [A3]")
    func halfWay() async throws {
        let box = try Sandbox()
        for theme in ["sepia", "contrast", "sports.summer"] {
            try await box.succeed("buy", "lantern.theme.\(theme)")
        }
        let set = try await box.succeed(
            "operator", "fail-next", "networkError", "--call", "appStoreSync", "--after", "1")
        #expect(set.output == "The next restore will fail after 1 purchase: networkError.\n")
        let failed = try await box.run("restore", "--device", "tablet")
        #expect(failed.code == 12)
        #expect(try await box.succeed("transactions", "--json").json.count == 3)
        let whole = try await box.succeed("restore", "--device", "tablet", "--json").object
        #expect(whole["restored"].items.count == 2)
        #expect(whole["alreadyHere"].items.count == 1)
        let wrong = try await box.run("operator", "fail-next", "networkError", "--after", "1")
        #expect(wrong.code == 64 && wrong.errors.contains("--call appStoreSync"))
    }
}
