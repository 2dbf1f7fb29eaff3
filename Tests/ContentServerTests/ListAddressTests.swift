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
        let list = try await Self.list(at: server.url).get()
        #expect(String(decoding: list, as: UTF8.self) == "[\"one\"]")
        #expect(server.seen.allSatisfy { $0.fields["authorization"] == nil })
        for (address, failure) in [
            (server.url + "/none", ContentServerFailure.wrongAnswer),
            (server.url + "/half", .wrongLength),
            ("http://192.0.2.1/list", .addressRefused), ("https://localhost/", .addressRefused),
        ] {
            let error = await #expect(throws: StoreError.self, "\(address)") {
                try await Self.list(at: address).get()
            }
            #expect(error?.serverFailure == failure, "\(address)")
        }
    }

    /// Where other tests keep a machine busy, the minute that a list has can pass before its first
    /// byte: then it is asked for again.
    private static func list(at address: String) async -> Result<Data, StoreError> {
        let servers = HTTPContentServers(patience: .seconds(60))
        while true {
            do throws(StoreError) {
                return .success(try await servers.list(at: address))
            } catch {
                guard error.serverFailure == .stalled else { return .failure(error) }
            }
        }
    }
}
