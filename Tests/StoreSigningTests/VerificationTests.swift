import Foundation
import StoreModel
import StoreSigning
import Testing

@Suite("verifying")
struct VerificationTests {
    let authority: TestAuthority
    let chain: TestChain
    let good: SignedTransaction

    init() throws {
        authority = try TestAuthority()
        chain = try authority.issue()
        good = try chain.sign(Samples.renewal)
    }

    private func verifier() throws -> TransactionVerifier {
        try TransactionVerifier(
            rootCertificate: authority.rootDER, bundleID: Samples.bundleID, environment: .sandbox)
    }

    @Test("the good text the attacks start from is verified")
    func goodText() async throws {
        #expect(try await verifier().verify(good).payload == Samples.renewal)
    }

    @Test("refused, for the reason given, by a verifier that knows no chain", arguments: Attack.all)
    func refused(attack: Attack) async throws {
        let forged = try attack.forge(authority, chain, good)
        #expect(forged != good)
        let result = try await verifier().verify(forged)
        #expect(result.error == attack.error)
    }

    @Test("refused for the same reason when the good chain is known", arguments: Attack.all)
    func refusedWhenKnown(attack: Attack) async throws {
        let verifier = try verifier()
        _ = await verifier.verify(good)
        let forged = try attack.forge(authority, chain, good)
        #expect(await verifier.verify(forged).error == attack.error)
        // Nor did the attempt spoil anything.
        #expect(verifier.knowsChain(of: good))
        #expect(await verifier.verify(good).payload == Samples.renewal)
        #expect(await verifier.verify(forged).error == attack.error)
    }

    @Test("markers may be critical, as the verifier understands them")
    func criticalMarkers() async throws {
        var recipe = TestAuthority.Recipe()
        recipe.markersAreCritical = true
        let signed = try authority.issue(recipe).sign(Samples.renewal)
        #expect(try await verifier().verify(signed).payload == Samples.renewal)
    }

    @Test("members nobody knows do no harm")
    func unknownMembers() async throws {
        let json = try JSONSerialization.jsonObject(
            with: try JSONEncoder().encode(Samples.renewal))
        var members = try #require(json as? [String: Any])
        members["billingPlanType"] = "MONTHLY"
        members["commitmentInfo"] =
            ["billingPeriodNumber": 1, "list": [1.5, NSNull()]] as [String: Any]
        let signed = try chain.sign(try JSONSerialization.data(withJSONObject: members))
        #expect(try await verifier().verify(signed).payload == Samples.renewal)
    }

    @Test("an unverified result tells what was claimed")
    func claims() async throws {
        let payload = Samples.changed { $0.bundleId = "com.example.other" }
        let result = try await verifier().verify(try chain.sign(payload))
        #expect(result == .unverified(payload, .wrongApp))
        #expect(
            TransactionVerifier.unverifiedPayload(of: SignedTransaction("x.y.z")) == nil)
    }

    @Test("good chain, good signature, but no transaction")
    func otherJSON() async throws {
        let json = Data(#"{"environment":"Sandbox", "signedDate":1763690000123 }"#.utf8)
        let signed = try chain.sign(json)
        #expect(
            try await verifier().verify(signed) == .unverified(nil, .missingRequiredProperties))
    }

    @Test("only a chain that was found good is known")
    func knownChains() async throws {
        let verifier = try verifier()
        #expect(!verifier.knowsChain(of: good))
        #expect(!verifier.knowsChain(of: SignedTransaction("")))

        // A good header alone makes nothing known: the signature must be good too.
        let forged = try good.changing(part: 2) { $0[5] ^= 1 }
        #expect(await verifier.verify(forged).error == .invalidSignature)
        #expect(!verifier.knowsChain(of: good))

        _ = await verifier.verify(good)
        #expect(verifier.knowsChain(of: good))
        #expect(await verifier.verify(good).payload == Samples.renewal)
        #expect(verifier.knowsChain(of: forged))
        #expect(await verifier.verify(forged).error == .invalidSignature)
        // A copy knows the same.
        let copy = verifier
        #expect(copy.knowsChain(of: good))
    }

    @Test("a chain known from one day is not believed on another")
    func knownChainOnAnotherDay() async throws {
        var recipe = TestAuthority.Recipe()
        recipe.leafNotAfter = Date(timeIntervalSince1970: 1_763_690_001)
        let chain = try authority.issue(recipe)
        let verifier = try verifier()
        #expect(await verifier.verify(try chain.sign(Samples.renewal)).payload != nil)
        let late = try chain.sign(
            Samples.changed { $0.signedDate = Timestamp(milliseconds: 1_763_690_001_001) })
        #expect(verifier.knowsChain(of: late))
        #expect(await verifier.verify(late).error == .invalidCertificateChain)
    }

    @Test("a bounded number of chains is known, the last used ones")
    func boundedChains() async throws {
        let verifier = try verifier()
        _ = await verifier.verify(good)
        let others = try (0..<40).map { _ in try authority.issue().sign(Samples.renewal) }
        for other in others {
            #expect(await verifier.verify(other).payload != nil)
            // Used again, so it stays.
            #expect(verifier.knowsChain(of: good))
            _ = await verifier.verify(good)
        }
        #expect(!verifier.knowsChain(of: others[0]))
        #expect(others.count { verifier.knowsChain(of: $0) } == 31)
    }

    @Test("a root that is no certificate", arguments: ["", "garbage"])
    func badRoot(text: String) {
        let error = #expect(throws: StoreError.self) {
            try TransactionVerifier(
                rootCertificate: Data(text.utf8), bundleID: "a", environment: .sandbox)
        }
        #expect(error?.code == .keysUnreadable)
    }
}
