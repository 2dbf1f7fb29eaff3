import Foundation

/// Creates a temporary folder, passes it to `body` and removes it afterwards.
func withTemporaryFolder<Result>(
    _ body: (URL) async throws -> Result
) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory
        .appending(path: "storefront-signing-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
}

/// The permission bits of a file or folder.
func permissions(of url: URL) throws -> Int? {
    let attributes = try FileManager.default.attributesOfItem(
        atPath: url.path(percentEncoded: false))
    return (attributes[.posixPermissions] as? NSNumber)?.intValue
}
