import Foundation

/// Writes all bytes to a descriptor, however many calls that takes; the system's error if it cannot,
/// nil once all is written. How much of it was written then is not known. Where the other end of a
/// pipe has made it non-blocking and reads slowly, this waits for it.
package func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32? {
    var rest = bytes
    while !rest.isEmpty {
        let count = write(descriptor, rest.baseAddress, rest.count)
        if count < 0 {
            switch errno {
            case EINTR: continue
            case EAGAIN: waitForRoom(descriptor)
            case let code: return code
            }
            continue
        }
        // Nothing written and no error: no disk does this to a file.
        guard count > 0 else { return EIO }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
    return nil
}

private func waitForRoom(_ descriptor: Int32) {
    var watched = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = poll(&watched, 1, -1)
}
