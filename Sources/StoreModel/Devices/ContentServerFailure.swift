/// The way in which an app's own server failed: the `found` of an error with the code
/// `contentServerFailed`. With none of these failures does a wrong file reach a device.
package enum ContentServerFailure: String, Codable, CaseIterable, Sendable {
    /// The device refuses the catalog's address: it is not http, or not on this machine.
    case addressRefused
    /// No program listens at the address, or the connection fails.
    case unreachable
    case connectionLost
    /// No data arrived for too long.
    case stalled
    /// The server answers with a redirect. The device never follows one.
    case redirected
    /// The server answers with another byte range than the requested one.
    case wrongRange
    /// The answer has fewer bytes than it announces, or another length than the manifest gives.
    case wrongLength
    /// More bytes than requested.
    case tooMuch
    case wrongAnswer
    case serverError
    /// The server itself reports that the port to listen on belongs to another program.
    case portTaken
    /// The server itself reports that the address to listen on is none of this machine's.
    case hostRefused
    /// The server itself reports that this user may not listen on the port.
    case portForbidden
    /// The server itself reports that it cannot listen, for any other reason.
    case startFailed

    /// Whether a server could not start here: an app's own one, or the store's.
    package var isOfStart: Bool {
        [.portTaken, .hostRefused, .portForbidden, .startFailed].contains(self)
    }
}

/// The reason for which an app's own server refuses content: the `code` of its answer, and the
/// `found` of an error with the code `contentRefused`.
package enum ContentRefusal: String, Codable, CaseIterable, Sendable {
    case authorizationMissing
    /// The request's authorization is no signed text.
    case notSigned
    case tampered
    /// Another store signed the text.
    case untrusted
    case certificateRevoked
    case wrongApp
    case wrongEnvironment
    /// The text was signed for another account or device.
    case wrongAccount
    case wrongProduct
    /// The store has no such transaction, or it was deleted.
    case unknownTransaction
    case revoked
    /// Of the subscription, or of the receipt.
    case expired
}

extension StoreError {
    package init(_ failure: ContentServerFailure, address: String, cause: String? = nil) {
        self.init(
            .contentServerFailed, subject: address, found: failure.rawValue, cause: cause)
    }

    package init(_ refusal: ContentRefusal, address: String) {
        self.init(.contentRefused, subject: address, found: refusal.rawValue)
    }

    /// Nil for another error.
    package var serverFailure: ContentServerFailure? {
        [.contentServerFailed, .backendFailed].contains(code)
            ? found.flatMap { .init(rawValue: $0.text) } : nil
    }

    /// Nil for another error.
    package var contentRefusal: ContentRefusal? {
        code == .contentRefused ? found.flatMap { .init(rawValue: $0.text) } : nil
    }
}
