extension Japanese {
    static func text(_ text: WholeStoreText) -> String {
        switch text {
        case .created(let store): "\(store)にストアを作成しました。"
        case .isThere(let store): "\(store)にはすでにストアがあります。"
        case .absent(let store): "\(store)にストアはありません。"
        case .listed(let store, let entries, let begun, let address):
            ([store] + [entries.map { "記録\($0)件" }, begun.map { "\($0)から" }].compactMap(\.self)
                + (address.map { ["閉鎖済み、\($0)で継続"] } ?? [])).joined(separator: "  ")
        case .dropTells(let store, withDevices: true):
            "\(store)のストアを、販売、アカウント、鍵、パッケージ、デバイスとともに削除します。"
        case .dropTells(let store, withDevices: false):
            "全員が使う\(store)のストアを、販売、アカウント、鍵、パッケージ、ロールとともに削除します。"
        case .dropPrompt(let name): "削除するには名前を入力してください (\(name)): "
        case .dropped(let store): "\(store)のストアを削除しました。"
        case .moved(let from, let to, let entries):
            "ストアは\(to)で続きます(記録\(entries)件)。\(from)のストアは閉じられました。"
        case .copied(let from, let to, let entries):
            "\(to)のコピーには記録が\(entries)件あり、これからは独自の履歴になります。\(from)のストアはそのままです。"
        case .copying(let done, let total): "\(total)件のうち\(done)件の記録をコピーしました。"
        }
    }
}
