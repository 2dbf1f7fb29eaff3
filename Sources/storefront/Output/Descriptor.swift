import Foundation

/// Writing to a descriptor until all of it is written, whatever it is.
enum Descriptor {
    /// - Returns: 0, or the error (errno) that kept the rest from being written.
    static func write(_ bytes: some Sequence<UInt8>, to descriptor: Int32) -> Int32 {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.write(descriptor, $0.baseAddress, $0.count)
            }
            if count >= 0 {
                rest = rest.dropFirst(count)
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN: waitForRoom(descriptor)
            case let code: return code
            }
        }
        return 0
    }

    /// Whoever reads the other end has left it non-blocking, and reads slowly.
    private static func waitForRoom(_ descriptor: Int32) {
        var watched = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&watched, 1, -1)
    }
}
