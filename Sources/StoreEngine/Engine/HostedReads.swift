import StoreCatalog
import StoreModel
import Synchronization

/// Hosted packages that devices are reading in pieces. The account's right to a package and the
/// package's list of files are checked once for many pieces. If each piece were checked, a package
/// of small files would cost the square of their number (`make bench`: "fetch a package of 3000
/// small files, not cp -r and sha256sum"). A revoked right takes effect after at most
/// `StoreLimits.piecesUnasked` pieces.
final class HostedReads: Sendable {
    /// A package that an account is reading.
    struct Key: Hashable {
        var account: AccountName
        var product: ProductID
        var contentID: String
    }

    /// Where a package is stored. A later catalog may move it.
    struct Location: Equatable {
        var folder: String
        var package: CatalogDelivery.Package
    }

    private struct Reading {
        var location: Location
        var package: HostedPackage
        /// Pieces to return before the next check.
        var piecesLeft: Int
    }

    private let readings = Mutex<[Key: Reading]>([:])

    /// The package, if it may be read without a check; counts one piece. Nil if a check is needed.
    func package(_ key: Key) -> HostedPackage? {
        readings.withLock { readings in
            guard let reading = readings[key], reading.piecesLeft > 0 else { return nil }
            readings[key]?.piecesLeft -= 1
            return reading.package
        }
    }

    /// Continues reading a package after a check. Nil if it was not being read, or is stored
    /// elsewhere now.
    func resume(_ key: Key, at location: Location) -> HostedPackage? {
        readings.withLock { readings in
            guard let reading = readings[key], reading.location == location else { return nil }
            readings[key]?.piecesLeft = StoreLimits.piecesUnasked
            return reading.package
        }
    }

    /// Starts reading a package after a check. Forgets all others if too many are being read.
    func begin(_ key: Key, _ package: HostedPackage, at location: Location) {
        readings.withLock { readings in
            if readings.count >= StoreLimits.hostedReadsKept { readings = [:] }
            readings[key] = Reading(
                location: location, package: package, piecesLeft: StoreLimits.piecesUnasked)
        }
    }
}
