extension English {
    static func text(_ text: WholeStoreText) -> String {
        switch text {
        case .created(let store): "The store at \(store) was made."
        case .isThere(let store): "There is a store at \(store) already."
        case .absent(let store): "There is no store at \(store)."
        case .listed(let store, let entries, let begun, let address):
            ([store]
                + [entries.map { "\($0) entries" }, begun.map { "since \($0)" }].compactMap(\.self)
                + (address.map { ["closed, continues at \($0)"] } ?? [])).joined(separator: "  ")
        case .dropTells(let store, withDevices: true):
            "This removes the store at \(store): its sales, accounts, keys, packages and devices."
        case .dropTells(let store, withDevices: false):
            "This removes the store at \(store), for everybody: its sales, accounts, keys, packages "
                + "and roles."
        case .dropPrompt(let name): "Type its name to remove it (\(name)): "
        case .dropped(let store): "The store at \(store) was removed."
        case .moved(let from, let to, let entries):
            "The store continues at \(to), with \(entries) entries. The one at \(from) is closed."
        case .copied(let from, let to, let entries):
            "The copy at \(to) has \(entries) entries, and a history of its own from here on. The store "
                + "at \(from) continues."
        case .copying(let done, let total): "Copied \(done) of \(total) entries."
        }
    }
}
