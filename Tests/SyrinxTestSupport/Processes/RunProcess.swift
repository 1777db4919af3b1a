public import Foundation
import Glibc
import Synchronization

/// The result of a process that has ended.
public struct ProcessResult: Sendable {
    /// The exit code, or 128 and the signal; `nil` if it had to be killed because its time was over.
    public let status: Int32?
    public let stdout: Data
    public let stderr: Data

    /// Standard output as text.
    public var output: String { String(decoding: stdout, as: UTF8.self) }
    /// Standard error as text.
    public var errors: String { String(decoding: stderr, as: UTF8.self) }
}

/// Runs a program to its end; kills it after `timeout` seconds.
/// - Parameters:
///   - path: Looked up in `PATH` if it has no slash.
///   - environment: Set over the environment of the test.
///   - stdin: All that it can read from standard input.
public func runProcess(
    _ path: String,
    _ arguments: [String] = [],
    environment: [String: String] = [:],
    stdin: Data = Data(),
    timeout: Double = 60
) throws -> ProcessResult {
    let input = try Pipe()
    let output = try Pipe()
    let errors = try Pipe()
    let process = try ChildProcess(
        path,
        arguments,
        environment: environment,
        stdin: .descriptor(input.reading),
        stdout: .descriptor(output.writing),
        stderr: .descriptor(errors.writing)
    )
    input.closeReading()
    output.closeWriting()
    errors.closeWriting()

    var exchange = Exchange(input: input, outputs: [output, errors], pending: stdin)
    let end = ContinuousClock.now + .seconds(timeout)
    var grace: ContinuousClock.Instant?
    while exchange.isOpen, ContinuousClock.now < end {
        exchange.step(milliseconds: 20)
        // Grandchildren may hold the pipes open: what the process itself has written is there by then.
        if grace == nil, process.exitStatus != nil { grace = ContinuousClock.now + .milliseconds(500) }
        if let grace, ContinuousClock.now > grace { break }
    }
    let remaining = max(0.01, (end - ContinuousClock.now) / .seconds(1))
    let status = process.wait(timeout: remaining)
    if status == nil { process.kill() }
    return ProcessResult(status: status, stdout: exchange.received[0], stderr: exchange.received[1])
}

/// A pipe whose ends no other child inherits.
private final class Pipe {
    private(set) var reading: Int32 = -1
    private(set) var writing: Int32 = -1

    init() throws {
        var ends: [Int32] = [-1, -1]
        let status = spawnLock.withLock { _ in
            let status = pipe(&ends)
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            return status
        }
        guard status == 0 else {
            throw ChildProcess.LaunchError(description: "pipe: \(String(cString: strerror(errno)))")
        }
        reading = ends[0]
        writing = ends[1]
    }

    deinit {
        closeReading()
        closeWriting()
    }

    func closeReading() {
        if reading >= 0 { close(reading) }
        reading = -1
    }

    func closeWriting() {
        if writing >= 0 { close(writing) }
        writing = -1
    }
}

/// Feeds a child and collects what it writes, neither side blocking the other.
private struct Exchange {
    let input: Pipe
    let outputs: [Pipe]
    var pending: Data
    var received: [Data]

    init(input: Pipe, outputs: [Pipe], pending: Data) {
        self.input = input
        self.outputs = outputs
        self.pending = pending
        received = outputs.map { _ in Data() }
        if pending.isEmpty {
            input.closeWriting()
        } else {
            _ = fcntl(input.writing, F_SETFL, O_NONBLOCK)
        }
    }

    var isOpen: Bool { outputs.contains { $0.reading >= 0 } }

    mutating func step(milliseconds: Int32) {
        var polled = outputs.map { pollfd(fd: $0.reading, events: Int16(POLLIN), revents: 0) }
        polled.append(pollfd(fd: input.writing, events: Int16(POLLOUT), revents: 0))
        guard poll(&polled, nfds_t(polled.count), milliseconds) > 0 else { return }
        for (index, output) in outputs.enumerated() where polled[index].revents != 0 {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = read(output.reading, &buffer, buffer.count)
            if count > 0 { received[index].append(contentsOf: buffer[0..<count]) } else { output.closeReading() }
        }
        if polled[outputs.count].revents != 0 { feed() }
    }

    private mutating func feed() {
        let count = withoutBrokenPipeSignal {
            pending.withUnsafeBytes { write(input.writing, $0.baseAddress, $0.count) }
        }
        if count > 0 { pending.removeFirst(count) }
        if pending.isEmpty || (count < 0 && errno != EAGAIN) { input.closeWriting() }
    }
}

/// Runs `body`, in which a broken pipe is an error code and no signal.
private func withoutBrokenPipeSignal<Result>(_ body: () -> Result) -> Result {
    var set = sigset_t()
    var before = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &set, &before)
    let result = body()
    let code = errno
    var none = timespec()
    while sigtimedwait(&set, nil, &none) == SIGPIPE {}
    pthread_sigmask(SIG_SETMASK, &before, nil)
    errno = code
    return result
}
