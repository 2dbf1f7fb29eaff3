#if os(Linux)
public import Foundation
import StoreModel
import Synchronization

/// The state of a download.
@frozen public enum SKDownloadState: Int, Sendable {
    /// It was not started, or waits for others.
    case waiting = 0
    /// Bytes arrive.
    case active
    /// Stopped by the app.
    case paused
    /// Its content is on this device.
    case finished
    /// It will not continue by itself.
    case failed
    /// Given up by the app.
    case cancelled
}

/// `SKDownload.timeRemaining` while nothing is known of it.
public let SKDownloadTimeRemainingUnknown: TimeInterval = -1

// `@unchecked Sendable`: as `SKProduct`; what changes is in mutexes.
/// The download of one package of a product's hosted content. It changes as the download goes on.
open class SKDownload: NSObject, @unchecked Sendable {
    /// The content to download, and the transaction that it belongs to.
    struct Source: Sendable {
        let content: HostedContent
        let productID: ProductID
        let transaction: QueuedTransaction
    }

    private struct Status: Equatable {
        var state = SKDownloadState.waiting
        var received: Int64 = 0
        var expected: Int64?
        var remaining: TimeInterval?
        var error: SKError?
        var place: URL?
    }

    private(set) var source: Source?
    private let status = Mutex(Status())
    private let started = Mutex(false)

    /// Of no content: for the subclasses of tests.
    public override init() { super.init() }

    convenience init(_ source: Source) {
        self.init()
        self.source = source
    }

    /// Whether it waits, runs, or is over.
    open var state: SKDownloadState { status.withLock { $0.state } }
    /// As `state`.
    open var downloadState: SKDownloadState { state }
    /// Of the package.
    open var contentIdentifier: String { source?.content.id ?? "" }
    /// Of the package.
    open var contentVersion: String { source?.content.version ?? "" }
    /// Bytes to download.
    open var expectedContentLength: Int64 {
        status.withLock { $0.expected } ?? source?.content.length ?? 0
    }
    /// As `expectedContentLength`.
    open var contentLength: Int64 { expectedContentLength }
    /// The finished package's folder, with `ContentInfo.plist` and `Contents`; nil before.
    open var contentURL: URL? { status.withLock { $0.place } }
    /// 0 to 1.
    open var progress: Float {
        if state == .finished { return 1 }
        let expected = expectedContentLength
        return expected > 0 ? Float(status.withLock { $0.received }) / Float(expected) : 0
    }
    /// Seconds at the present speed, or `SKDownloadTimeRemainingUnknown`.
    open var timeRemaining: TimeInterval {
        status.withLock { $0.remaining } ?? SKDownloadTimeRemainingUnknown
    }
    /// Why it failed; nil in every other state. An `SKError`.
    open var error: (any Error)? { status.withLock { $0.error } }
    /// Of the product.
    open var transaction: SKPaymentTransaction {
        source.map { SKPaymentTransaction($0.transaction) } ?? SKPaymentTransaction()
    }

    var isStarted: Bool { started.withLock { $0 } }

    func start() { started.withLock { $0 = true } }

    func isSame(as download: Download) -> Bool {
        source?.productID == download.productID && source?.content.id == download.contentID
    }

    /// Returns whether the device's download has changed it.
    func update(_ download: Download, at place: URL?) -> Bool {
        change { status in
            // The app has moved what a finished download has brought, as Apple's guide asks it to.
            if status.state == .finished, download.state == .deleted { return }
            status.state =
                switch download.state {
                case .waiting: .waiting
                case .active: .active
                case .paused: .paused
                case .finished: .finished
                case .failed: .failed
                case .cancelled, .deleted: .cancelled
                }
            status.received = download.bytesReceived
            status.expected = download.bytesExpected
            status.remaining = download.secondsRemaining
            status.error = download.state == .failed ? download.error.map { SKError($0) } : nil
            status.place = place
        }
    }

    /// Returns whether it was not over in this way before.
    func end(_ state: SKDownloadState, _ error: SKError? = nil) -> Bool {
        change { status in
            status.state = state
            status.error = error
        }
    }

    private func change(_ body: (inout Status) -> Void) -> Bool {
        status.withLock { status in
            let before = status
            body(&status)
            return status != before
        }
    }
}
#endif
