package import Foundation

/// Reads and writes file descriptors; continues after signals and partial transfers.
package enum Descriptor {
    /// Repeats `body` while signals interrupt it.
    ///
    /// - Parameter body: A system call that returns a negative number and sets `errno` on failure.
    /// - Returns: The last result; after a failure, `errno` is set.
    package static func retrying<Number: SignedInteger>(_ body: () -> Number) -> Number {
        while true {
            let result = body()
            guard result < 0, errno == EINTR else { return result }
        }
    }

    /// Writes all bytes; blocks while a non-blocking pipe is full.
    ///
    /// - Parameter offset: The file offset; `nil` is the current position of the descriptor.
    /// - Returns: The error number, or 0.
    @discardableResult
    package static func writeAll(
        _ bytes: UnsafeRawBufferPointer,
        to descriptor: Int32,
        at offset: Int64? = nil
    ) -> Int32 {
        var done = 0
        while done < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = retrying {
                offset.map { pwrite(descriptor, rest.baseAddress, rest.count, off_t($0.addingClamped(Int64(done)))) }
                    ?? write(descriptor, rest.baseAddress, rest.count)
            }
            if count > 0 {
                done += count
            } else if count < 0, errno == EAGAIN {
                wait(for: POLLOUT, on: descriptor, milliseconds: 1000)
            } else {
                return count < 0 ? errno : ENOSPC
            }
        }
        return 0
    }

    /// Writes all bytes of a contiguous collection.
    @discardableResult
    package static func writeAll(
        _ bytes: some ContiguousBytes,
        to descriptor: Int32,
        at offset: Int64? = nil
    ) -> Int32 {
        bytes.withUnsafeBytes { writeAll($0 as UnsafeRawBufferPointer, to: descriptor, at: offset) }
    }

    /// Reads bytes of a file until `buffer` is full or the file ends.
    ///
    /// - Returns: The number of bytes, and the error number, or 0.
    package static func readAll(
        into buffer: UnsafeMutableRawBufferPointer,
        from descriptor: Int32,
        at offset: Int64
    ) -> (count: Int, number: Int32) {
        var done = 0
        while done < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let count = retrying {
                pread(descriptor, rest.baseAddress, rest.count, off_t(offset.addingClamped(Int64(done))))
            }
            guard count > 0 else { return (done, count < 0 ? errno : 0) }
            done += count
        }
        return (done, 0)
    }

    /// Reads the next bytes, at most `limit`.
    ///
    /// - Returns: The bytes; empty at the end, `nil` after a failure, with `errno` set.
    package static func readSome(from descriptor: Int32, limit: Int) -> [UInt8]? {
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, initialized in
            count = retrying { read(descriptor, buffer.baseAddress, limit) }
            initialized = max(count, 0)
        }
        return count < 0 ? nil : bytes
    }

    /// Waits until a descriptor is ready for `event`, at most `milliseconds`.
    ///
    /// - Returns: Whether it is ready or at its end.
    @discardableResult
    package static func wait(for event: Int32, on descriptor: Int32, milliseconds: Int32) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        return poll(&request, 1, milliseconds) > 0
    }

    /// Returns the system's message for an error number, in lower case.
    package static func sentence(_ number: Int32) -> String { String(cString: strerror(number)).lowercased() }
}
