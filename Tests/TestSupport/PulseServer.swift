import Foundation
import Glibc
import Synchronization

/// A PulseAudio of a test's own: one null sink, whose monitor is recorded to tell what was heard.
///
/// Each has directories and a socket of its own, so that several run at once, beside the user's.
public final class PulseServer: Sendable {
    public struct StartError: Error, CustomStringConvertible {
        public let description: String
    }

    private let directory: ScratchDirectory
    private let daemons: Mutex<ChildProcess>
    private let arguments: [String]
    /// Frames per second of the sink.
    public let sampleRate: Int
    /// The number of channels of the sink.
    public let channelCount: Int
    /// The sink's name, which is also the server's default.
    public let sink: String

    /// Starts a daemon, and returns when it answers.
    ///
    /// With `rewinds`, as a sound card has them, what comes into a sink late is put into what the sink has played ahead,
    /// but not into what a recording of low latency already has of it: up to 20 ms may be missing there.
    public init(
        sampleRate: Int = 44_100,
        channelCount: Int = 2,
        format: String = "float32le",
        sink: String = "out",
        rewinds: Bool = false,
        channelMap: String? = nil
    ) throws {
        directory = try ScratchDirectory("pulse")
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.sink = sink
        for name in ["run", "home"] {
            try FileManager.default.createDirectory(
                atPath: directory.file(name),
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        }
        // The sink comes before the protocol: a server that answers has its sink.
        arguments =
            [
                "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--high-priority=no",
                "-L",
                "module-null-sink sink_name=\(sink) rate=\(sampleRate) channels=\(channelCount) format=\(format)"
                    + (rewinds ? "" : " norewinds=1") + (channelMap.map { " channel_map=\($0)" } ?? ""),
                "-L", "module-native-protocol-unix auth-anonymous=1",
            ]
        daemons = Mutex(try Self.launch(arguments, directory))
    }

    /// Starts it again after `kill()`, at the same address, and returns when it answers.
    public func restart() throws {
        let fresh = try Self.launch(arguments, directory)
        daemons.withLock { $0 = fresh }
    }

    private static func launch(_ arguments: [String], _ directory: ScratchDirectory) throws -> ChildProcess {
        let daemon = try ChildProcess(
            "pulseaudio",
            arguments,
            environment: environment(directory),
            stderr: .file(directory.file("log"))
        )
        let socket = socket(directory)
        let answers = waitUntil { daemon.exitStatus != nil || connects(to: socket) }
        guard answers, daemon.exitStatus == nil else {
            daemon.kill()
            let log = (try? String(contentsOfFile: directory.file("log"), encoding: .utf8)) ?? ""
            throw StartError(description: "pulseaudio did not start: \(log)")
        }
        return daemon
    }

    private var daemon: ChildProcess { daemons.withLock { $0 } }

    deinit { kill() }

    /// The address, as `PULSE_SERVER` is written.
    public var server: String { "unix:\(Self.socket(directory))" }

    /// What a child process needs to find this server and no other.
    public var environment: [String: String] {
        Self.environment(directory).merging(["PULSE_SERVER": server]) { _, new in new }
    }

    /// Whether the daemon runs.
    public var isRunning: Bool { daemon.exitStatus == nil }

    /// The daemon's process id.
    public var pid: Int32 { daemon.pid }

    /// Ends the daemon at once, as a crash would.
    public func kill() { daemon.kill() }

    /// Runs `pactl` against this server.
    public func control(_ arguments: String...) throws -> ProcessResult {
        try runProcess("pactl", arguments, environment: environment, timeout: 60)
    }

    /// Begins to record what the sink plays, silence included. Returns when the first samples have arrived.
    public func startRecording() throws -> PulseRecording {
        try PulseRecording(self, file: directory.file("\(UUID().uuidString).f32"))
    }

    /// Records for so long.
    /// - Returns: One array of samples a channel.
    public func recordMonitor(seconds: Double) throws -> [[Float]] {
        let recording = try startRecording()
        recording.wait(forSeconds: seconds)
        return try recording.stop()
    }

    private static func environment(_ directory: ScratchDirectory) -> [String: String] {
        [
            "XDG_RUNTIME_DIR": directory.file("run"), "HOME": directory.file("home"),
            "XDG_CONFIG_HOME": directory.file("home"), "PULSE_RUNTIME_PATH": directory.file("run/pulse"),
            // Where there is none, asking D-Bus costs seconds.
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent",
        ]
    }

    private static func socket(_ directory: ScratchDirectory) -> String { directory.file("run/pulse/native") }

    private static func connects(to path: String) -> Bool {
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
}

/// A recording of a null sink's monitor, under way.
public final class PulseRecording: Sendable {
    private let process: ChildProcess
    private let file: String
    private let sampleRate: Int
    private let channelCount: Int

    fileprivate init(_ server: PulseServer, file: String) throws {
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
            throw PulseServer.StartError(description: "parec recorded nothing")
        }
    }

    /// How many frames have been recorded.
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
