import Foundation
import StoreModel
import StoreSigning
import Testing

@Suite("verification")
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

    @Test("the valid text that the attacks start from is verified")
    func goodText() async throws {
        #expect(try await verifier().verify(good).payload == Samples.renewal)
    }

    @Test("an attack is refused for its reason by a new verifier [F7]", arguments: Attack.all)
    func refused(attack: Attack) async throws {
        let forged = try attack.forge(authority, chain, good)
        #expect(forged != good)
        let result = try await verifier().verify(forged)
        #expect(result.error == attack.error)
    }

    @Test(
        "an attack is refused for the same reason when the valid chain is known",
        arguments: Attack.all)
    func refusedWhenKnown(attack: Attack) async throws {
        let verifier = try verifier()
        _ = await verifier.verify(good)
        let forged = try attack.forge(authority, chain, good)
        #expect(await verifier.verify(forged).error == attack.error)
        // The attempt did not change the chains that the verifier knows.
        #expect(verifier.knowsChain(of: good))
        #expect(await verifier.verify(good).payload == Samples.renewal)
        #expect(await verifier.verify(forged).error == attack.error)
    }

    @Test("the marker extensions of certificates may be critical")
    func criticalMarkers() async throws {
        var recipe = TestAuthority.Recipe()
        recipe.markersAreCritical = true
        let signed = try authority.issue(recipe).sign(Samples.renewal)
        #expect(try await verifier().verify(signed).payload == Samples.renewal)
    }

    @Test(
        "the certificates are valid on the day of signing, whether or not they are today",
        arguments: [Timestamp(milliseconds: 1_763_690_001_000), .latest])
    func validOnItsDay(end: Timestamp) async throws {
        var recipe = TestAuthority.Recipe()
        recipe.leafNotAfter = end.date
        let signed = try authority.issue(recipe).sign(Samples.renewal)
        #expect(try await verifier().verify(signed).payload == Samples.renewal)
    }

    @Test("a root may limit how many issuers are below it", arguments: [0, 1, 2])
    func pathLength(most: Int) async throws {
        let authority = try TestAuthority(pathLength: most)
        let verifier = try TransactionVerifier(
            rootCertificate: authority.rootDER, bundleID: Samples.bundleID, environment: .sandbox)
        let result = await verifier.verify(try authority.issue().sign(Samples.renewal))
        #expect(result.error == (most == 0 ? .invalidCertificateChain : nil))
    }

    @Test("unknown members of a payload are ignored")
    func unknownMembers() async throws {
        let json = try JSONSerialization.jsonObject(
            with: try JSONEncoder().encode(Samples.renewal))
        var members = try #require(json as? [String: Any])
        members["advancedCommerceInfo"] =
            ["itemCount": 1, "list": [1.5, NSNull()]] as [String: Any]
        let signed = try chain.sign(try JSONSerialization.data(withJSONObject: members))
        #expect(try await verifier().verify(signed).payload == Samples.renewal)
    }

    @Test("an unverified result carries the claimed payload")
    func claims() async throws {
        let payload = Samples.changed { $0.bundleId = "com.example.other" }
        let result = try await verifier().verify(try chain.sign(payload))
        #expect(result == .unverified(payload, .wrongApp))
        #expect(
            TransactionVerifier.unverifiedPayload(of: SignedTransaction("x.y.z")) == nil)
    }

    @Test("a signed payload that is no transaction is unverified")
    func otherJSON() async throws {
        let json = Data(#"{"environment":"Sandbox", "signedDate":1763690000123 }"#.utf8)
        let signed = try chain.sign(json)
        #expect(
            try await verifier().verify(signed) == .unverified(nil, .missingRequiredProperties))
    }

    @Test("a chain is known only after a text signed with it was verified")
    func knownChains() async throws {
        let verifier = try verifier()
        #expect(!verifier.knowsChain(of: good))
        #expect(!verifier.knowsChain(of: SignedTransaction("")))

        // A valid header alone does not make the chain known: the signature must be valid too.
        let forged = try good.changing(part: 2) { $0[5] ^= 1 }
        #expect(await verifier.verify(forged).error == .invalidSignature)
        #expect(!verifier.knowsChain(of: good))

        _ = await verifier.verify(good)
        #expect(verifier.knowsChain(of: good))
        #expect(await verifier.verify(good).payload == Samples.renewal)
        #expect(verifier.knowsChain(of: forged))
        #expect(await verifier.verify(forged).error == .invalidSignature)
        // A copy of the verifier knows the same chains.
        let copy = verifier
        #expect(copy.knowsChain(of: good))
    }

    @Test("a known chain is checked again for another signing date")
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

    @Test("only the 32 most recently used chains are known")
    func boundedChains() async throws {
        let verifier = try verifier()
        _ = await verifier.verify(good)
        let others = try (0..<40).map { _ in try authority.issue().sign(Samples.renewal) }
        for other in others {
            #expect(await verifier.verify(other).payload != nil)
            // Verifying has moved the chain to the end of the cache.
            #expect(verifier.knowsChain(of: good))
            _ = await verifier.verify(good)
        }
        #expect(!verifier.knowsChain(of: others[0]))
        #expect(others.count { verifier.knowsChain(of: $0) } == 31)
    }

    @Test("a root that is no certificate is an error", arguments: ["", "garbage"])
    func badRoot(text: String) {
        let error = #expect(throws: StoreError.self) {
            try TransactionVerifier(
                rootCertificate: Data(text.utf8), bundleID: "a", environment: .sandbox)
        }
        #expect(error?.code == .keysUnreadable)
    }
}
