import Foundation
import NIOCore
import NIOHTTP1
import StoreModel
import Synchronization

/// The packages of one product on the app's own server. It reads ahead, in few requests, each for a
/// known range of a known file. An answer with other bytes is an error and never becomes part of a
/// file.
final class HTTPContentSource: ContentSource {
    private let url: String
    private let patience: Duration
    private let proof: @Sendable () async throws(StoreError) -> PurchaseProof

    private struct Ahead {
        var path: String
        var offset: Int64
        var bytes: ByteBuffer
    }
    private struct State {
        var connection: HTTPConnection?
        var proof: PurchaseProof?
        /// Of the last manifest, by path.
        var files: [String: ContentManifest.File] = [:]
        var ahead: Ahead?
        /// The end of the last read. A read that continues there may read ahead.
        var end: (path: String, offset: Int64)?
    }
    private let state = Mutex(State())

    /// One of 20,000 files with long paths has 8 MB.
    static let manifestBytesMax = 16 << 20
    static let problemBytesMax = 64 << 10
    /// For one request.
    static let rangeBytesMax = 1 << 20
    /// The bytes of one request, as a multiple of the bytes that the device asks for. A small
    /// number, so that the server's count of sent bytes is never far ahead of a slow device.
    static let readAhead = 16

    init(
        url: String, patience: Duration,
        proof: @escaping @Sendable () async throws(StoreError) -> PurchaseProof
    ) {
        self.url = url
        self.patience = patience
        self.proof = proof
    }

    func contentManifest(product: ProductID, contentID: String) async throws(StoreError)
        -> ContentManifest
    {
        let address = try ServerAddress(url)
        let shown = try await proof()
        state.withLock { state in
            state.proof = shown
            state.ahead = nil
            state.files = [:]
        }
        let answer = try await get(
            address.target([contentID, "manifest"]), address, [], bytesMax: Self.manifestBytesMax)
        try check(answer, address, expecting: .ok)
        guard
            let manifest = try? JSONDecoder().decode(
                ContentManifest.self, from: Data(answer.body.readableBytesView))
        else { throw StoreError(.wrongAnswer, address: address.host) }
        guard manifest.contentID == contentID else {
            throw StoreError(
                .contentMismatch, productID: product, subject: "manifest",
                found: manifest.contentID, expected: contentID)
        }
        state.withLock { state in
            state.files = Dictionary(
                manifest.fetched.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        }
        return manifest
    }

    func contentBytes(
        product: ProductID, contentID: String, path: String, offset: Int64, count: Int
    ) async throws(StoreError) -> Data {
        if let bytes = taken(path, offset, count) { return bytes }
        guard let file = state.withLock({ $0.files[path] }), offset < file.length, count > 0 else {
            return Data()
        }
        let address = try ServerAddress(url)
        let goesOn = state.withLock { $0.end.map { $0 == (path, offset) } ?? false }
        let asked = min(
            Int64(goesOn ? min(count * Self.readAhead, Self.rangeBytesMax) : count),
            Int64(Self.rangeBytesMax), file.length - offset)
        let tag = "\"\(file.sha256)\""
        let answer = try await get(
            address.target([contentID, "files"] + path.split(separator: "/").map(String.init)),
            address, [("Range", "bytes=\(offset)-\(offset + asked - 1)"), ("If-Match", tag)],
            bytesMax: max(Int(asked), Self.problemBytesMax))
        if answer.head.status == .preconditionFailed || answer.head.status == .rangeNotSatisfiable {
            // The package was replaced: the device fetches its manifest and starts again.
            throw StoreError(
                .contentMismatch, productID: product, subject: path,
                found: answer.head.headers.first(name: "etag"), expected: file.sha256)
        }
        let isWhole = answer.head.status == .ok && offset == 0 && asked == file.length
        try check(answer, address, expecting: isWhole ? .ok : .partialContent)
        if let other = answer.head.headers.first(name: "etag"), other != tag {
            throw StoreError(
                .contentMismatch, productID: product, subject: path, found: other,
                expected: file.sha256)
        }
        let range = "bytes \(offset)-\(offset + asked - 1)/\(file.length)"
        guard isWhole || answer.head.headers.first(name: "content-range") == range else {
            throw StoreError(
                .wrongRange, address: address.host,
                cause: answer.head.headers.first(name: "content-range").map {
                    String($0.prefix(100))
                })
        }
        guard Int64(answer.body.readableBytes) == asked else {
            throw StoreError(
                Int64(answer.body.readableBytes) < asked ? .wrongLength : .tooMuch,
                address: address.host)
        }
        state.withLock { $0.ahead = Ahead(path: path, offset: offset, bytes: answer.body) }
        return taken(path, offset, count) ?? Data()
    }

    /// Read ahead by an earlier request; nil if there are none at this place.
    private func taken(_ path: String, _ offset: Int64, _ count: Int) -> Data? {
        state.withLock { state in
            guard var ahead = state.ahead, ahead.path == path, ahead.offset == offset,
                let bytes = ahead.bytes.readBytes(
                    length: min(count, ahead.bytes.readableBytes)), !bytes.isEmpty
            else {
                state.ahead = nil
                return nil
            }
            ahead.offset += Int64(bytes.count)
            state.ahead = ahead
            state.end = (path, ahead.offset)
            return Data(bytes)
        }
    }

    // MARK: - Requests

    private func get(
        _ target: String, _ address: ServerAddress, _ fields: [(String, String)], bytesMax: Int
    ) async throws(StoreError) -> HTTPAnswer {
        let (connection, proof) = state.withLock { state in
            let connection = state.connection ?? HTTPConnection(address, patience: patience)
            state.connection = connection
            return (connection, state.proof)
        }
        var fields = fields
        if let proof {
            fields.append(("Authorization", "Bearer \(proof.signed)"))
            fields.append(("Device-Identifier", proof.device.uuidString.lowercased()))
        }
        do throws(ContentServerFailure) {
            return try await connection.ask(target, fields, bytesMax: bytesMax)
        } catch { throw StoreError(error, address: address.host) }
    }

    /// A server's explanation of a refusal.
    private struct Problem: Decodable { var code: String }

    private func check(
        _ answer: HTTPAnswer, _ address: ServerAddress, expecting status: HTTPResponseStatus
    ) throws(StoreError) {
        let found = answer.head.status
        guard found != status else { return }
        switch found.code {
        case 200, 206: throw StoreError(.wrongRange, address: address.host, cause: "\(found.code)")
        case 300..<400:
            throw StoreError(.redirected, address: address.host)
        case 401, 403:
            let body = Data(answer.body.readableBytesView)
            guard let problem = try? JSONDecoder().decode(Problem.self, from: body),
                let refusal = ContentRefusal(rawValue: problem.code)
            else { throw StoreError(.contentRefused, subject: address.host) }
            throw StoreError(refusal, address: address.host)
        case 404, 410: throw StoreError(.contentUnavailable, subject: address.host)
        case 500..<600:
            throw StoreError(.serverError, address: address.host, cause: "\(found.code)")
        default: throw StoreError(.wrongAnswer, address: address.host, cause: "\(found.code)")
        }
    }
}
