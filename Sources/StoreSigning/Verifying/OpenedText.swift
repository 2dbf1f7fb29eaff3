import StoreModel

/// A signed text split into its parts and decoded. Nothing in it is verified yet.
struct OpenedText<Payload: SignedPayload> {
    let text: String
    let parts: CompactJWS
    let contents: PayloadContents<Payload>
    /// Its length is not checked yet.
    let signature: [UInt8]

    /// Throws `invalidEncoding` unless there are three parts, the payload is a JSON object and the
    /// signature is base64url. The header is decoded later, and only if its chain is not known.
    init(_ signed: String) throws(VerificationError) {
        let bytes = signed.utf8Span.span
        guard let parts = CompactJWS(bytes, byteCountMax: Payload.byteCountMax),
            let payload = Base64URL.decode(bytes.extracting(parts.payload)),
            let contents = PayloadContents<Payload>(payload),
            let signature = Base64URL.decode(bytes.extracting(parts.signature))
        else { throw .invalidEncoding }
        text = signed
        self.parts = parts
        self.contents = contents
        self.signature = signature
    }
}
