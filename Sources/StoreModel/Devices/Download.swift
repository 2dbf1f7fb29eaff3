import Basics

/// The download of one hosted package of a transaction (StoreKit: `SKDownload`). Only `state` says
/// whether it is complete: all bytes may have arrived before they are checked.
package struct Download: Codable, Hashable, Sendable {
    /// The state of a download (StoreKit: `SKDownloadState`).
    package enum State: String, Codable, Sendable, CaseIterable {
        /// `waiting` starts or continues without any action, at the latest at the next launch.
        /// `deleted` was `finished` once; its files are gone and can be downloaded again.
        case waiting, active, paused, finished, failed, cancelled, deleted

        /// Whether the download is over: nothing more happens unless a person starts it again. A
        /// paused download is not over.
        package var isComplete: Bool {
            switch self {
            case .finished, .failed, .cancelled, .deleted: true
            case .waiting, .active, .paused: false
            }
        }
    }

    /// Finished after its downloads.
    package var transactionID: TransactionID
    package var productID: ProductID
    /// Unique within the product.
    package var contentID: String
    /// The version that is being downloaded, or was downloaded; `installedVersion` is on this
    /// device.
    package var version: String
    /// The version whose files are on this device: equal to `version` once the download is
    /// finished, older while an update is downloaded. Nil if there is none.
    package var installedVersion: String?
    /// Bytes of `installedVersion`; nil if there is none. `bytesExpected` counts `version`.
    package var installedBytes: Int64?
    package var state: State
    package var bytesReceived: Int64
    package var bytesExpected: Int64
    /// Whether a running process downloads it, or will without a person's action: its state is
    /// waiting or active, and some process holds the delivery lease. If false, a waiting download
    /// waits for the next launch.
    package var isWorkedOn = false
    /// Bytes a second over the last 5 seconds; nil in the first 0.2 seconds, and while nothing is
    /// fetched.
    package var bytesPerSecond: Double?
    /// Whether the download waits for a person's consent: the device's connection is metered, and
    /// the product's download is large (`DeviceSettings.meteredBytes`).
    package var needsConsent = false
    /// The error of a failed download, or the obstacle that delays it now. `waiting` with an error
    /// is retried without a person's action. `finished` with an error is on disk, but its
    /// transaction could not be finished yet.
    package var error: StoreError?

    /// 0 to 1; 1 for an empty package.
    package var progress: Double {
        bytesExpected == 0 ? 1 : Double(bytesReceived) / Double(bytesExpected)
    }

    /// Unchanged unless it is active.
    package func moved(to progress: [DownloadProgress]) -> Download {
        var moved = self
        for one in progress
        where state == .active && one.productID == productID && one.contentID == contentID {
            moved.bytesReceived = one.bytesReceived
            moved.bytesPerSecond = one.bytesPerSecond
        }
        return moved
    }

    /// Whether the download waits or is active, so that the process that holds the delivery lease
    /// works on it.
    package var isUnderWay: Bool { state == .waiting || state == .active }

    /// Whether a person who names a package of the product means this one: by its identifier, or by
    /// its version. Nil names all packages.
    package func isNamed(_ package: String?) -> Bool {
        package.map { $0 == contentID || $0 == version } ?? true
    }

    /// Of another version that is on this device.
    package var isUpdate: Bool {
        state != .finished && installedVersion.map { $0 != version } ?? false
    }

    /// The download as it was before an update began: finished, in the installed version. The same
    /// value if it is no update.
    package var beforeUpdate: Download {
        guard isUpdate, let installedVersion else { return self }
        let bytes = installedBytes ?? bytesExpected
        var installed = Download(
            transactionID: transactionID, productID: productID, contentID: contentID,
            version: installedVersion, state: .finished, bytesReceived: bytes,
            bytesExpected: bytes)
        installed.installedVersion = installedVersion
        installed.installedBytes = bytes
        return installed
    }

    /// Whether the download failed, is paused, is held up by an error or waits for consent. A
    /// caller that waits for its end may wait for ever.
    package var isStopped: Bool {
        state == .failed || state == .paused || error != nil || needsConsent
    }

    /// Whether the download waits because the disk is full. It continues by itself when there is
    /// room; a person can free some, or cancel the download.
    package var waitsForRoom: Bool { state == .waiting && error?.code == .deviceFull }

    /// Whether the download continues only when a person makes room on the disk, or consents to the
    /// use of a metered connection.
    package var waitsForPerson: Bool { needsConsent || waitsForRoom }

    /// At the current rate; nil while the rate is unknown.
    package var secondsRemaining: Double? {
        guard let rate = bytesPerSecond, rate > 0 else { return nil }
        return Double(bytesExpected.subtractingClamped(bytesReceived)) / rate
    }
}

extension Download {
    package init(
        transactionID: TransactionID, productID: ProductID, contentID: String, version: String,
        state: State, bytesReceived: Int64, bytesExpected: Int64
    ) {
        self.transactionID = transactionID
        self.productID = productID
        self.contentID = contentID
        self.version = version
        self.state = state
        self.bytesReceived = bytesReceived
        self.bytesExpected = bytesExpected
    }
}

/// The bytes of an active download, as they arrive.
package struct DownloadProgress: Hashable, Sendable {
    package var productID: ProductID
    /// Unique within the product.
    package var contentID: String
    /// `Download.bytesReceived`.
    package var bytesReceived: Int64
    /// `Download.bytesPerSecond`.
    package var bytesPerSecond: Double?
}

extension DownloadProgress {
    package init(_ download: Download, bytesReceived: Int64, bytesPerSecond: Double?) {
        productID = download.productID
        contentID = download.contentID
        self.bytesReceived = bytesReceived
        self.bytesPerSecond = bytesPerSecond
    }
}

/// The files of a hosted package with their digests, answered before any bytes are read.
package struct ContentManifest: Codable, Hashable, Sendable {
    /// One file of a package.
    package struct File: Codable, Hashable, Sendable {
        /// Relative to the package, with `/` as separator. The device checks that it does not lead
        /// outside the package's folder.
        package var path: String
        /// In bytes.
        package var length: Int64
        /// SHA-256, lower-case hexadecimal.
        package var sha256: String

        package init(path: String, length: Int64, sha256: String) {
            self.path = path
            self.length = length
            self.sha256 = sha256
        }
    }

    /// Unique within the product.
    package var contentID: String
    /// As the catalog gives it.
    package var version: String
    /// Sorted by the bytes of their paths.
    package var files: [File]
    /// The zip file that holds all files; nil for a package whose files are fetched one by one.
    package var archive: Archive?
    /// The store's signature; nil after it was verified, and in a manifest that is kept.
    package var signed: SignedManifest?

    /// The zip file of a package that is downloaded as one file.
    package struct Archive: Codable, Hashable, Sendable {
        /// In bytes.
        package var length: Int64
        /// SHA-256, lower-case hexadecimal.
        package var sha256: String

        package init(length: Int64, sha256: String) {
            self.length = length
            self.sha256 = sha256
        }

        /// A device asks by it for the bytes of the zip file.
        package static let path = "package.zip"
    }

    package init(
        contentID: String, version: String, files: [File], archive: Archive? = nil,
        signed: SignedManifest? = nil
    ) {
        self.contentID = contentID
        self.version = version
        self.files = files
        self.archive = archive
        self.signed = signed
    }

    /// All of the package, or the one archive that holds them.
    package var fetched: [File] {
        guard let archive else { return files }
        return [File(path: Archive.path, length: archive.length, sha256: archive.sha256)]
    }

    /// Bytes that a device fetches.
    package var length: Int64 { archive?.length ?? unpackedLength }
    /// Bytes of all files; the nearest integer where the sum is no `Int64`.
    package var unpackedLength: Int64 { files.reduce(0) { $0.addingClamped($1.length) } }

    /// The most bytes of a package, packed and unpacked together: far more than any disk holds, and
    /// few enough for sums over all packages of a device.
    package static let bytesMax: Int64 = 1 << 50

    /// Whether no length is negative and all of them together are at most `bytesMax`. Lengths come
    /// from apps' own servers, which may send any number.
    package var hasPossibleLengths: Bool {
        let lengths = files.map(\.length) + [archive?.length ?? 0]
        return lengths.allSatisfy { $0 >= 0 }
            && lengths.reduce(0) { $0.addingClamped($1) } <= Self.bytesMax
    }
}

/// The text of a manifest that the store signs. Untrusted: the type does not prove a signature.
package struct ManifestPayload: Codable, Hashable, Sendable {
    package var bundleId: String
    /// Unique within the product.
    package var contentId: String
    /// Bytes to download.
    package var contentLength: Int64
    package var contentVersion: String
    package var environment: StoreEnvironment
    /// SHA-256 of the manifest (`ManifestDigest`), lower-case hexadecimal.
    package var manifestSha256: String
    package var productId: ProductID
    package var signedDate: Timestamp
}

extension ManifestPayload {
    package init(
        of manifest: ContentManifest, sha256: String, product: ProductID, identity: AppIdentity,
        at date: Timestamp
    ) {
        bundleId = identity.bundleID
        contentId = manifest.contentID
        contentLength = manifest.length
        contentVersion = manifest.version
        environment = identity.environment
        manifestSha256 = sha256
        productId = product
        signedDate = date
    }
}

/// A newer version of downloaded content, which the store offers.
package struct ContentUpdate: Codable, Hashable, Sendable {
    package var productID: ProductID
    /// Unique within the product.
    package var contentID: String
    package var installedVersion: String
    package var offeredVersion: String
    /// Bytes to download.
    package var length: Int64

    /// - Parameter installed: the version of each package on this device, by the package's
    ///   identifier.
    package static func available(of product: Product, installed: [String: String])
        -> [ContentUpdate]
    {
        product.hostedContent.compactMap { content in
            guard let version = installed[content.id],
                ContentVersion.isNewer(content.version, than: version)
            else { return nil }
            return ContentUpdate(
                productID: product.id, contentID: content.id, installedVersion: version,
                offeredVersion: content.version, length: content.length)
        }
    }
}
