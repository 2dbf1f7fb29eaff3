package import StoreModel

/// The keys of a store in a folder, read and written as those of a store in a database are. Only the
/// user may enter the folders (0700) and read the files (0600), from their first byte on.
package struct FolderKeys: KeyStorage {
    private let chain: KeyFolder
    private let offers: OfferKeyFolder

    /// Does not access the disk.
    ///
    /// - Parameter path: the store's folder `keys`, which is made with the first key.
    package init(path: String) {
        chain = KeyFolder(path: path)
        offers = OfferKeyFolder(path: path + "/offers")
    }

    /// Throws `keysUnreadable`, as `StoreKeys.open(folder:)` does.
    package func signingKeys() throws(StoreError) -> [String: String]? {
        guard let files = try chain.load() else { return nil }
        return KeyFolder.texts(files)
    }

    /// Throws as `StoreKeys.open(folder:)`.
    package func signingKeys(
        orMake make: @Sendable () throws(StoreError) -> [String: String]
    ) throws(StoreError) -> [String: String] {
        let files = try chain.loadOrMake { () throws(StoreError) in KeyFolder.files(try make()) }
        return KeyFolder.texts(files)
    }

    package func read(_ id: String) throws(StoreError) -> String? { try offers.read(id) }

    package func ids() throws(StoreError) -> [String] { try offers.ids() }

    package func write(_ text: String, as id: String) throws(StoreError) {
        try offers.write(text, as: id)
    }

    package func path(of id: String) -> String {
        KeyFolder.Part(rawValue: id).map { chain.path(of: $0) } ?? offers.path(of: id)
    }
}
