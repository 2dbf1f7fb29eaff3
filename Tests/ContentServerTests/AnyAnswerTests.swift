import ContentClient
import ContentServer
import DurableFiles
import Foundation
@testable import StoreDevice
import StoreModel
import StoreSigning
import StoreTestSupport
import Synchronization
import TestBasics
import Testing

/// An app's own server that answers with anything at all: a download ends with the right files or
/// with an error, and never ends the program.
@Suite struct AnyAnswerTests {
    /// The number of downloads, of some three answers each: `STOREFRONT_ANSWERS`, 400 by default.
    static let downloads =
        ProcessInfo.processInfo.environment["STOREFRONT_ANSWERS"].flatMap(Int.init) ?? 400

    private static let files = [
        "one.txt": String(repeating: "Soundings. ", count: 90), "part/two.txt": "Sheet two.",
        "part/empty.txt": "",
    ]

    /// A server that gives changed answers to some requests. The true answers are made once for
    /// each request: checking a purchase anew each time would take most of the test's time.
    private final class Server: Sendable {
        let raw: RawServer
        /// The responders of two versions of the package, both signed by the store.
        let responders: [ContentResponder]

        private struct State {
            var random = SplitMix64(seed: 0)
            var known: [String: RawServer.Reply] = [:]
        }
        private let state = Mutex(State())

        init(_ raw: RawServer, _ responders: [ContentResponder]) {
            self.raw = raw
            self.responders = responders
        }

        func begin(seed: Int) { state.withLock { $0.random = SplitMix64(seed: UInt64(seed)) } }

        func reply(to request: ContentRequest) async -> RawServer.Reply {
            let version = state.withLock { $0.random.below(8) == 0 ? 1 : 0 }
            let key = "\(version) \(request.target) \(request.fields["range"] ?? "")"
            let known = state.withLock { $0.known[key] }
            let honest: RawServer.Reply
            if let known {
                honest = known
            } else {
                let answer = await responders[version].whole(request)
                honest = .init(answer.answer, body: answer.body)
                state.withLock { $0.known[key] = honest }
            }
            return state.withLock { state in
                guard state.random.chance(60) else { return honest }
                let others = state.known.keys.sorted()
                let other = state.known[state.random.pick(others)]?.bytes ?? Data()
                let bytes = AnswerMutator.mutate(
                    Array(honest.bytes), other: Array(other), &state.random)
                return .init(Data(bytes), .close)
            }
        }
    }

    @Test("whatever a server answers, a download brings the right files or an error")
    func anyAnswer() async throws {
        let raw = try RawServer()
        let shop = try await ServedShop(url: raw.url, files: Self.files)
        let signed = try await shop.buy()
        let first = try shop.responder()
        // The device asks with one proof; the second version of the package comes from another
        // store with the same keys, whose sale has the same number.
        let newer = try await ServedShop(url: raw.url, version: "2.0", files: Self.files)
        _ = try await newer.buy()
        let server = Server(raw, [first, try newer.responder()])
        raw.answer { await server.reply(to: $0) }
        let folder = try DeviceFolder(storeFolder: shop.folder.path, device: "d", account: "aoi")
        try folder.make()
        let proof = PurchaseProof(signed: signed.rawValue, device: shop.identifier())
        let fetcher = PackageFetcher(
            source: FaultySource(
                ServedShop.patientServers.source(at: raw.url) { proof },
                file: DownloadFaultFile(folder: folder.path), elapsed: ContinuousClock()),
            verifier: DeviceVerifier(
                try TestStore.verifier(), store: shop.store.session(),
                files: SignedFiles(folder: folder), hub: DeviceUpdates()),
            folder: folder, pacer: BandwidthPacer(bytesPerSecond: nil, clock: ContinuousClock()),
            product: ServedShop.charts, contentID: "atlas", onProgress: { _ in })
        var finished = 0
        for seed in 0..<Self.downloads {
            server.begin(seed: seed)
            do {
                guard case .finished(let version, _) = try await fetcher.fetch() else { continue }
                finished += 1
                let path = folder.content(ServedShop.charts, "atlas", version) + "/Contents"
                for (name, text) in Self.files {
                    let found = try String(contentsOfFile: path + "/" + name, encoding: .utf8)
                    #expect(found == text, "seed \(seed), \(name)")
                }
                folder.removeAll(of: ServedShop.charts, from: "content")
            } catch let error as StoreError {
                #expect(
                    [.contentMismatch, .contentUnavailable, .contentServerFailed, .contentRefused]
                        .contains(error.code), "seed \(seed): \(error)")
            }
        }
        #expect(finished > 0)
    }
}

/// Changes an answer of a server: its bytes, its numbers, its order, its end.
private enum AnswerMutator {
    static func mutate(
        _ bytes: [UInt8], other: [UInt8], _ random: inout SplitMix64
    ) -> [UInt8] {
        var bytes = bytes
        for _ in 0...random.below(3) {
            // The head and the beginning of the body decide most.
            let reach = random.chance(70) ? min(bytes.count, 1_000) : bytes.count
            guard reach > 0 else { return other }
            let at = random.below(reach)
            switch random.below(9) {
            case 0: bytes[at] ^= 1 << UInt8(random.below(8))
            case 1: bytes = Array(bytes.prefix(at))
            case 2: bytes.insert(contentsOf: other.prefix(random.below(500)), at: at)
            case 3: bytes.removeSubrange(at..<min(bytes.count, at + random.below(60)))
            case 4: bytes = other
            case 5: bytes += random.chance(50) ? bytes : other
            default: setNumber(in: &bytes, after: at, &random)
            }
        }
        return bytes
    }

    /// Replaces the next number by an extreme one.
    private static func setNumber(
        in bytes: inout [UInt8], after start: Int, _ random: inout SplitMix64
    ) {
        let isDigit = { (byte: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
        guard let from = bytes[start...].firstIndex(where: isDigit) else { return }
        let to = bytes[from...].firstIndex { !isDigit($0) } ?? bytes.count
        let number = random.pick([
            "0", "-1", "1", "9223372036854775807", "9223372036854775806", "-9223372036854775808",
            "4611686018427387904", "18446744073709551615", "1e18", "1e400", "99999999999999999999",
            "2147483648", "1125899906842624",
        ])
        bytes.replaceSubrange(from..<to, with: number.utf8)
    }
}
