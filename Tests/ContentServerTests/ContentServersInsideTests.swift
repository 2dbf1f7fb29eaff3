import ContentClient
import ContentServer
import Foundation
import StoreDevice
import StoreModel
import StoreTestSupport
import Testing

/// A shop hands out what the app's own server would, where no server listens.
@Suite("the app's own server inside the shop", .timeLimit(.minutes(10)))
struct ContentServersInsideTests {
    @Test("what is bought arrives although nobody has started its server [A8]")
    func arrives() async throws {
        // Nothing listens on port 1.
        for servers in [nil, ServedShop.patientServers] {
            let shop = try await ServedShop()
            let device = try await shop.bought(
                ContentServersInside(shop.content, besides: servers))
            _ = try await device.untilDownload(.finished)
            #expect(try await device.charts() == ServedShop.files)
            await device.close()
        }
    }

    @Test("a server that answers comes first")
    func serverFirst() async throws {
        let server = try RawServer()
        let shop = try await ServedShop(url: server.url)
        let responder = try shop.responder()
        server.answer { request in
            var request = request
            request.fields["device-identifier"] = UUID().uuidString
            let honest = await responder.whole(request)
            return .init(honest.answer, body: honest.body)
        }
        let device = try await shop.bought(
            ContentServersInside(shop.content, besides: ServedShop.patientServers))
        #expect(try await device.untilDownload(.failed).error?.contentRefusal == .wrongAccount)
        await device.close()
    }

    @Test("another device's purchase, and a refunded one, are refused with the reason")
    func refused() async throws {
        let shop = try await ServedShop()
        let signed = try await shop.buy()
        func refusal(_ device: DeviceName) async throws -> ContentRefusal? {
            let proof = PurchaseProof(
                signed: signed.rawValue, device: shop.identifier(device: device))
            let source = ContentServersInside(shop.content, besides: nil).source(
                at: "http://127.0.0.1:1/charts"
            ) { () async throws(StoreError) in proof }
            do throws(StoreError) {
                _ = try await source.contentManifest(
                    product: ServedShop.charts, contentID: "atlas")
                return nil
            } catch { return error.contentRefusal }
        }
        #expect(try await refusal("phone") == nil)
        #expect(try await refusal("tablet") == .wrongAccount)
        let sale = try #require(try await shop.store.session().entitlements().first)
        _ = try await shop.store.console.perform(.refund(sale.transactionID, .rest, reason: .other))
        #expect(try await refusal("phone") == .revoked)
    }
}
