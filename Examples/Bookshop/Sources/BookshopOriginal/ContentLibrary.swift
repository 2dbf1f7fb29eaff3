import Foundation
import StoreKit

/// The content that the customer has bought, in a folder of the app's.
public struct ContentLibrary {
    public let folder: URL

    public init(folder: URL) {
        self.folder = folder
    }

    /// Where the files of a package are.
    public func place(of contentIdentifier: String) -> URL {
        folder.appendingPathComponent(contentIdentifier, isDirectory: true)
    }

    /// Moves the files of a finished download here, in the place of an older version.
    func keep(_ download: SKDownload) throws {
        guard let contents = download.contentURL?.appendingPathComponent("Contents") else { return }
        let place = place(of: download.contentIdentifier)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        if FileManager.default.fileExists(atPath: place.path) {
            try FileManager.default.removeItem(at: place)
        }
        try FileManager.default.moveItem(at: contents, to: place)
    }
}
