import Basics
import Foundation
import ShopText
import StoreModel
import StoreSigning

/// An explained signed text for people: whether it is verified, and its parts.
enum ExplanationText {
    /// - Parameter source: the file that it comes from; nil for none.
    static func write(
        _ explanation: SignedTextExplanation, of text: String, from source: String?
    ) {
        let kind = kind(explanation.kind)
        if let failure = explanation.failure {
            Output.line(notVerified(kind, failure))
        } else {
            Output.line(
                explanation.isRootPinned ? .verifiedLine(kind: kind) : .consistentLine(kind: kind))
        }
        if !explanation.isRootPinned { Output.line(.noRootPinned) }
        let place = source.map { UntrustedText.clean($0) } ?? Output.strings[.thisText]
        guard explanation.header != nil || explanation.payload != nil else {
            // The text is no compact JWS, so it has no parts to show.
            return Output.line(
                .noSignedText(
                    place: place, found: UntrustedText.quote(String(text.prefix(foundMax)))))
        }
        write(.partHeader, explanation.header)
        write(explanation.certificates, in: place)
        write(.partPayload, explanation.payload)
    }

    static func notVerified(_ kind: DocumentLineText, _ reason: VerificationError) -> String {
        let strings = Output.strings
        return strings[.notVerifiedLine(kind: kind, reason)] + strings.language.sentenceGap
            + strings[.verificationReason(reason)]
    }

    private static func kind(_ kind: SignedTextExplanation.Kind) -> DocumentLineText {
        switch kind {
        case .transaction: .kindTransaction
        case .receipt: .kindReceipt
        case .appTransaction: .kindAppTransaction
        case .renewalInfo: .kindRenewalInfo
        case .revocationList: .kindRevocationList
        case .manifest: .kindManifest
        case .other: .kindOther
        }
    }

    private static func write(_ title: DocumentLineText, _ part: AnyJSON?) {
        Output.line(title)
        guard let part else { return Output.line("  " + Output.strings[.notDecoded]) }
        write(part.fields())
    }

    /// Writes fields in two columns; a date is also shown in the person's format.
    private static func write(_ fields: [(path: String, value: AnyJSON)]) {
        let rows = fields.map { (UntrustedText.clean($0.path), text($0.value, named: $0.path)) }
        let width = rows.map { TextColumns.count($0.0) }.max() ?? 0
        for (name, value) in rows {
            Output.line("  " + TextColumns.fit(name, min(width, widthMax)) + "  " + value)
        }
    }

    private static let widthMax = 40
    /// How many characters are shown of a text that cannot be explained.
    private static let foundMax = 40

    private static func text(_ value: AnyJSON, named name: String) -> String {
        let isDate = name.hasSuffix("Date")
        return switch value {
        case .null: "null"
        case .flag(let flag): flag ? "true" : "false"
        case .integer(let number): isDate ? "\(number)  \(date(Double(number)))" : "\(number)"
        case .number(let number): isDate ? "\(number)  \(date(number))" : "\(number)"
        case .text(let text): UntrustedText.clean(text)
        case .list: "[]"
        case .object: "{}"
        }
    }

    /// Milliseconds since 1970 as a date; empty for a number outside the range of dates.
    private static func date(_ milliseconds: Double) -> String {
        guard abs(milliseconds) < millisecondsMax else { return "" }
        return Output.strings.date(Timestamp(milliseconds: Int64(milliseconds)))
    }

    /// The end of the year 9999: later years have more than four digits.
    private static let millisecondsMax = 253_402_300_800_000.0

    private static func write(
        _ certificates: [SignedTextExplanation.CertificateFacts?], in place: String
    ) {
        let strings = Output.strings
        Output.line(.partCertificates)
        let roles: [DocumentLineText] = [
            .certificateLeaf, .certificateIntermediate, .certificateRoot,
        ]
        for (index, certificate) in certificates.enumerated() {
            let role =
                certificates.count == roles.count ? roles[index] : DocumentLineText.certificateOther
            guard let certificate else {
                Output.line("  \(index + 1) \(strings[role]): \(strings[.notDecoded])")
                continue
            }
            Output.line(
                "  \(index + 1) \(strings[role]): " + UntrustedText.clean(certificate.subject))
            var facts: [DocumentLineText] = [
                .certificateSerial(certificate.serialNumber),
                .certificateValid(
                    from: strings.date(certificate.notBefore),
                    until: strings.date(certificate.notAfter)),
            ]
            if !certificate.markers.isEmpty {
                facts.append(.certificateMarkers(certificate.markers))
            }
            if certificate.isPinnedRoot { facts.append(.certificateIsPinned) }
            for fact in facts { Output.line("      " + strings[fact]) }
        }
        if certificates.isEmpty { Output.line("  " + strings[.noCertificates(place: place)]) }
    }
}

extension SignedTextExplanation {
    /// The explanation in JSON. `verified` means by a pinned root; `reason` is the first one: a
    /// `VerificationError` of StoreKit, `wrongApp` or `wrongEnvironment`.
    var fields: JSONFields {
        [
            "kind": kind, "verified": isVerified, "reason": failure, "rootPinned": isRootPinned,
            "header": header, "certificates": certificates, "payload": payload,
        ]
    }
}
