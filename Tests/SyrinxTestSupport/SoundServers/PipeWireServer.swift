import Foundation
import Synchronization

/// A PipeWire of a test's own, which answers as a PulseAudio: with a session manager that needs neither a bus nor a seat.
public final class PipeWireServer: SoundServer {
    public let directory: ScratchDirectory
    private let daemons = Mutex<[ChildProcess]>([])
    public let sampleRate: Int
    public let channelCount: Int
    public let sink = "out"

    /// Starts the daemons, and returns when they answer and the sink is the default one.
    public init(sampleRate: Int = 44_100, channelCount: Int = 2) throws {
        directory = try Self.makeDirectory("pipewire")
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        try write(Self.graph(sampleRate, channelCount, sink), to: "pipewire/pipewire.conf.d/graph.conf")
        try write(Self.sessionManager, to: "wireplumber/main.lua.d/51-no-hardware.lua")
        try write("bluez_monitor.enabled = false\n", to: "wireplumber/bluetooth.lua.d/51-no-hardware.lua")
        try write(Self.newerSessionManager, to: "wireplumber/wireplumber.conf.d/no-hardware.conf")
        try restart()
    }

    deinit { kill() }

    private func write(_ text: String, to path: String) throws {
        let file = URL(fileURLWithPath: directory.file("home")).appendingPathComponent(path)
        let folder = file.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try text.write(to: file, atomically: false, encoding: .utf8)
    }

    /// The whole graph runs at the rate of the sink, so that nothing is resampled.
    private static func graph(_ sampleRate: Int, _ channelCount: Int, _ sink: String) -> String {
        let positions = ["FL", "FR", "FC", "LFE", "RL", "RR", "SL", "SR"]
        let position = channelCount == 1 ? "MONO" : positions.prefix(channelCount).joined(separator: " ")
        return """
            context.properties = { default.clock.rate = \(sampleRate) }
            context.objects = [
                {   factory = adapter
                    args = {
                        factory.name = support.null-audio-sink
                        node.name = \(sink)
                        node.description = "A null sink"
                        media.class = Audio/Sink
                        object.linger = true
                        audio.rate = \(sampleRate)
                        audio.channels = \(channelCount)
                        audio.position = [ \(position) ]
                        monitor.channel-volumes = true
                    }
                }
            ]

            """
    }

    /// For WirePlumber 0.4: what asks for a bus makes it end where there is none.
    private static let sessionManager = """
        alsa_monitor.enabled = false
        v4l2_monitor.enabled = false
        libcamera_monitor.enabled = false
        default_access.properties["enable-flatpak-portal"] = false
        device_defaults.properties["use-persistent-storage"] = false
        stream_defaults.properties["restore-props"] = false
        stream_defaults.properties["restore-target"] = false

        """

    /// The same for WirePlumber 0.5.
    private static let newerSessionManager = """
        wireplumber.profiles = {
            main = {
                hardware.audio = disabled
                hardware.bluetooth = disabled
                hardware.video-capture = disabled
                support.logind = disabled
                support.mpris = disabled
                support.portal-permissionstore = disabled
                support.reserve-device = disabled
            }
        }

        """

    public func restart() throws {
        // Each needs the one before it.
        try start("pipewire", socket: directory.file("run/pipewire-0"))
        try start("wireplumber", socket: nil)
        try start("pipewire-pulse", socket: Self.socket(directory))
        let isReady = waitUntil { (try? control("get-default-sink"))?.output == "\(sink)\n" }
        guard isReady else {
            kill()
            throw SoundServerError(description: "wireplumber did not make the sink the default one")
        }
    }

    private func start(_ program: String, socket: String?) throws {
        let daemon = try Self.launch(program, [], directory, socket: socket)
        daemons.withLock { $0.append(daemon) }
    }

    public func kill() {
        let running = daemons.withLock { daemons in
            defer { daemons = [] }
            return daemons
        }
        for daemon in running.reversed() { daemon.kill() }
    }
}
