import Foundation

/// A text the kernel makes while it is read (proc(5)): its length is not known before, so it is read
/// to its end, whatever the file says. Nil where it cannot be read.
package func systemText(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var text: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 32 * 1024)
    while true {
        let count = read(descriptor, &piece, piece.count)
        if count < 0 && errno == EINTR { continue }
        guard count >= 0 else { return nil }
        if count == 0 { return String(decoding: text, as: UTF8.self) }
        text += piece[..<count]
    }
}
