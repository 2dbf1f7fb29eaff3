import Foundation

/// Writes all bytes to a descriptor, however many calls that takes; the system's error if it cannot,
/// nil once all is written. How much of it was written then is not known.
package func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32? {
    var rest = bytes
    while !rest.isEmpty {
        let count = write(descriptor, rest.baseAddress, rest.count)
        if count < 0 {
            if errno == EINTR { continue }
            return errno
        }
        // Nothing written and no error: no disk does this to a file.
        guard count > 0 else { return EIO }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
    return nil
}
