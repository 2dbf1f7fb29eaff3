import ArgumentParser
import Foundation

/// The value of an option that identifies something by a UUID.
enum UUIDArgument {
    /// Throws `ValidationError`, with the option's name, for a text that is no UUID.
    static func validate(_ text: String?, of option: String) throws {
        guard let text, UUID(uuidString: text) == nil else { return }
        throw ValidationError("\(option) wants a UUID, found '\(text)'.")
    }
}
