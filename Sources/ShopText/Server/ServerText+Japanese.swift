import StoreModel

extension Japanese {
    static func text(_ text: ServerText) -> String {
        switch text {
        case .tokenRefused(let refusal): refused(refusal)
        case .linesLost(let reason):
            "これ以上出力できません (\(reason))。出力せずに動作を続けます。"
        case .unseenKeyRevoked(let id):
            "キー\(id)の秘密鍵を表示できなかったため、キーを失効させました。作り直してください: "
                + "storefront operator api-keys create --out key.p8"
        case .unseenKeyStays(let id):
            "キー\(id)の秘密鍵を表示できませんでした。失効させてください: "
                + "storefront operator api-keys revoke \(id)"
        }
    }

    private static func refused(_ refusal: TokenRefusal) -> String {
        switch refusal {
        case .missing: "トークンがありません (Authorization: Bearer TOKEN)。"
        case .malformed: "トークンがES256で署名されたJWTではありません。"
        case .unknownKey: "トークンのキーID (kid) のキーはこのストアにありません。"
        case .revokedKey: "トークンのキーは失効しています。"
        case .otherIssuer: "トークンの発行者ID (iss) がこのストアのものではありません。"
        case .otherBundle: "トークンのバンドルID (bid) がこのストアのアプリのものではありません。"
        case .otherAudience: "トークンの宛先 (aud) がappstoreconnect-v1ではありません。"
        case .expired: "トークンの有効期限 (exp) が切れています。"
        case .tooLong: "トークンの有効期間が60分を超えています (exp、秒単位)。"
        case .notYetValid: "トークンはまだ有効ではありません (iat、nbf)。"
        case .badSignature: "トークンの署名がそのキー (kid) のものではありません。"
        }
    }
}
