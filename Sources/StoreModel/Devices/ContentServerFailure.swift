/// The way in which an app's own server failed: `found` of an error with the code
/// `contentServerFailed`. None of these failures can bring a wrong file to a device.
package enum ContentServerFailure: String, Codable, CaseIterable, Sendable {
    /// The catalog's address is none that the device goes to: another machine, or not http.
    case addressRefused
    /// Nothing listens there, or no connection comes about.
    case unreachable
    /// The connection ended before the answer was complete.
    case connectionLost
    /// Nothing came for too long.
    case stalled
    /// The server sends the device elsewhere. That is never followed.
    case redirected
    /// Other bytes than those asked for.
    case wrongRange
    /// Fewer bytes than the answer says, or another length than the manifest's.
    case wrongLength
    /// More bytes than were asked for.
    case tooMuch
    /// No answer of HTTP, or none that can be read.
    case wrongAnswer
    /// The server says that it failed.
    case serverError
    /// The port to listen on belongs to another program: of the server itself.
    case portTaken
    /// The address to listen on is none of this machine's: of the server itself.
    case hostRefused
}

/// Why an app's own server hands nothing out: the `code` of its answer, and `found` of an error with
/// the code `contentRefused`.
package enum ContentRefusal: String, Codable, CaseIterable, Sendable {
    /// No signed text came with the request.
    case authorizationMissing
    /// The authorization of the request is no signed text.
    case notSigned
    /// The text was changed after it was signed.
    case tampered
    /// Another store signed it.
    case untrusted
    /// It was signed with a certificate that the store has revoked.
    case certificateRevoked
    /// It is of another app.
    case wrongApp
    /// It is of another environment.
    case wrongEnvironment
    /// It was signed for another account or device.
    case wrongAccount
    /// It is about another product.
    case wrongProduct
    /// The store has no such transaction, or it was deleted.
    case unknownTransaction
    /// The purchase was refunded or revoked.
    case revoked
    /// The subscription, or the receipt, has expired.
    case expired
}

extension StoreError {
    /// The error of an app's own server that failed.
    ///
    /// - Parameters:
    ///   - address: of the server.
    ///   - cause: the system's own text.
    package init(_ failure: ContentServerFailure, address: String, cause: String? = nil) {
        self.init(
            .contentServerFailed, subject: address, found: failure.rawValue, cause: cause)
    }

    /// The error of an app's own server that hands nothing out.
    package init(_ refusal: ContentRefusal, address: String) {
        self.init(.contentRefused, subject: address, found: refusal.rawValue)
    }

    /// The failure of the app's own server that this error reports; nil for another error.
    package var serverFailure: ContentServerFailure? {
        code == .contentServerFailed ? found.flatMap(ContentServerFailure.init(rawValue:)) : nil
    }

    /// Why the app's own server hands nothing out; nil for another error.
    package var contentRefusal: ContentRefusal? {
        code == .contentRefused ? found.flatMap(ContentRefusal.init(rawValue:)) : nil
    }
}
