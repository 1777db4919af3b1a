import Foundation
import Synchronization

/// A PulseAudio of a test's own.
public final class PulseServer: SoundServer {
    public let directory: ScratchDirectory
    private let daemons: Mutex<ChildProcess>
    private let arguments: [String]
    public let sampleRate: Int
    public let channelCount: Int
    public let sink: String

    /// Starts a daemon, and returns when it answers.
    ///
    /// With `rewinds`, as with a sound card, late samples are mixed into what the sink has rendered ahead. A recording of low
    /// latency may have read that already: up to 20 ms may be missing there.
    public init(
        sampleRate: Int = 44_100,
        channelCount: Int = 2,
        format: String = "float32le",
        sink: String = "out",
        rewinds: Bool = false,
        channelMap: String? = nil
    ) throws {
        directory = try Self.makeDirectory("pulse")
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.sink = sink
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

    public func restart() throws {
        let fresh = try Self.launch(arguments, directory)
        daemons.withLock { $0 = fresh }
    }

    private static func launch(_ arguments: [String], _ directory: ScratchDirectory) throws -> ChildProcess {
        try launch("pulseaudio", arguments, directory, socket: socket(directory))
    }

    private var daemon: ChildProcess { daemons.withLock { $0 } }

    deinit { kill() }

    /// Whether the daemon runs.
    public var isRunning: Bool { daemon.exitStatus == nil }

    /// The daemon's process id.
    public var pid: Int32 { daemon.pid }

    public func kill() { daemon.kill() }
}
