import Foundation
import StoreModel
import StoreSigning
import Testing

@Suite("signing")
struct SigningTests {
    let keys: StoreKeys
    let signer: TransactionSigner
    let verifier: TransactionVerifier

    init() throws {
        keys = try StoreKeys.generate()
        signer = TransactionSigner(keys: keys)
        verifier = try TransactionVerifier(
            rootCertificate: keys.rootCertificateDER, bundleID: Samples.bundleID,
            environment: .sandbox)
    }

    @Test(
        "a transaction that the store signs is verified",
        arguments: [Samples.renewal, Samples.consumable])
    func roundTrip(payload: TransactionPayload) async throws {
        let signed = try signer.sign(payload)
        for _ in 0..<2 {
            guard case .verified(let transaction) = await verifier.verify(signed) else {
                Issue.record("not verified")
                return
            }
            #expect(transaction.payload == payload)
            #expect(transaction.signed == signed)
        }
        #expect(TransactionVerifier.unverifiedPayload(of: signed) == payload)
    }

    @Test("unusual characters in a payload survive signing and verifying")
    func oddTexts() async throws {
        for payload in Samples.random(count: 200, seed: 3) {
            let payload = Samples.changed(payload) {
                $0.bundleId = Samples.bundleID
                $0.environment = .sandbox
            }
            guard case .verified(let transaction) = await verifier.verify(try signer.sign(payload))
            else {
                Issue.record("not verified: \(payload)")
                return
            }
            #expect(transaction.payload == payload)
        }
    }

    @Test("signing a payload twice gives the same header and payload, not the same signature")
    func determinism() throws {
        let first = try signer.sign(Samples.renewal)
        let second = try signer.sign(Samples.renewal)
        #expect(first.parts[0] == second.parts[0])
        #expect(first.parts[1] == second.parts[1])
        #expect(first.parts[2] != second.parts[2])
    }

    @Test("the header names ES256, the key id, and the chain from leaf to root")
    func header() throws {
        struct Header: Decodable {
            let alg: String
            let kid: String
            let typ: String
            let x5c: [Data]
        }
        let header = try JSONDecoder().decode(
            Header.self, from: signer.sign(Samples.renewal).decoded(part: 0))
        #expect(header.alg == "ES256")
        #expect(header.typ == "JWT")
        #expect(header.kid.count == 10)
        #expect(header.x5c.count == 3)
        #expect(header.x5c.last == keys.rootCertificateDER)
    }

    @Test("a signature always has 64 bytes, also where r or s begins with zeros")
    func signatureLength() throws {
        for _ in 0..<600 {
            #expect(try signer.sign(Samples.consumable).decoded(part: 2).count == 64)
        }
    }

    @Test("many tasks can share one signer and one verifier")
    func concurrency() async throws {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<64 {
                group.addTask { [signer, verifier] in
                    let payload = Samples.changed {
                        $0.transactionId = TransactionID(Int64(number))
                    }
                    guard
                        case .verified(let transaction) = await verifier.verify(
                            try signer.sign(payload))
                    else { return false }
                    return transaction.payload == payload
                }
            }
            for try await isGood in group { #expect(isGood) }
        }
    }

    @Test("signing dates from 2000 to 2100 verify, and dates outside do not")
    func validity() async throws {
        let end = Timestamp.latest.advanced(byMilliseconds: 1000)
        for (date, isGood) in [
            (Timestamp.earliest, true), (Timestamp.latest, true), (end, true),
            (Timestamp.earliest.advanced(byMilliseconds: -1), false),
            (end.advanced(byMilliseconds: 1), false),
        ] {
            let payload = Samples.changed { $0.signedDate = date }
            let signed = try signer.sign(payload)
            // Verify with a new verifier, and with one that knows the chain.
            let other = try TransactionVerifier(
                rootCertificate: keys.rootCertificateDER, bundleID: Samples.bundleID,
                environment: .sandbox)
            let isVerified = await other.verify(signed).payload != nil
            #expect(isVerified == isGood, "\(date)")
            _ = await verifier.verify(try signer.sign(Samples.renewal))
            #expect(verifier.knowsChain(of: signed))
            #expect((await verifier.verify(signed).payload != nil) == isGood, "\(date)")
        }
    }
}

extension VerificationResult<StoreSigning.Transaction> {
    /// The payload if it was verified.
    var payload: TransactionPayload? {
        guard case .verified(let transaction) = self else { return nil }
        return transaction.payload
    }

    var error: VerificationError? {
        guard case .unverified(_, let error) = self else { return nil }
        return error
    }
}
