import Foundation

/// Files that the kernel generates while they are read (proc(5)) report a size of 0, so this reads
/// to the end. Nil if the file cannot be opened or read. Invalid UTF-8 is replaced.
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

/// errno(3), in English.
package func systemMessage(_ code: Int32) -> String { String(cString: strerror(code)) }
