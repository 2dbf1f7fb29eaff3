import StoreModel

extension English {
    static func text(_ text: ServerText) -> String {
        switch text {
        case .tokenRefused(let refusal): refused(refusal)
        case .linesLost(let reason):
            "Nothing more can be printed (\(reason)). This continues without it."
        case .unseenKeyRevoked(let id):
            "The private half of key \(id) could not be shown, so the key was revoked. Make another "
                + "one: storefront operator api-keys create --out key.p8"
        case .unseenKeyStays(let id):
            "The private half of key \(id) could not be shown. Revoke the key: "
                + "storefront operator api-keys revoke \(id)"
        }
    }

    private static func refused(_ refusal: TokenRefusal) -> String {
        switch refusal {
        case .missing: "It has no token (Authorization: Bearer TOKEN)."
        case .malformed: "Its token is no JWT that is signed with ES256."
        case .unknownKey: "This store has no key with the token's key id (kid)."
        case .revokedKey: "The token's key was revoked."
        case .otherIssuer: "The token has another issuer id (iss) than this store."
        case .otherBundle: "The token has another bundle id (bid) than this store's app."
        case .otherAudience: "The token's audience (aud) is not appstoreconnect-v1."
        case .expired: "The token has expired (exp)."
        case .tooLong: "The token is valid for more than 60 minutes (exp, in seconds)."
        case .notYetValid: "The token is not valid yet (iat, nbf)."
        case .badSignature: "The token is not signed by the key that it names (kid)."
        }
    }
}
