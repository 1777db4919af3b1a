import Foundation
import Synchronization
import SyrinxByteStream

/// The connection of a face to a player in another process.
///
/// Its thread reads messages until the player closes the connection. Any thread may send.
package final class AttachConnection: Sendable {
    private let descriptor: Int32
    private let numbers = Mutex(0)

    /// Seconds that sending may wait for a player that does not read.
    private static let patience = 5

    /// Connects to the detached player of the user.
    ///
    /// - Parameter environment: The environment variables.
    /// - Throws: `device.noPlayer` if none runs, or an error of a file.
    package init(environment: [String: String] = ProcessInfo.processInfo.environment) throws(Failure) {
        let folder: AttachFolder
        do throws(Failure) {
            folder = try AttachFolder(creates: false, environment: environment)
        } catch {
            throw error.code == .fileNotFound ? AttachFolder.noPlayer : error
        }
        descriptor = try folder.makeConnection()
        var time = timeval(tv_sec: Self.patience, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// Begins to pass messages to `handler`, on a thread of the connection; `nil` is the end of the connection.
    /// - Throws: `device.noThread` if there is no thread.
    package func start(_ handler: @escaping @Sendable (AttachMessage?) -> Void) throws(Failure) {
        try SystemThread.start("syrinx.attach") { [self] in
            read { message in
                handler(message)
                return true
            }
            handler(nil)
        }
    }

    /// Sends a request.
    /// - Returns: Its number, which the answer has; `nil` if the player is gone.
    @discardableResult package func send(_ request: AttachRequest) -> Int? {
        let number = numbers.withLock { number in
            number += 1
            return number
        }
        let bytes = Array((AttachCall(id: number, request).line + "\n").utf8)
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Descriptor.retrying {
                    Foundation.send(
                        descriptor,
                        buffer.baseAddress.map { $0 + done },
                        bytes.count - done,
                        Int32(MSG_NOSIGNAL)
                    )
                }
            }
            guard count > 0 else { return nil }
            done += count
        }
        return number
    }

    /// Sends a request, and waits for its answer on the calling thread; only a connection that has not been started may.
    /// - Returns: The answer; `nil` if the player is gone or does not answer for some seconds.
    package func ask(_ request: AttachRequest) -> AttachMessage.Answer? {
        var time = timeval(tv_sec: Self.patience, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        guard let number = send(request) else { return nil }
        var found: AttachMessage.Answer?
        read { message in
            if let answer = message.answer, answer.id == number { found = answer }
            return found == nil
        }
        return found
    }

    /// Ends the connection, also while the thread reads.
    package func stop() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Reads messages until the connection ends, or until `body` returns `false`.
    private func read(_ body: (AttachMessage) -> Bool) {
        var lines = LineSplitter(longestLine: AttachProtocol.longestMessage)
        while let bytes = Descriptor.readSome(from: descriptor, limit: 65_536), !bytes.isEmpty {
            for line in lines.lines(in: bytes) {
                guard let message = Self.message(line) else { continue }
                guard body(message) else { return }
            }
        }
    }

    private static func message(_ line: LineSplitter.Line) -> AttachMessage? {
        guard case .text(let text) = line else {
            var message = AttachMessage()
            message.isDiscarded = true
            return message
        }
        return AttachMessage(line: text)
    }
}
