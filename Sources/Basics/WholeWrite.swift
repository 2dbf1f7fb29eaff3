package import Foundation

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

/// The number of an error of the system (errno(3)).
package struct SystemError: Error {
    package let code: Int32
}

/// Bytes of a plain file, as many pread(2) calls as it takes: `count` of them, fewer only at the end
/// of the file.
package func readAll(
    _ descriptor: Int32, at offset: Int64, count: Int
) throws(SystemError) -> Data {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw SystemError(code: errno) }
    let count = Int(max(0, min(Int64(count), Int64(status.st_size) - offset)))
    var data = Data(count: count)
    var done = 0
    while done < count {
        let result = data.withUnsafeMutableBytes { buffer in
            pread(
                descriptor, buffer.baseAddress?.advanced(by: done), count - done,
                off_t(offset) + off_t(done))
        }
        if result < 0, errno == EINTR { continue }
        guard result >= 0 else { throw SystemError(code: errno) }
        if result == 0 { break }
        done += result
    }
    return data.prefix(done)
}
