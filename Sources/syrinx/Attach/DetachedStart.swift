import Foundation
import SyrinxByteStream
import SyrinxListening

/// The start of a player in a process of its own, without a terminal: the side of the process that starts it.
enum DetachedStart {
    /// The environment variable by which the new process finds the descriptors of its parent: `READY` or
    /// `READY,HANDOVER`.
    static let variable = "SYRINX_DETACHED"
    /// Whether this process is a detached player that has not begun yet.
    static var isOwnProcess: Bool { getenv(variable) != nil }
    /// Whether this process is a detached player that takes over a queue, and has not begun yet.
    static var takesOver: Bool { getenv(variable).map { String(cString: $0).contains(",") } ?? false }
    /// Descriptors of the new process: for the word that it plays, and for the queue that it takes over.
    private static let readyDescriptor: Int32 = 20, handoverDescriptor: Int32 = 21

    /// Starts the command of this process again as a detached player, and waits until it plays.
    ///
    /// The new process writes its own messages to standard error until then.
    /// - Returns: Success, or the status with which the new process has ended.
    static func repeatCommand(in context: CommandContext) throws(Failure) -> ExitStatus {
        let arguments = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
        let child = try Child(arguments: arguments.compactMap { $0.map { strdup($0) } }, handover: nil)
        context.interruption.onRequest { kill(child.process, SIGTERM) }
        defer { context.interruption.onRequest(nil) }
        return child.wait()
    }

    /// Starts a detached player that takes over a queue, and waits until its input is open.
    /// - Parameters:
    ///   - options: The options of `play` for it.
    ///   - handover: The queue and the settings.
    /// - Returns: The new process, which ``end(_:)`` can end.
    /// - Throws: If it cannot be started, or has failed.
    static func start(_ options: [String], handover: Data) throws(Failure) -> pid_t {
        let words = ["syrinx", "play", "--detach"] + options
        let child = try Child(arguments: words.map { strdup($0) }, handover: handover)
        guard child.wait(atMost: patience) == .success else {
            let message = "the detached player could not be started; another one may run already"
            throw Failure(code: .playerRuns, message: message, name: "detach")
        }
        return child.process
    }

    /// Ends a process that `start` returned, and waits for its end.
    static func end(_ process: pid_t) {
        kill(process, SIGTERM)
        var status: Int32 = 0
        for _ in 0..<endingPolls {
            if waitpid(process, &status, WNOHANG) != 0 { return }
            usleep(20_000)
        }
        kill(process, SIGKILL)
        _ = Descriptor.retrying { waitpid(process, &status, 0) }
    }

    /// The checks, 20 ms apart, before a process that does not end is killed.
    private static let endingPolls = 100

    /// Seconds in which a player that takes over has to have opened its input.
    private static let patience: Int32 = 20

    /// The new process.
    private struct Child {
        let process: pid_t
        private let ready: Int32

        /// Starts the program of this process.
        /// - Parameter arguments: The words of its command line, which are freed.
        init(arguments: [UnsafeMutablePointer<CChar>?], handover: Data?) throws(Failure) {
            defer { for argument in arguments { free(argument) } }
            let word = try Self.makePipe()
            let document = try handover.map { _ throws(Failure) in try Self.makePipe() }
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            posix_spawn_file_actions_adddup2(&actions, word.write, readyDescriptor)
            if let document {
                posix_spawn_file_actions_adddup2(&actions, document.read, handoverDescriptor)
                // The screen has the terminal.
                posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
            }
            var attributes = posix_spawnattr_t()
            posix_spawnattr_init(&attributes)
            defer { posix_spawnattr_destroy(&attributes) }
            // This process has blocked signals for its own thread of signals.
            var signals = sigset_t()
            sigemptyset(&signals)
            posix_spawnattr_setsigmask(&attributes, &signals)
            // A session of its own, so that no signal of this terminal reaches it. The name needs GNU's declarations.
            let newSession: Int32 = 0x80
            posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | newSession))
            var environment = ProcessInfo.processInfo.environment
            environment[variable] = "\(readyDescriptor)" + (document == nil ? "" : ",\(handoverDescriptor)")
            var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
            defer { for variable in variables { free(variable) } }
            var words = arguments + [nil]
            var child = pid_t()
            let number = posix_spawn(&child, Self.program, &actions, &attributes, &words, &variables)
            close(word.write)
            if let document { close(document.read) }
            guard number == 0 else {
                for descriptor in [word.read, document?.write].compactMap(\.self) { close(descriptor) }
                throw Failure(code: .noThread, message: Descriptor.sentence(number), name: "--detach")
            }
            (process, ready) = (child, word.read)
            guard let document, let handover else { return }
            Descriptor.writeAll(handover, to: document.write)
            close(document.write)
        }

        /// The path of this program; not that of the link, whose name tools would show for the process.
        private static var program: String {
            let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            return path.flatMap { access($0, X_OK) == 0 ? $0 : nil } ?? "/proc/self/exe"
        }

        private static func makePipe() throws(Failure) -> (read: Int32, write: Int32) {
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else {
                throw Failure(code: .noThread, message: Descriptor.sentence(errno), name: "--detach")
            }
            // Beyond the descriptors that the new process gets, so that these are never the same ones.
            let moved = ends.map { fcntl($0, F_DUPFD_CLOEXEC, 30) }
            for descriptor in ends { close(descriptor) }
            return (moved[0], moved[1])
        }

        /// Waits until the process plays, or has ended.
        /// - Parameter seconds: The time after which it is ended; `nil` waits without end.
        /// - Returns: Success, or the status with which it has ended.
        func wait(atMost seconds: Int32? = nil) -> ExitStatus {
            defer { close(ready) }
            if let seconds, !Descriptor.wait(for: POLLIN, on: ready, milliseconds: seconds * 1000) {
                kill(process, SIGKILL)
            }
            if let word = Descriptor.readSome(from: ready, limit: 1), !word.isEmpty { return .success }
            var status: Int32 = 0
            guard Descriptor.retrying({ waitpid(process, &status, 0) }) == process else { return .unavailable }
            let signal = status & 0x7F
            return ExitStatus(rawValue: signal == 0 ? (status >> 8) & 0xFF : 128 + signal)
        }
    }
}

/// The side of a detached player that has been started by another process.
final class DetachedProcess {
    private var ready: Int32?
    /// The queue to take over, if there is one.
    let handover: Handover?

    /// The longest queue that is taken over, in bytes.
    private static let longestHandover = 128 << 20

    /// Detaches from the terminal; returns `nil` if this process was not started as a detached player.
    init?() {
        guard let text = getenv(DetachedStart.variable).map({ String(cString: $0) }) else { return nil }
        unsetenv(DetachedStart.variable)
        let numbers = text.split(separator: ",").compactMap { Int32($0) }
        guard let first = numbers.first, (1...2).contains(numbers.count), numbers.allSatisfy({ $0 > STDERR_FILENO })
        else {
            return nil
        }
        ready = first
        for number in numbers { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
        setsid()
        if isatty(STDIN_FILENO) == 1 { Self.close(STDIN_FILENO) }
        Self.close(STDOUT_FILENO)
        handover = numbers.count > 1 ? Self.readHandover(numbers[1]) : nil
    }

    /// Reports to the parent process that playback has started, and releases standard error.
    func noteReady() {
        guard let descriptor = ready else { return }
        ready = nil
        Self.close(STDERR_FILENO)
        Descriptor.writeAll([1] as [UInt8], to: descriptor)
        Foundation.close(descriptor)
    }

    /// Whether the parent is still waiting.
    var isStarting: Bool { ready != nil }

    /// Puts nothing in the place of a standard descriptor.
    private static func close(_ descriptor: Int32) {
        let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
        guard nothing >= 0 else { return }
        dup2(nothing, descriptor)
        if nothing != descriptor { Foundation.close(nothing) }
    }

    private static func readHandover(_ descriptor: Int32) -> Handover? {
        defer { Foundation.close(descriptor) }
        var bytes = Data()
        while let more = Descriptor.readSome(from: descriptor, limit: 1 << 20), !more.isEmpty {
            guard bytes.count < longestHandover else { return nil }
            bytes += more
        }
        return try? JSONDecoder().decode(Handover.self, from: bytes)
    }
}
