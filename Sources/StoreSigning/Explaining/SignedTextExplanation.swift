package import Basics
package import Foundation
package import StoreModel
import SwiftASN1
import X509

/// A signed text split into its fields, with the result of its verification: for a person who
/// examines a text of this store or of another. Only `failure` is checked; every other member holds
/// unproved claims of the text.
package struct SignedTextExplanation: Sendable {
    /// The kind of document, judged by the payload's members.
    package enum Kind: String, Codable, Sendable {
        case transaction, receipt, appTransaction, renewalInfo, revocationList, manifest
        /// The payload cannot be decoded, or is of another kind.
        case other
    }

    /// A certificate of the header.
    package struct CertificateFacts: Codable, Hashable, Sendable {
        /// RFC 4514.
        package var subject: String
        /// RFC 4514.
        package var issuer: String
        /// Upper-case hexadecimal.
        package var serialNumber: String
        /// RFC 5280, 4.1.2.5.
        package var notBefore: Timestamp
        package var notAfter: Timestamp
        /// The object identifiers of Apple's marker extensions.
        package var markers: [String]
        /// Whether the certificate is byte for byte the pinned root.
        package var isPinnedRoot: Bool
    }

    package var kind: Kind
    /// Without the certificates; nil if it cannot be decoded.
    package var header: AnyJSON?
    /// In the order of the header; nil in place of one that cannot be decoded.
    package var certificates: [CertificateFacts?]
    /// Nil if it cannot be decoded.
    package var payload: AnyJSON?
    /// Without a pinned root the text is checked against the root certificate in its own header,
    /// which proves nothing about its origin.
    package var isRootPinned: Bool
    /// The first check that failed.
    package var failure: VerificationError?

    package var isVerified: Bool { isRootPinned && failure == nil }

    /// - Parameters:
    ///   - verifier: checks the text by the pinned root; nil if no root is known.
    ///   - root: the pinned root certificate, DER.
    ///   - bundleID: the app that the text must be for if no root is known; nil accepts every app.
    ///   - environment: the environment that the text must be for if no root is known; nil accepts
    ///     every environment.
    package init(
        _ text: String, verifier: TransactionVerifier?, root: Data?, bundleID: String? = nil,
        environment: StoreEnvironment? = nil
    ) async {
        let bytes = text.utf8Span.span
        let parts = CompactJWS(bytes, byteCountMax: CompactJWS.receiptByteCountMax)
        let whole = parts.flatMap { AnyJSON(part: bytes.extracting($0.header)) }
        payload = parts.flatMap { AnyJSON(part: bytes.extracting($0.payload)) }
        let chain = Self.chain(of: whole)
        header = whole.map { .object($0.members.filter { $0.key != "x5c" }) }
        certificates = chain.map { der in
            der.flatMap { CertificateFacts(der: $0, root: root) }
        }
        kind = Kind(payload)
        isRootPinned = verifier != nil
        let own = chain.last.flatMap(\.self).flatMap {
            try? TransactionVerifier(
                rootCertificate: $0, bundleID: bundleID, environment: environment)
        }
        guard let judge = verifier ?? own else {
            failure = whole == nil || payload == nil ? .invalidEncoding : .invalidCertificateChain
            return
        }
        failure = await kind.failure(of: text, judge)
    }

    private static func chain(of header: AnyJSON?) -> [Data?] {
        guard case .list(let list)? = header?.members["x5c"] else { return [] }
        return list.map { if case .text(let text) = $0 { Data(base64Encoded: text) } else { nil } }
    }
}

extension SignedTextExplanation.Kind {
    /// Recognized by a member that no other kind has.
    fileprivate init(_ payload: AnyJSON?) {
        let names = payload?.members ?? [:]
        self =
            if names["inApp"] != nil {
                .receipt
            } else if names["revokedSerials"] != nil {
                .revocationList
            } else if names["autoRenewStatus"] != nil {
                .renewalInfo
            } else if names["manifestSha256"] != nil {
                .manifest
            } else if names["transactionId"] != nil || names["productId"] != nil {
                .transaction
            } else if names["applicationVersion"] != nil || names["receiptType"] != nil {
                .appTransaction
            } else {
                .other
            }
    }

    fileprivate func failure(
        of text: String, _ verifier: TransactionVerifier
    ) async -> VerificationError? {
        do throws(VerificationError) {
            switch self {
            case .transaction, .other:
                let signed = SignedTransaction(text)
                if case .unverified(_, let error) = await verifier.verify(
                    signed, allowingNoDevice: false)
                {
                    return error
                }
            case .receipt: _ = try await verifier.verify(SignedReceipt(text))
            case .appTransaction: _ = try await verifier.verify(SignedAppTransaction(text))
            case .renewalInfo: _ = try await verifier.verify(SignedRenewalInfo(text))
            case .manifest: _ = try await verifier.verify(SignedManifest(text))
            case .revocationList: _ = try await verifier.verify(SignedRevocationList(text))
            }
            return nil
        } catch { return error }
    }
}

extension SignedTextExplanation.CertificateFacts {
    fileprivate init?(der: Data, root: Data?) {
        guard let certificate = try? Certificate(derEncoded: Array(der)) else { return nil }
        subject = "\(certificate.subject)"
        issuer = "\(certificate.issuer)"
        serialNumber = CertificateSerial(certificate.serialNumber).text
        notBefore = Timestamp(certificate.notValidBefore)
        notAfter = Timestamp(certificate.notValidAfter)
        markers = [MarkerExtension.receiptSigning, MarkerExtension.receiptSigningIssuer]
            .filter { certificate.extensions[oid: $0] != nil }.map { "\($0)" }
        isPinnedRoot = der == root
    }
}

extension StoreKeys {
    /// From PEM or DER, as DER; nil if the file holds none.
    package static func certificate(file: Data) -> Data? {
        let text = String(decoding: file, as: UTF8.self)
        let der = (try? PEMDocument(pemString: text).derBytes) ?? Array(file)
        return (try? Certificate(derEncoded: der)) == nil ? nil : Data(der)
    }
}

extension AnyJSON {
    /// For base64url text that holds a JSON object; nil for anything else.
    init?(part: Span<UInt8>) {
        guard let bytes = Base64URL.decode(part),
            let value = try? JSONDecoder().decode(AnyJSON.self, from: Data(bytes)),
            case .object = value
        else { return nil }
        self = value
    }
}
