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

/// The reason of an error of Foundation: errno(3) in English, as of every other call, where it has a
/// number.
package func systemMessage(of error: any Error) -> String {
    systemErrorNumber(of: error).map { systemMessage($0) } ?? error.localizedDescription
}

/// The number (errno(3)) of an error of Foundation; nil for one without.
package func systemErrorNumber(of error: any Error) -> Int32? {
    if let number = posixNumber(of: error) { return number }
    let whole = error as NSError
    if let below = whole.userInfo[NSUnderlyingErrorKey] as? any Error,
        let number = posixNumber(of: below)
    {
        return number
    }
    guard whole.domain == NSCocoaErrorDomain else { return nil }
    return switch CocoaError.Code(rawValue: whole.code) {
    case .fileNoSuchFile, .fileReadNoSuchFile: ENOENT
    case .fileReadNoPermission, .fileWriteNoPermission: EACCES
    case .fileWriteOutOfSpace: ENOSPC
    case .fileWriteVolumeReadOnly: EROFS
    case .fileWriteFileExists: EEXIST
    default: nil
    }
}

private func posixNumber(of error: any Error) -> Int32? {
    if let error = error as? POSIXError { return error.code.rawValue }
    let error = error as NSError
    return error.domain == NSPOSIXErrorDomain ? Int32(error.code) : nil
}

/// gethostname(2); nil where the system does not tell it.
package func systemHostName() -> String? {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return nil }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
