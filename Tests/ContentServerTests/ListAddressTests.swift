@testable import ContentServer
import ContentClient
import Foundation
import StoreModel
import Testing

/// What an app's own server answers without a proof of purchase, such as a list of products.
@Suite(.timeLimit(.minutes(10))) struct ListAddressTests {
    @Test("a list comes whole from the app's own server; any other answer is an error [B11, G4]")
    func body() async throws {
        let server = try RawServer()
        server.answer { request in
            switch request.target {
            case "/charts":
                RawServer.Reply("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n[\"one\"]")
            case "/charts/half":
                RawServer.Reply("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n[\"one\"]", .close)
            default: RawServer.Reply("HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n")
            }
        }
        let servers = ServedShop.patientServers
        let list = try await servers.list(at: server.url)
        #expect(String(decoding: list, as: UTF8.self) == "[\"one\"]")
        #expect(server.seen.allSatisfy { $0.fields["authorization"] == nil })
        for (address, failure) in [
            (server.url + "/none", ContentServerFailure.wrongAnswer),
            (server.url + "/half", .wrongLength),
            ("http://192.0.2.1/list", .addressRefused), ("https://localhost/", .addressRefused),
        ] {
            let error = await #expect(throws: StoreError.self, "\(address)") {
                try await servers.list(at: address)
            }
            #expect(error?.serverFailure == failure, "\(address)")
        }
    }
}
