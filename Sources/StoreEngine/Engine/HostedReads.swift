import StoreCatalog
import StoreModel
import Synchronization

/// Hosted packages that are being read in pieces. Who may have one, and which files it is made of,
/// is asked once for many pieces, not for each: a package of thousands of small files would cost the
/// square of their number. An entitlement that was withdrawn is noticed after
/// `StoreLimits.piecesUnasked` pieces at the latest.
final class HostedReads: Sendable {
    struct Key: Hashable {
        var account: AccountName
        var product: ProductID
        var contentID: String
    }

    /// Where a package lies: another catalog may say otherwise.
    struct Place: Equatable {
        var folder: String
        var package: CatalogDelivery.Package
    }

    private struct Reading {
        var place: Place
        var package: HostedPackage
        var piecesLeft: Int
    }

    private let readings = Mutex<[Key: Reading]>([:])

    /// The package of a reading that has pieces left before it must be asked about again.
    func package(_ key: Key) -> HostedPackage? {
        readings.withLock { readings in
            guard let reading = readings[key], reading.piecesLeft > 0 else { return nil }
            readings[key]?.piecesLeft -= 1
            return reading.package
        }
    }

    /// The package of a reading that may go on, if it lies where it did.
    func goOn(_ key: Key, at place: Place) -> HostedPackage? {
        readings.withLock { readings in
            guard let reading = readings[key], reading.place == place else { return nil }
            readings[key]?.piecesLeft = StoreLimits.piecesUnasked
            return reading.package
        }
    }

    func begin(_ key: Key, _ package: HostedPackage, at place: Place) {
        readings.withLock { readings in
            if readings.count >= StoreLimits.hostedReadsKept { readings = [:] }
            readings[key] = Reading(
                place: place, package: package, piecesLeft: StoreLimits.piecesUnasked)
        }
    }
}
