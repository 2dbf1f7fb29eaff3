import Basics
import Crypto

/// Reads catalog files of this program and of Xcode; a file's contents decide which of them it is.
package enum CatalogReader {
    /// Takes a file, or a folder `X.storekit` that holds a `Configuration.storekit`. Never throws.
    /// The result lists all problems; for a file that is not JSON, not UTF-8 or of an unknown
    /// format, only the first.
    package static func read(path: String) -> CatalogReading {
        switch CatalogFile.open(path) {
        case .failure(let unreadable):
            return CatalogReading(
                path: unreadable.path, problems: [unreadable.problem], sourceDigest: "")
        case .success(let file):
            return read(file)
        }
    }

    private static func read(_ file: CatalogFile) -> CatalogReading {
        var reading = CatalogReading(
            path: file.path, problems: [], sourceDigest: HexText.of(SHA256.hash(data: file.bytes)))
        switch document(of: file.bytes) {
        case .failure(let unreadable): reading.problems = [unreadable.problem]
        case .success(let document):
            read(document, of: file, into: &reading)
            if reading.catalog != nil {
                let source = CatalogSource.withoutPrivateKeys(document)
                reading.source = source ?? file.bytes
                reading.catalog?.hadPrivateKey = source == nil ? nil : true
            }
        }
        return reading
    }

    /// The first problem of what is not JSON in UTF-8.
    struct NotJSON: Error {
        var problem: CatalogProblem
    }

    static func document(
        of bytes: [UInt8], wanted: String = "a catalog, or a StoreKit configuration"
    ) -> Result<JSONDocument, NotJSON> {
        if let problem = CatalogFile.problemWithNotation(of: bytes, wanted: wanted) {
            return .failure(NotJSON(problem: problem))
        }
        do {
            let document = try JSONParser.parse(bytes)
            if let problem = CatalogFile.problemWithEncoding(of: bytes) {
                return .failure(NotJSON(problem: problem))
            }
            return .success(document)
        } catch {
            let encoding = CatalogFile.problemWithEncoding(of: bytes, before: error.offset)
            return .failure(NotJSON(problem: encoding ?? problem(error, in: bytes)))
        }
    }

    private static func read(
        _ document: JSONDocument, of file: CatalogFile, into reading: inout CatalogReading
    ) {
        let root = document.root
        guard root.kind == .object else {
            reading.problems = [
                CatalogProblem(
                    severity: .error, code: .unknownFormat, line: 1, found: root.inWords,
                    expected: "an object: a catalog, or a StoreKit configuration")
            ]
            return
        }
        let isStoreKit =
            root.member("format") == nil
            && (root.member("version")?.kind == .object || file.path.hasSuffix(".storekit"))
        if isStoreKit {
            var reader = StoreKitFileReader(document: document, file: file)
            reader.read(into: &reading)
        } else if root.member("format") != nil || root.member("app") != nil {
            var reader = NativeCatalogReader(document: document, path: file.path)
            reader.read(into: &reading)
        } else {
            reading.problems = [
                CatalogProblem(
                    severity: .error, code: .unknownFormat, line: 1,
                    found: "neither `format` nor `version`",
                    expected: "a catalog (`\"format\": 1`) or a StoreKit configuration",
                    suggestion: "\"format\": 1")
            ]
        }
    }

    private static func problem(_ error: JSONSyntaxError, in bytes: [UInt8]) -> CatalogProblem {
        let position = JSONSourceMap.position(of: error.offset, in: bytes)
        return CatalogProblem(
            severity: .error, code: .notJSON, line: position.line, column: position.column,
            found: error.found, expected: error.expected)
    }
}
