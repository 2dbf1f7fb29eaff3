import Basics
import Foundation
import StoreModel

extension NativeCatalogReader {
    private static let kinds = ["embedded", "hosted", "ownServer"]

    mutating func readDelivery(_ value: JSONValue?, _ type: ProductType?) -> CatalogDelivery {
        guard let value,
            let members = problems.members(
                of: value, NativeKeys.Delivery.self, required: [.kind]),
            let node = members[.kind], let kind = problems.text(node)
        else { return .embedded }
        guard Self.kinds.contains(kind) else {
            problems.defect(
                at: node, expected: "one of \(Self.kinds.joined(separator: ", "))",
                suggestion: SpellingSuggestion.nearest(to: kind, among: Self.kinds))
            return .embedded
        }
        if let url = members[.url], kind != "ownServer" {
            problems.defect(
                at: url, code: .misplaced, expected: "no url: only ownServer delivery has one")
        }
        switch kind {
        case "hosted":
            if let type, type != .nonConsumable {
                problems.defect(
                    at: node, code: .misplaced,
                    expected: "embedded or ownServer: the store hosts only for nonConsumable")
            }
            return .hosted(readPackages(members[.packages], of: value))
        case "ownServer":
            if let packages = members[.packages], let type, type != .nonConsumable {
                problems.defect(
                    at: packages, code: .misplaced,
                    expected: "no packages: only a nonConsumable is downloaded")
            }
            return readOwnServer(members[.url], members[.packages], of: value)
        default:
            return .embedded
        }
    }

    /// The packages that are part of the app; nil if the file names none, and for other kinds.
    mutating func readEmbedded(
        _ delivery: JSONValue?, _ type: ProductType?
    ) -> [CatalogDelivery.Package]? {
        guard let delivery, let kind = delivery.member("kind"), kind.isText,
            kind.text == "embedded", let packages = delivery.member("packages")
        else { return nil }
        guard type == .nonConsumable else {
            problems.defect(
                at: packages, code: .misplaced,
                expected: "no packages: only a nonConsumable opens content for good")
            return nil
        }
        for path in packages.elements.compactMap({ $0.member("path") })
        where path.isText && content?.isFile(path.text) == true {
            problems.defect(
                at: path, code: .missingContent, found: "\(path.inWords): a file",
                expected: "a folder: the app reads its own content where it is")
        }
        return readPackages(packages, of: delivery)
    }

    private mutating func readOwnServer(
        _ value: JSONValue?, _ packages: JSONValue?, of owner: JSONValue
    ) -> CatalogDelivery {
        let packages = packages.map { readPackages($0, of: owner) }
        guard let value else {
            problems.defect(at: owner, missing: "url", expected: "the server's `url`")
            return .embedded
        }
        guard let text = problems.text(value) else { return .embedded }
        let url = URLComponents(string: text)
        let isWeb = ["http", "https"].contains(url?.scheme?.lowercased())
        guard isWeb, let host = url?.host, !host.isEmpty, text.utf8.count <= 2048,
            UntrustedText.isPlain(text)
        else {
            problems.defect(
                at: value,
                expected: "an http or https address, such as http://127.0.0.1:8090/atlas")
            return .embedded
        }
        // Without packages only the app uses this address: no device downloads from it.
        if packages != nil, ReachableAddress(text) == nil {
            problems.warn(
                at: value, code: .unreachableServer,
                expected:
                    "http and this machine, as in http://127.0.0.1:8090/atlas: devices download "
                    + "from nowhere else")
        }
        return .ownServer(url: text, packages: packages)
    }

    private mutating func readPackages(
        _ value: JSONValue?, of owner: JSONValue
    ) -> [CatalogDelivery.Package] {
        guard let value else {
            problems.defect(at: owner, missing: "packages", expected: "`packages` to download")
            return []
        }
        let elements = problems.elements(value)
        if value.kind == .array, elements.isEmpty {
            problems.defect(
                at: value, code: .missingContent, found: "no packages",
                expected: "at least one package")
        }
        var packages: [CatalogDelivery.Package] = []
        var firstNodes: [String: Int] = [:]
        for element in elements {
            if let package = readPackage(element, &firstNodes) { packages.append(package) }
        }
        return packages
    }

    private mutating func readPackage(
        _ value: JSONValue, _ firstNodes: inout [String: Int]
    ) -> CatalogDelivery.Package? {
        guard
            let members = problems.members(
                of: value, NativeKeys.Package.self, required: [.id, .version, .path])
        else { return nil }
        let id = problems.identifier(members[.id])
        let version = problems.identifier(members[.version])
        if let node = members[.id], let id {
            problems.isFirst(
                id, at: node, in: &firstNodes, expected: "a package identifier of its own")
        }
        guard let node = members[.path], let path = problems.text(node), let id, let version
        else { return nil }
        var package = CatalogDelivery.Package(id: id, version: version, path: path)
        package.cost = members[.cost].flatMap { readAmount($0) }
        return isOnDisk(package, at: node) ? package : nil
    }

    /// A missing folder is reported once, not for every package.
    private mutating func contentFolderOnDisk() -> HostedContentFolder? {
        if let content, content.exists { return content }
        guard !isContentFolderReported else { return nil }
        isContentFolderReported = true
        if let node = document.root.member("content"), content != nil {
            problems.defect(
                at: node, code: .missingContent, found: "\(node.inWords): no such folder",
                expected: "the folder with the hosted packages")
        } else if document.root.member("content") == nil {
            problems.defect(
                at: document.root, code: .missingContent, missing: "content",
                expected: "the folder with the hosted packages")
        }
        return nil
    }

    /// Reports a defect if not.
    mutating func isOnDisk(_ content: CatalogDelivery.Package, at node: JSONValue) -> Bool {
        guard let folder = contentFolderOnDisk() else { return false }
        do throws(StoreError) {
            _ = try folder.length(of: content)
            return true
        } catch {
            problems.defect(
                at: node, code: .missingContent,
                found: "\(node.inWords): \(error.found?.text ?? "no content")",
                expected: error.expected?.text ?? "a file or folder of the content folder")
            return false
        }
    }
}
