import Foundation

/// Reads and writes of file descriptors, with the interruptions and part-writes taken care of.
enum Descriptor {
    /// The failure of a write, with the system's error number.
    struct WriteError: Error {
        /// `errno` after the write.
        let number: Int32
    }

    /// Writes all of `text`, waiting where a pipe that does not block is full.
    static func write(_ text: String, to descriptor: Int32) throws(WriteError) {
        var text = text
        let number = text.withUTF8 { write(UnsafeRawBufferPointer($0), descriptor) }
        if number != 0 { throw WriteError(number: number) }
    }

    /// Writes all of `bytes`, as it does text.
    static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(WriteError) {
        let number = write(bytes, descriptor)
        if number != 0 { throw WriteError(number: number) }
    }

    /// Writes all of it, and returns the error number, or 0.
    private static func write(_ bytes: UnsafeRawBufferPointer, _ descriptor: Int32) -> Int32 {
        var rest = bytes
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
            if count >= 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            } else if errno == EAGAIN || errno == EWOULDBLOCK {
                wait(for: POLLOUT, on: descriptor, milliseconds: 1000)
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
    }

    /// Waits until `descriptor` is ready for `event`, or the time is over; true if it is ready or at its end.
    @discardableResult
    static func wait(for event: Int32, on descriptor: Int32, milliseconds: Int32) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        return poll(&request, 1, milliseconds) > 0
    }

    /// The next bytes, at most `limit`: empty at the end, `nil` when there is an error.
    static func read(from descriptor: Int32, limit: Int) -> [UInt8]? {
        while true {
            var count = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, initialized in
                count = Glibc.read(descriptor, buffer.baseAddress, limit)
                initialized = max(count, 0)
            }
            if count >= 0 { return bytes }
            if errno != EINTR { return nil }
        }
    }

    /// The system's sentence for an error number.
    static func sentence(_ number: Int32) -> String {
        String(cString: strerror(number)).lowercased()
    }
}
