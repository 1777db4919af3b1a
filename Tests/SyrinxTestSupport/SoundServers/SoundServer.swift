import Foundation
import Glibc

/// A sound server of a test's own, with a null sink whose monitor is recorded to tell what was heard.
///
/// Each has directories and a socket of its own, so that several run at once, beside the user's.
public protocol SoundServer: AnyObject, Sendable {
    /// Frames per second of the sink.
    var sampleRate: Int { get }
    /// The number of channels of the sink.
    var channelCount: Int { get }
    /// The sink's name, which is also the server's default.
    var sink: String { get }
    /// The address, as `PULSE_SERVER` is written.
    var server: String { get }
    /// The environment in which a child process finds this server and no other.
    var environment: [String: String] { get }
    /// The folder of its files.
    var directory: ScratchDirectory { get }
    /// Starts it again after `kill()`, at the same address, and returns when it answers.
    func restart() throws
    /// Ends it at once, as a crash would.
    func kill()
}

/// The reason why a sound server could not be started, or recorded.
public struct SoundServerError: Error, CustomStringConvertible {
    public let description: String
}

/// The sound servers that exist.
public enum SoundServerKind: String, CaseIterable, Sendable {
    case pulseAudio, pipeWire

    /// Starts a server of this kind, and returns when it answers.
    public func start(sampleRate: Int = 44_100, channelCount: Int = 2) throws -> any SoundServer {
        switch self {
        case .pulseAudio: try PulseServer(sampleRate: sampleRate, channelCount: channelCount)
        case .pipeWire: try PipeWireServer(sampleRate: sampleRate, channelCount: channelCount)
        }
    }
}

extension SoundServer {
    public var server: String { "unix:\(Self.socket(directory))" }

    public var environment: [String: String] {
        Self.environment(directory).merging(["PULSE_SERVER": server]) { _, new in new }
    }

    /// Runs `pactl` against this server.
    public func control(_ arguments: String...) throws -> ProcessResult {
        try runProcess("pactl", arguments, environment: environment, timeout: 60)
    }

    /// Begins to record what the sink plays, silence included. Returns when the first samples have arrived.
    public func startRecording() throws -> MonitorRecording {
        try MonitorRecording(self, file: directory.file("\(UUID().uuidString).f32"))
    }

    /// Records for so long.
    /// - Returns: One array of samples a channel.
    public func recordMonitor(seconds: Double) throws -> [[Float]] {
        let recording = try startRecording()
        recording.wait(forSeconds: seconds)
        return try recording.stop()
    }

    /// A folder for the files of a server.
    static func makeDirectory(_ name: String) throws -> ScratchDirectory {
        let directory = try ScratchDirectory(name)
        for name in ["run", "home"] {
            try FileManager.default.createDirectory(
                atPath: directory.file(name),
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        }
        return directory
    }

    static func environment(_ directory: ScratchDirectory) -> [String: String] {
        [
            "XDG_RUNTIME_DIR": directory.file("run"), "HOME": directory.file("home"),
            "XDG_CONFIG_HOME": directory.file("home"), "XDG_STATE_HOME": directory.file("home"),
            "PULSE_RUNTIME_PATH": directory.file("run/pulse"),
            // Where there is none, asking D-Bus costs seconds.
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent",
        ]
    }

    static func socket(_ directory: ScratchDirectory) -> String { directory.file("run/pulse/native") }

    /// Starts a daemon, and returns when something listens at `socket`.
    static func launch(
        _ program: String,
        _ arguments: [String] = [],
        _ directory: ScratchDirectory,
        socket: String?
    ) throws -> ChildProcess {
        let log = directory.file("\(program).log")
        let daemon = try ChildProcess(program, arguments, environment: environment(directory), stderr: .file(log))
        guard let socket else { return daemon }
        let answers = waitUntil { daemon.exitStatus != nil || connects(to: socket) }
        guard answers, daemon.exitStatus == nil else {
            daemon.kill()
            let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
            throw SoundServerError(description: "\(program) did not start: \(text)")
        }
        return daemon
    }
}

private func connects(to path: String) -> Bool {
    let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
        }
    }
}

/// A recording of a null sink's monitor, under way.
public final class MonitorRecording: Sendable {
    private let process: ChildProcess
    private let file: String
    private let sampleRate: Int
    private let channelCount: Int

    fileprivate init(_ server: any SoundServer, file: String) throws {
        self.file = file
        sampleRate = server.sampleRate
        channelCount = server.channelCount
        process = try ChildProcess(
            "parec",
            [
                "--raw", "--format=float32le", "--rate=\(server.sampleRate)", "--channels=\(server.channelCount)",
                "--latency-msec=20", "--no-remix", "--no-remap", "-d", "\(server.sink).monitor",
            ],
            environment: server.environment,
            stdout: .file(file)
        )
        guard waitUntil({ frameCount > 0 || process.exitStatus != nil }), frameCount > 0 else {
            process.kill()
            throw SoundServerError(description: "parec recorded nothing")
        }
    }

    /// The number of recorded frames.
    public var frameCount: Int {
        var status = stat()
        guard stat(file, &status) == 0 else { return 0 }
        return Int(status.st_size) / (4 * channelCount)
    }

    /// Waits until so many more seconds have been recorded.
    public func wait(forSeconds seconds: Double) {
        let target = frameCount + Int(seconds * Double(sampleRate))
        waitUntil(timeout: seconds * 3 + 60) { frameCount >= target || process.exitStatus != nil }
    }

    /// Ends the recording.
    /// - Returns: One array of samples a channel.
    public func stop() throws -> [[Float]] {
        process.signal(SIGTERM)
        if process.wait(timeout: 5) == nil { process.kill() }
        let data = try Data(contentsOf: URL(fileURLWithPath: file))
        let interleaved = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        return deinterleave(interleaved, channelCount: channelCount)
    }
}
