import ShopText
package import StoreModel

/// A fault of this device's downloads that the palette offers; choosing it adds it to those set.
/// `storefront operator download-failures` sets the same faults with any number.
package enum DownloadFaultOffer: Hashable, Sendable {
    case bandwidth(bytesPerSecond: Int64)
    case latency(milliseconds: Int64)
    /// Makes the selected product's download fail at a byte.
    case trouble(DownloadFaults.Trouble, DownloadFaults.Place)
    /// Removes all faults of downloads, also those set on the command line.
    case clear

    /// All offers, in the order in which the palette lists them. The bandwidth is low enough to
    /// watch the demo's downloads, which are small; the latency is that of a bad mobile network.
    static let all: [DownloadFaultOffer] =
        [.bandwidth(bytesPerSecond: 2_000), .bandwidth(bytesPerSecond: 100_000)]
        + [.latency(milliseconds: 200), .latency(milliseconds: 2_000)]
        + DownloadFaults.Trouble.allCases.flatMap { trouble in
            DownloadFaults.Place.allCases.map { .trouble(trouble, $0) }
        } + [.clear]
}

/// The package whose bytes the offers of a palette count.
package struct FaultedPackage: Hashable, Sendable {
    package let product: ProductID
    /// The package's `HostedContent.id`.
    let contentID: String
    /// Bytes to download.
    let length: Int64

    package func byte(at place: DownloadFaults.Place) -> Int64 { place.byte(of: length) }
}

extension ShopState {
    /// None in a shop for a customer.
    var downloadFaultOffers: [DownloadFaultOffer] {
        offersOperatorActions ? DownloadFaultOffer.all : []
    }

    /// The selected product's longest package, if possible one still to be downloaded, because a
    /// fault at a byte acts only during a download. Nil without content.
    var packageToFault: FaultedPackage? {
        guard let id = paletteProduct, let product = productList.product(id) else { return nil }
        let installed = snapshot.downloads[id]?.installed ?? [:]
        let all = product.hostedContent.filter { $0.length > 0 }
        let missing = all.filter { installed[$0.id] != $0.version }
        return (missing.isEmpty ? all : missing).max { $0.length < $1.length }
            .map { FaultedPackage(product: id, contentID: $0.id, length: $0.length) }
    }

    /// The reason why a fault of downloads cannot be set now; nil if it can.
    func refusal(of offer: DownloadFaultOffer, in package: FaultedPackage?) -> Refusal? {
        guard opening == .open else { return .stillOpening }
        if let actor = shop.actor { return .operatorOnly(actor) }
        switch offer {
        case .bandwidth, .latency: return nil
        case .trouble(_, let place):
            guard let package else { return .nothingDownloading }
            let download = snapshot.downloads[package.product]
            guard let download, !download.state.isComplete,
                let received = download.package(package.contentID)?.bytesReceived
            else { return nil }
            return received > package.byte(at: place) ? .downloadIsPast : nil
        case .clear: return snapshot.downloadFaults.isEmpty ? .noDownloadFaults : nil
        }
    }

    /// Sets a fault of downloads, or removes all faults. Returns the faults in force afterwards.
    func setFault(_ offer: DownloadFaultOffer, in package: FaultedPackage?) -> DownloadFaults {
        var faults = snapshot.downloadFaults
        switch offer {
        case .bandwidth(let rate): faults.bytesPerSecond = rate
        case .latency(let milliseconds): faults.latencyMilliseconds = milliseconds
        case .trouble(let trouble, let place):
            if let package { faults.set(trouble, at: package.byte(at: place)) }
        case .clear: faults = .none
        }
        return faults
    }
}
