import StoreModel

/// A signed transaction taken apart. Nothing in it is believed yet.
struct OpenedTransaction {
    let signed: SignedTransaction
    let parts: CompactJWS
    let contents: PayloadContents
    /// Of any length.
    let signature: [UInt8]

    /// Throws `invalidEncoding` unless there are three parts, the payload is a JSON object and the
    /// signature is base64url. The header is looked at later, and only if it is a new one.
    init(_ signed: SignedTransaction) throws(VerificationError) {
        let text = signed.rawValue.utf8Span.span
        guard let parts = CompactJWS(text),
            let payload = Base64URL.decode(text.extracting(parts.payload)),
            let contents = PayloadContents(payload),
            let signature = Base64URL.decode(text.extracting(parts.signature))
        else { throw .invalidEncoding }
        self.signed = signed
        self.parts = parts
        self.contents = contents
        self.signature = signature
    }
}
