import Foundation
import StoreTestSupport

/// Passes a temporary folder to `body`, which is removed afterwards.
func withTemporaryFolder<Result>(
    _ body: (URL) async throws -> Result
) async throws -> Result {
    let folder = try TemporaryFolder()
    let result = try await body(URL(filePath: folder.path, directoryHint: .isDirectory))
    return withExtendedLifetime(folder) { result }
}

/// The permission bits of a file or folder.
func permissions(of url: URL) throws -> Int? {
    let attributes = try FileManager.default.attributesOfItem(
        atPath: url.path(percentEncoded: false))
    return (attributes[.posixPermissions] as? NSNumber)?.intValue
}
