/// The choices of a person for one account on one device. Only the theme and the
/// language follow the account to its other devices (`AccountValue`).
package struct DeviceSettings: Codable, Hashable, Sendable {
    /// The theme the app is drawn with, by the id that unlocks it; nil for the app's own. The code
    /// that draws must check that the account still owns a product that unlocks it.
    package var theme: String?
    /// The language of the app's words, as `--language` names it; nil for the person's locale's.
    package var language: String?
    /// The app's own backend, to read only; it has a change of its own.
    package var backend: AppBackend?
    /// Whether the device's connection is metered: then a large download waits for a person's
    /// consent.
    package var isMetered = false
    /// The size in bytes from which a product's download is large on a metered connection.
    package var meteredBytes = Self.meteredBytesUsual
    /// Whether the device makes room by itself when a download does not fit: it removes content
    /// that can be downloaded again, least recently opened first.
    package var makesRoom = false

    /// 50 MB.
    package static let meteredBytesUsual: Int64 = 50_000_000

    package init(theme: String? = nil) { self.theme = theme }

    package subscript(setting: DeviceSwitch) -> Bool {
        get { self[keyPath: setting.setting] }
        set { self[keyPath: setting.setting] = newValue }
    }
}

/// A setting of a device that is on or off, in the order in which commands name them.
package enum DeviceSwitch: Hashable, Sendable, CaseIterable {
    case isMetered, makesRoom

    fileprivate var setting: WritableKeyPath<DeviceSettings, Bool> {
        switch self {
        case .isMetered: \.isMetered
        case .makesRoom: \.makesRoom
        }
    }
}

/// Where a person stopped reading a file of downloaded content. Kept by the file's path: the place
/// stays when the package gets a new version or is deleted and downloaded again. The place that was
/// read last of each product follows the account to its other devices (`AccountValue`).
package struct ReadingPlace: Codable, Hashable, Sendable {
    package var productID: ProductID
    /// Unique within the product.
    package var contentID: String
    /// Relative to its package.
    package var path: String
    /// How many bytes of the file lie before the place; a file of a later version may be shorter.
    package var offset: Int64

    package init(productID: ProductID, contentID: String, path: String, offset: Int64) {
        self.productID = productID
        self.contentID = contentID
        self.path = path
        self.offset = offset
    }
}
