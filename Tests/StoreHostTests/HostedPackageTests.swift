import ContentPackages
import Foundation
@testable import StoreCatalog
import StoreDevice
import StoreHost
import StoreModel
import Testing

/// Packages that are hosted from files, and the content that devices download.
@Suite(.timeLimit(.minutes(5))) struct HostedPackageTests {
    private static let book: ProductID = "front.book"
    private static let novel: ProductID = "front.novel"
    private static let embedded: ProductID = "front.plain"
    private let folder: PackageFolder

    init() throws { folder = try PackageFolder() }

    private func catalog(version: String = "1.0") -> Catalog {
        folder.catalog([
            .hosted(Self.book, at: "book", version: version),
            CatalogProduct(Self.novel, .embedded), CatalogProduct(Self.embedded, .embedded),
            CatalogProduct("front.coins", .embedded, type: .consumable),
            CatalogProduct(
                "front.charts",
                .ownServer(
                    url: "http://127.0.0.1:1/",
                    packages: [.init(id: "text", version: "1.0", path: "book")])),
            CatalogProduct(
                "front.two",
                .hosted([
                    .init(id: "text", version: "1.0", path: "book"),
                    .init(id: "pictures", version: "1.0", path: "book"),
                ])),
        ])
    }

    private func open(
        _ catalog: Catalog? = nil, digest: String = "one",
        environment: StoreEnvironment = .sandbox
    ) async throws -> StoreHost {
        try await folder.open(
            catalog ?? self.catalog(), digest: digest, environment: environment)
    }

    private func pack(
        _ text: String, _ version: String, product: ProductID = book, content: String? = nil
    ) throws -> String {
        let source = folder.path + "/source-\(UUID().uuidString)"
        try folder.write(text, to: source + "/part/one.txt")
        try folder.write("", to: source + "/empty.txt")
        let output = source + ".zip"
        let info = ContentInfo(
            productID: product, version: try #require(ContentVersion(version)), contentID: content)
        _ = try PackagePacker.pack(source, as: info, to: output)
        return output
    }

    private func approve(_ release: PackageRelease, in host: StoreHost) async throws {
        _ = try await host.storeOperator.perform(.package(.set(release, .approved)))
    }

    private func offered(_ product: ProductID, by host: StoreHost) async throws -> HostedContent? {
        let session = host.session(account: "aoi", device: "phone", locale: "en_US")
        return try await session.products([product]).products.first?.hostedContent.first
    }

    @Test(
        "a package is offered once approved, with its length, and downloaded in its form [E2, E7]"
    )
    func approved() async throws {
        let host = try await open()
        let path = try pack("new text", "1.1")
        let hosted = try await host.hostPackage(at: path)
        #expect(hosted.release.state == .uploaded)
        #expect(hosted.release.contentID == "text")
        #expect(try await offered(Self.book, by: host)?.version == "1.0")
        try await approve(hosted.release, in: host)
        let content = try #require(try await offered(Self.book, by: host))
        #expect(content.version == "1.1")
        #expect(content.sha256 == hosted.release.sha256)
        let bytes = try Data(contentsOf: URL(filePath: path))
        #expect(content.length == Int64(bytes.count))
        #expect(content.unpackedLength == 8)

        let device = try await host.buy(Self.book)
        let download = try #require(try await device.downloads().first)
        #expect(download.state == .finished && download.version == "1.1")
        #expect(download.bytesReceived == content.length)
        let place = try #require(try await device.contentPath(of: Self.book, contentID: "text"))
        var files = try folder.files(of: place)
        let own = files.removeValue(forKey: ContentInfo.fileName)
        let info = try #require(own)
        #expect(
            info == ContentInfo.plist(of: Self.book, contentID: nil, version: "1.1"),
            "the package's own")
        #expect(files == ["Contents/empty.txt": "", "Contents/part/one.txt": "new text"])
        let partial = try folder.files(of: folder.path + "/store/devices/phone/aoi/partial")
        #expect(Array(partial.keys) == ["CACHEDIR.TAG"])
        await device.close()
    }

    @Test("the states are walked one by one; in test is for every environment but production [B8]")
    func states() async throws {
        for environment in [StoreEnvironment.sandbox, .production] {
            try? FileManager.default.removeItem(atPath: folder.path + "/store")
            let host = try await open(environment: environment)
            let release = try await host.hostPackage(at: try pack("new", "1.1")).release
            for state in PackageState.allCases.dropFirst() {
                let events = try await host.storeOperator.perform(
                    .package(.set(release, state)))
                #expect(events.count == 1)
                #expect(try await host.packageReleases().map(\.state) == [state])
                let isOffered =
                    state == .approved || (state == .inTest && environment == .sandbox)
                #expect(
                    try await offered(Self.book, by: host)?.version == (isOffered ? "1.1" : "1.0"),
                    "\(state) in \(environment)")
            }
            let again = try await host.storeOperator.perform(
                .package(.set(release, .approved)))
            #expect(again.isEmpty)
        }
    }

    @Test("a package that does not agree with the store is refused, and leaves no file [E1]")
    func refused() async throws {
        let host = try await open()
        let package = try pack("new", "1.5")
        let first = try await host.hostPackage(at: package).release
        // Hosting the same package again changes nothing.
        #expect(try await host.hostPackage(at: package).release == first)
        #expect(try await host.packageReleases() == [first])
        let refusals: [(String, ProductID, String?, StoreError.Code, String?)] = [
            ("1.5", Self.book, nil, .packageNotHostable, "version"),
            ("1.5.0", Self.book, nil, .packageNotHostable, "version"),
            ("1.4", Self.book, nil, .packageNotHostable, "version"),
            ("0.9", "front.two", "text", .packageNotHostable, "version"),
            ("2.0", Self.book, "pictures", .packageNotHostable, "package"),
            ("2.0", "front.two", nil, .packageNotHostable, "package"),
            ("2.0", "front.coins", nil, .packageNotHostable, "type"),
            ("2.0", "front.charts", "pictures", .packageNotHostable, "package"),
            ("2.0", "front.nothing", nil, .productUnavailable, "content"),
        ]
        for (version, product, content, code, subject) in refusals {
            let path = try pack("other", version, product: product, content: content)
            let error = await #expect(throws: StoreError.self) {
                try await host.hostPackage(at: path)
            }
            #expect(error?.code == code && error?.subject == subject, "\(product) \(version)")
        }
        let bad = folder.path + "/bad.zip"
        try folder.write("no zip", to: bad)
        let error = await #expect(throws: StoreError.self) { try await host.hostPackage(at: bad) }
        #expect(error?.code == .packageInvalid)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path + "/store/packages")
                .sorted() == [first.sha256 + ".zip", "lock"].sorted())
        // None of the refused packages has become a release.
        #expect(try await host.packageReleases() == [first])
    }

    @Test("hosting is never taken from a sold product, and never given to one sold without [B8]")
    func sold() async throws {
        let host = try await open()
        let release = try await host.hostPackage(
            at: try pack("a novel", "1.0", product: Self.novel)
        )
        .release
        #expect(release.contentID == "content")
        try await approve(release, in: host)
        await (try host.buy(Self.novel)).close()
        for state in [PackageState.uploaded, .ready, .validated] {
            let error = await #expect(throws: StoreError.self) {
                try await host.storeOperator.perform(.package(.set(release, state)))
            }
            #expect(error?.code == .packageNotHostable && error?.subject == "lastPackage")
        }
        // A product that was sold without hosted content cannot get any later.
        await (try host.buy(Self.embedded)).close()
        let late = await #expect(throws: StoreError.self) {
            try await host.hostPackage(at: try pack("late", "1.0", product: Self.embedded))
        }
        #expect(late?.code == .packageNotHostable && late?.subject == "soldWithoutHosting")
        // Once a second version is approved, the first may go back to `uploaded`.
        let second = try await host.hostPackage(at: try pack("more", "1.1", product: Self.novel))
            .release
        try await approve(second, in: host)
        _ = try await host.storeOperator.perform(.package(.set(release, .uploaded)))
        #expect(try await offered(Self.novel, by: host)?.version == "1.1")
    }

    @Test("releases stay when the catalog is revised; the greater version is offered")
    func revised() async throws {
        let release = try await open().hostPackage(at: try pack("new", "1.1")).release
        var host = try await open()
        try await approve(release, in: host)
        host = try await open(catalog(version: "1.0.5"), digest: "two")
        #expect(try await offered(Self.book, by: host)?.version == "1.1")
        host = try await open(catalog(version: "1.2"), digest: "three")
        #expect(try await offered(Self.book, by: host)?.version == "1.2")
        #expect(try await host.packageReleases().map(\.version.text) == ["1.1"])
    }

    @Test("manifests are made once for each revision, and again where a folder could not be read")
    func manifestsOnceARevision() async throws {
        let host = try await open()
        #expect(await host.makeManifests())
        #expect(await !host.makeManifests())
        // Hosting a package makes a new catalog revision.
        _ = try await host.hostPackage(at: try pack("new", "1.1"))
        #expect(await host.makeManifests())
        #expect(await !host.makeManifests())
        let book = folder.path + "/Content/book"
        try FileManager.default.moveItem(atPath: book, toPath: book + ".away")
        _ = try await host.hostPackage(at: try pack("newer", "1.2"))
        for _ in 0..<2 { #expect(await host.makeManifests()) }
        try FileManager.default.moveItem(atPath: book + ".away", toPath: book)
        #expect(await host.makeManifests())
        #expect(await !host.makeManifests())
    }

    @Test("what a killed process left is removed by the next one that hosts a package")
    func leftovers() async throws {
        let host = try await open()
        let release = try await host.hostPackage(at: try pack("new", "1.1")).release
        let packages = folder.path + "/store/packages"
        for name in ["incoming", String(repeating: "0", count: 64) + ".zip"] {
            try folder.write("left", to: packages + "/" + name)
        }
        _ = try await host.hostPackage(at: try pack("newer", "1.2"))
        let left = try FileManager.default.contentsOfDirectory(atPath: packages)
        #expect(left.count == 3 && left.contains(release.sha256 + ".zip"))
    }

    @Test("a package whose file was changed in the store is no content on any device")
    func changedFile() async throws {
        let host = try await open()
        let release = try await host.hostPackage(at: try pack("new", "1.1")).release
        try await approve(release, in: host)
        let path = folder.path + "/store/packages/\(release.sha256).zip"
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: URL(filePath: path))
        let device = try await host.device(account: "aoi", name: "phone", locale: "en_US")
        try await device.launch()
        try await host.buy(Self.book, on: device)
        for await _ in device.downloadWakes() {
            guard let download = try await device.downloads().first,
                download.state == .failed
            else { continue }
            #expect(download.error?.code == .contentMismatch)
            break
        }
        #expect(try await device.contentPath(of: Self.book, contentID: "text") == nil)
        await device.close()
    }

    @Test("the manifest of a folder is made once, and again when a file changed")
    func keptManifest() async throws {
        func manifest() async throws -> ContentManifest {
            let host = try await open()
            await (try await host.buy(Self.book)).close()
            return try await host.session(account: "aoi", device: "phone", locale: "en_US")
                .contentManifest(product: Self.book, contentID: "text")
        }
        let first = try await manifest()
        let kept = folder.path + "/store/packages/manifests"
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: kept).first)
        let inode = try FileManager.default.attributesOfItem(atPath: kept + "/" + name)[
            .systemFileNumber]
        let second = try await manifest()
        #expect(second.files == first.files && second.signed != nil)
        let after = try FileManager.default.attributesOfItem(atPath: kept + "/" + name)[
            .systemFileNumber]
        #expect(inode as? UInt64 == after as? UInt64)
        try folder.write("OLD TEXT", to: folder.path + "/Content/book/part/one.txt")
        #expect(try await manifest().files.map(\.sha256) != first.files.map(\.sha256))
    }

    @Test("a download that stopped in the middle goes on at its byte")
    func resumed() async throws {
        let host = try await open()
        let text = (0..<20_000).map { String($0 &* 7919) }.joined()
        let release = try await host.hostPackage(at: try pack(text, "1.1")).release
        try await approve(release, in: host)
        let stopping = try await host.device(
            account: "aoi", name: "phone", locale: "en_US", speed: .stopsAt(percent: 50))
        try await stopping.launch()
        try await host.buy(Self.book, on: stopping)
        let half = StoppingPacer.bytes(percent: 50, of: release.length)
        let partial =
            folder.path + "/store/devices/phone/aoi/partial/\(Self.book)/text/files/package.zip"
        for await _ in stopping.downloadWakes() {
            if try await stopping.downloads().first?.bytesReceived == half { break }
        }
        await stopping.close()
        let before = try FileManager.default.attributesOfItem(atPath: partial)
        #expect((before[.size] as? NSNumber)?.int64Value == half)
        let device = try await host.device(account: "aoi", name: "phone", locale: "en_US")
        try await device.launch()
        for await _ in device.downloadWakes() {
            if try await device.downloads().first?.state == .finished { break }
        }
        let place = try #require(try await device.contentPath(of: Self.book, contentID: "text"))
        #expect(try folder.files(of: place)["Contents/part/one.txt"] == text)
        await device.close()
    }
}

extension PackageAction {
    static func set(_ release: PackageRelease, _ state: PackageState) -> PackageAction {
        .setState(
            release.productID, contentID: release.contentID, version: release.version, state)
    }
}
