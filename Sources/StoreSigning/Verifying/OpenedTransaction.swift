import StoreModel

/// A signed transaction split into its parts and decoded. Nothing in it is verified yet.
struct OpenedTransaction {
    let signed: SignedTransaction
    let parts: CompactJWS
    let contents: PayloadContents
    /// The decoded signature; its length is not checked yet.
    let signature: [UInt8]

    /// Throws `invalidEncoding` unless there are three parts, the payload is a JSON object and the
    /// signature is base64url. The header is decoded later, and only if its chain is not known.
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
