import Foundation

/// As many write(2) calls as it takes. Nil once all are written, else the error number (errno(3));
/// then an unknown part of the bytes has been written. If the descriptor is non-blocking and full,
/// this blocks until it can be written again.
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
        // Nothing written and no error: regular files never do this, and the loop would not end.
        guard count > 0 else { return EIO }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
    return nil
}

private func waitForRoom(_ descriptor: Int32) {
    var watched = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = poll(&watched, 1, -1)
}
