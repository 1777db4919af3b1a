import AVFAudio
import Foundation
import Synchronization
import SyrinxDevice
import SyrinxHTTPStream
import SyrinxMediaCodec
import SyrinxTestSupport

@testable import SyrinxStreaming

/// The decoded frames and the events of a streamer.
private final class SoundNotes: Sendable {
    struct Heard {
        var decoded: [Float] = []
        var gaps = 0
        var codes: [String] = []
        var states: [PlaybackStatus] = []
        var times: [Double] = []
    }

    let heard = Mutex(Heard())

    func note(_ buffer: AVAudioPCMBuffer, _ position: Int) {
        guard let channel = buffer.floatChannelData?[0] else { return }
        heard.withLock { heard in
            if heard.decoded.count != position {
                heard.gaps += 1
                heard.decoded = Array(heard.decoded.prefix(position))
                heard.decoded += Array(repeating: 0, count: max(position - heard.decoded.count, 0))
            }
            heard.decoded += UnsafeBufferPointer(start: channel, count: Int(buffer.frameLength))
        }
    }

    func note(_ event: StreamingEvent) {
        heard.withLock { heard in
            switch event {
            case .status(let status, let time):
                heard.states.append(status)
                heard.times.append(time)
            case .position(let time): heard.times.append(time)
            case .warning(let error), .failed(let error): heard.codes.append(error.code.rawValue)
            default: break
            }
        }
    }
}

/// A streamer whose decoded frames, output and events a test looks at while the sound of its input is changed.
final class SoundChangeRig {
    let device: ManualOutput
    let streamer: PlainStreamer
    private let notes = SoundNotes()
    private(set) var output: [Float] = []

    init(sampleRate: Double = 44_100) {
        device = ManualOutput(format: DeviceFormat(sampleRate: sampleRate, channelCount: 1))
        streamer = PlainStreamer(device: device)
        streamer.network = quickNetwork
        let notes = notes
        streamer.decodedBufferHandler = { notes.note($0, Int($1)) }
    }

    deinit { streamer.stop() }

    /// Plays an item, and keeps its events.
    func play(_ item: StreamingItem) {
        let notes = notes
        streamer.open(item, andPlay: true, followedBy: []) { notes.note($0) }
    }

    /// The decoded frames, each at its place.
    var decoded: [Float] { notes.heard.withLock { $0.decoded } }
    /// The number of times that decoded frames did not follow on those before.
    var gaps: Int { notes.heard.withLock { $0.gaps } }
    /// The codes of warnings and failures.
    var codes: [String] { notes.heard.withLock { $0.codes } }
    var states: [PlaybackStatus] { notes.heard.withLock { $0.states } }
    /// The times that were told, in order.
    var times: [Double] { notes.heard.withLock { $0.times } }

    /// Renders some times faster than a card does, as long as enough is decoded, until `condition` holds.
    func crank(until condition: () -> Bool) -> Bool {
        waitUntil(timeout: 30) {
            output += device.render(frameCount: 512).first ?? []
            let ahead = notes.heard.withLock { $0.decoded.count } - Int(streamer.playerNode.playedFrames)
            usleep(ahead > 2 * 44_100 ? 1_500 : 11_600)
            return condition()
        }
    }

    /// The largest deviation from `before` up to a change that is found, from a fade at equal power, and from `after` behind it.
    /// - Parameter shift: The frames by which a container's rounded times may misplace `after`.
    /// - Returns: The frame of the change and the deviation; `nil` if there is no change.
    func change(
        from before: [Float],
        to after: [Float],
        fade: Int,
        shift: Int = 0
    ) -> (frame: Int, worst: Float)? {
        let samples = decoded
        let count = min(samples.count, before.count, after.count)
        guard let start = (0..<count).first(where: { abs(samples[$0] - before[$0]) > 1e-3 }) else { return nil }
        let end = min(count - shift, start + fade + 44_100)
        var worst = Float.infinity
        var best = start
        let gains = (0...fade).map { index in
            let angle = index < fade ? (Double(index) + 0.5) / Double(fade) * .pi / 2 : .pi / 2
            return (falling: Float(cos(angle)), rising: Float(sin(angle)))
        }
        // Where the fade begins both are alike for some frames.
        for frame in max(start - 100, 0)...start {
            for offset in -shift...shift {
                var deviation: Float = 0
                var index = frame
                while index < end, deviation < worst {
                    let gain = gains[min(index - frame, fade)]
                    let right = before[index] * gain.falling + after[index + offset] * gain.rising
                    deviation = max(deviation, abs(samples[index] - right))
                    index += 1
                }
                if deviation < worst { (worst, best) = (deviation, frame) }
            }
        }
        return (best, worst)
    }
}
