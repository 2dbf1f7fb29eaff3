import Basics
import ContentClient
import Foundation
import StoreModel

/// A bound on the memory.
private let fileBytesMax = 64 * 1024 * 1024

extension AppProductList {
    /// - Parameter place: a path, or an address on this machine that begins with http://.
    /// - Throws: `fileUnreadable` for a file that cannot be read, `productListInvalid` for one that is no
    ///   list; the failures of the app's own server.
    init(at place: String) async throws(StoreError) {
        let bytes: Data
        if place.hasPrefix("http://") {
            bytes = try await HTTPContentServers().list(at: place)
        } else {
            do {
                let file = try FileHandle(forReadingFrom: URL(filePath: place))
                bytes = try file.read(upToCount: fileBytesMax) ?? Data()
            } catch {
                throw StoreError(.fileUnreadable, subject: place, cause: systemMessage(of: error))
            }
        }
        guard let list = AppProductList(bytes) else {
            throw StoreError(.productListInvalid, subject: place)
        }
        self = list
    }
}
