@testable import Shop
import ShopText
@testable import StoreModel
import Testing

/// The palette's faults of downloads, and its action that updates all content.
@Suite struct DownloadFaultOfferTests {
    private static func opened(
        _ product: ProductID, _ change: (inout AccountSnapshot) -> Void = { _ in }
    ) -> ShopProbe {
        var state = SampleShop.full()
        change(&state.snapshot)
        state.list.selectedRow = state.productList.row(of: product) ?? 0
        var probe = ShopProbe(state)
        probe.happen(.palette(.opened))
        return probe
    }

    private static func palette(_ probe: ShopProbe) -> Palette? {
        if case .palette(let palette) = probe.state.sheet { palette } else { nil }
    }

    private static func choose(_ offer: DownloadFaultOffer, in probe: inout ShopProbe)
        -> [ShopEffect]
    {
        probe.viewport.entries = [Entry(id: .fault(offer), row: 0)]
        return probe.happen(.confirmed)
    }

    private static func refusal(_ offer: DownloadFaultOffer, in probe: ShopProbe) -> EntryRefusal? {
        probe.state.refusal(of: Entry(id: .fault(offer), row: 0))
    }

    @Test(
        "a place of a download is one of its bytes, in their order",
        arguments: [
            (3_200_000, [800_000, 1_600_000, 2_880_000]), (26, [6, 13, 23]), (10, [2, 5, 9]),
            (2, [0, 1, 1]), (1, [0, 0, 0]), (0, [0, 0, 0]),
            (.max, [.max / 4, .max / 2, .max - .max / 10 - 1]),
        ] as [(Int64, [Int64])])
    func places(length: Int64, bytes: [Int64]) {
        #expect(DownloadFaults.Place.allCases.map { $0.byte(of: length) } == bytes)
    }

    @Test(
        "a fault is set beside the others, at the byte of the selected product's download",
        arguments: [
            (.bandwidth(bytesPerSecond: 2_000), .init(bytesPerSecond: 2_000, stallAt: 5)),
            (.latency(milliseconds: 200), .init(latencyMilliseconds: 200, stallAt: 5)),
            (.trouble(.stall, .quarter), .init(stallAt: 800_000)),
            (.trouble(.disconnect, .half), .init(stallAt: 5, disconnectAt: 1_600_000)),
            (.trouble(.corrupt, .nearEnd), .init(stallAt: 5, corruptAt: 2_880_000)),
            (.trouble(.full, .half), .init(stallAt: 5, fullAt: 1_600_000)),
            (.clear, .init()),
        ] as [(DownloadFaultOffer, DownloadFaults)])
    func faultsAreSet(_ offer: DownloadFaultOffer, faults: DownloadFaults) {
        var probe = Self.opened("book.six") { $0.downloadFaults.stallAt = 5 }
        #expect(Self.palette(probe)?.faults.contains(offer) == true)
        #expect(Self.refusal(offer, in: probe) == nil)
        #expect(Self.choose(offer, in: &probe) == [.setDownloadFaults(faults)])
        #expect(probe.state.sheet == nil)
        #expect(probe.state.statusMessage?.what == .downloadFaults(faults))
    }

    @Test("a fault that would meet nothing says why, and is not set")
    func refusals() {
        for (product, offer, reason) in [
            ("coins.10", .trouble(.stall, .half), .nothingDownloading),
            // 1,728,000 of book.two's 3,200,000 bytes have been received.
            ("book.two", .trouble(.disconnect, .quarter), .downloadIsPast),
            ("book.two", .trouble(.disconnect, .nearEnd), nil),
            // book.one is on this device, so the fault affects its next download.
            ("book.one", .trouble(.disconnect, .quarter), nil),
            ("book.one", .clear, .noDownloadFaults), ("coins.10", .latency(milliseconds: 200), nil),
        ] as [(ProductID, DownloadFaultOffer, Refusal?)] {
            var probe = Self.opened(product)
            #expect(
                Self.refusal(offer, in: probe) == reason.map { .shop($0) }, "\(product) \(offer)")
            guard let reason else { continue }
            #expect(Self.choose(offer, in: &probe) == [])
            #expect(probe.state.statusMessage?.what == .refused(reason))
            #expect(Self.palette(probe) != nil)
        }
    }

    @Test("a customer is offered no faults, and a member of a family may not set them")
    func onlyTheOperator() {
        var state = SampleShop.full()
        state.shop.actor = "kai"
        var probe = ShopProbe(state)
        probe.happen(.palette(.opened))
        #expect(
            Self.refusal(.latency(milliseconds: 200), in: probe) == .shop(.operatorOnly("kai")))
        state.shop.hasConsole = false
        probe = ShopProbe(state)
        probe.happen(.palette(.opened))
        #expect(Self.palette(probe)?.faults == [])
    }

    @Test("the byte of a line does not change while a person reads it")
    func theByteStays() {
        var probe = Self.opened("book.six")
        var response = SampleShop.response(revision: 2)
        for index in response.products.indices
        where response.products[index].id == "book.six" {
            response.products[index].delivery = .hosted([
                HostedContent(id: "text", version: "1.3", length: 8)
            ])
        }
        probe.happen(.productsArrived(response))
        #expect(
            Self.choose(.trouble(.full, .half), in: &probe)
                == [.setDownloadFaults(.init(fullAt: 1_600_000))])
    }

    @Test("faults of downloads count among the faults in force")
    func faultsAreCounted() {
        var state = SampleShop.full()
        state.faults = [Fault(id: 1, call: .purchase, error: .networkError, remaining: 3)]
        #expect(state.faultsInForce == 3)
        state.snapshot.downloadFaults = DownloadFaults(
            bytesPerSecond: 1, latencyMilliseconds: 1, stallAt: 0, disconnectAt: 0, corruptAt: 0,
            fullAt: 0, diskBytes: 0)
        #expect(state.faultsInForce == 10)
    }

    @Test("all content with a newer version is fetched at once; offline, none is known")
    func updateAll() {
        var probe = ShopProbe(SampleShop.full())
        let nothing = probe.happen(.library(.allUpdated))
        #expect(nothing == [])
        #expect(probe.state.statusMessage?.what == .refused(.nothingToUpdate))
        var snapshot = probe.state.snapshot
        snapshot.whyOffline = .networkIsOff
        probe.happen(.accountArrived(snapshot))
        #expect(probe.happen(.library(.allUpdated)) == [])
        #expect(probe.state.statusMessage?.what == .refused(.updatesUnknown))
        snapshot.whyOffline = nil
        snapshot.downloads["book.one"]?.installed = ["text": "1.0"]
        snapshot.downloads["book.four"]?.installed = ["text": "1.1"]
        snapshot.downloads["book.four"]?.state = .finished
        // A download that is under way is not started again.
        snapshot.downloads["book.two"]?.installed = ["text": "1.0"]
        probe.happen(.accountArrived(snapshot))
        for view in ShopView.allCases {
            probe.happen(.viewChosen(view))
            #expect(
                probe.happen(.library(.allUpdated))
                    == [
                        .content(.resumeDownloads, "book.one"),
                        .content(.resumeDownloads, "book.four"),
                    ])
            #expect(probe.state.statusMessage?.what == .updatingAll(count: 2))
        }
    }
}
