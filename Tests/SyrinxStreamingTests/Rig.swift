import AVFAudio
import Foundation
import Synchronization
import SyrinxDevice
import SyrinxHTTPStream
import SyrinxMediaCodec
import SyrinxStreaming
import SyrinxTestSupport

/// A streamer on a device that keeps time and is cranked by the test.
final class Rig {
    let device = ManualOutput(format: DeviceFormat(sampleRate: 44_100, channelCount: 2))
    let streamer: TimePitchStreamer
    var output: [Float] = []

    init() { streamer = TimePitchStreamer(device: device) }

    deinit { streamer.stop() }

    /// Renders blocks of 512 frames until `condition` holds.
    func crank(until condition: () -> Bool) -> Bool { device.crank(until: condition) { output += $0 } }

    /// Renders in the time that a card would take, so that the pump gets what a listener would give it.
    func crank(frames: Int) { device.crank(frames: frames) { output += $0 } }
}

/// A device that is cranked by the test, and can be away.
final class RemovableOutput: OutputDevice {
    let base = ManualOutput(format: DeviceFormat(sampleRate: 44_100, channelCount: 2))
    private let isAway = Atomic(false)
    private let openings = Atomic(0)

    /// The number of times that somebody looked for it.
    var openingCount: Int { openings.load(ordering: .acquiring) }

    func remove() {
        isAway.store(true, ordering: .releasing)
        base.simulateLoss()
    }

    func bringBack() { isAway.store(false, ordering: .releasing) }

    func open(preferred: DeviceFormat?) throws(DeviceError) -> DeviceFormat {
        openings.add(1, ordering: .acquiringAndReleasing)
        try check()
        return try base.open(preferred: preferred)
    }

    func start(_ callback: RenderCallback) throws(DeviceError) {
        try check()
        try base.start(callback)
    }

    private func check() throws(DeviceError) {
        if isAway.load(ordering: .acquiring) { throw DeviceError(.deviceUnavailable, "it is away", device: name) }
    }

    var name: String { base.name }
    var outputName: String? { "Headphones" }
    var isPaced: Bool { base.isPaced }
    var keepsMonotonicTime: Bool { base.keepsMonotonicTime }
    var latency: Double { base.latency }
    var underrunCount: Int { base.underrunCount }
    var onLoss: (@Sendable (DeviceError) -> Void)? {
        get { base.onLoss }
        set { base.onLoss = newValue }
    }
    func pause() { base.pause() }
    func resume() { base.resume() }
    func stop() { base.stop() }
}

extension ManualOutput {
    /// Renders blocks of 512 frames until `condition` holds, and hands the left channel to `take`.
    func crank(until condition: () -> Bool, _ take: ([Float]) -> Void) -> Bool {
        waitUntil {
            take(render(frameCount: 512).first ?? [])
            return condition()
        }
    }

    /// Renders in the time that a card would take, and hands the left channel to `take`.
    func crank(frames: Int, _ take: ([Float]) -> Void) {
        for _ in 0..<(frames / 512) {
            take(render(frameCount: 512).first ?? [])
            usleep(11_600)
        }
    }
}

/// Plays in the source's own rate and channels.
final class PlainStreamer: TimePitchStreamer, @unchecked Sendable {
    override func readFormat(for source: MediaInfo) -> AVAudioFormat {
        AVAudioFormat(
            standardFormatWithSampleRate: source.sampleRate,
            channels: AVAudioChannelCount(source.channelCount)
        )!
    }
}

/// Holds all that a streamer decodes against what is right, frame by frame.
final class SampleCheck: Sendable {
    private struct State {
        var wrongCount = 0
        var frames = IndexSet()
    }

    private let expected: [[Float]]
    private let tolerance: Float
    private let state = Mutex(State())

    /// - Parameter tolerance: How far off a sample may be.
    init(_ expected: [[Float]], tolerance: Float = 0) {
        self.expected = expected
        self.tolerance = tolerance
    }

    /// Frames that were not what they should be.
    var wrongCount: Int { state.withLock { $0.wrongCount } }
    /// The frames that have been decoded so far.
    var frames: IndexSet { state.withLock { $0.frames } }

    func watch(_ streamer: Streamer) {
        streamer.decodedBufferHandler = { [self] buffer, position in note(buffer, at: Int(position)) }
    }

    func note(_ buffer: AVAudioPCMBuffer, at position: Int) {
        guard let channels = buffer.floatChannelData else { return }
        let count = Int(buffer.frameLength)
        var wrong = 0
        for (channel, right) in expected.enumerated() {
            for index in 0..<count {
                let frame = position + index
                if frame >= right.count || abs(channels[channel][index] - right[frame]) > tolerance { wrong += 1 }
            }
        }
        state.withLock { state in
            state.wrongCount += wrong
            if count > 0 { state.frames.insert(integersIn: position..<(position + count)) }
        }
    }
}

/// Options under which a network that comes back is noticed at once.
var quickNetwork: HTTPByteStream.Options {
    var options = HTTPByteStream.Options()
    options.initialRetryDelay = 0.01
    options.maximumRetryDelay = 0.02
    options.stallTimeout = 600
    options.environment = [:]
    return options
}
