import AVFAudio
import Foundation
import SyrinxMediaCodec

/// Decoded frames of an input that are not scheduled yet, because the start of the next input may be mixed into them.
///
/// The pump's thread appends frames, and the controller takes them, while the pump may wait for bytes.
final class HeldFrames: @unchecked Sendable {
    // Unchecked: `lock` guards the mutable state.
    private let lock = NSLock()
    private let format: AVAudioFormat
    private let frames: PlanarFIFO<Float>
    /// The number of frames to hold.
    let capacity: Int
    /// The number of the current seek; frames of other seeks are dropped.
    private var seek: Int
    private var crossfader: Crossfader?

    /// Creates a buffer of up to `capacity` frames, and mixes the end of the previous input into the first frames.
    init(_ format: AVAudioFormat, capacity: Int, seek: Int, fadingOut tail: FadeTail?) {
        self.format = format
        self.capacity = capacity
        self.seek = seek
        frames = PlanarFIFO(channelCount: Int(format.channelCount))
        crossfader = tail.map { Crossfader($0) }
    }

    /// The number of frames that wait.
    var count: Int { lock.withLock { frames.count } }

    /// Whether the frames that should be held are not all there.
    var hasRoom: Bool { count <= capacity }

    /// Drops all frames and expects those of the seek with this number.
    func move(toSeek seek: Int) {
        lock.withLock {
            guard seek > self.seek else { return }
            frames.clear()
            crossfader = nil
            self.seek = seek
        }
    }

    /// Appends decoded frames, unless they were decoded before the last seek.
    func append(_ buffer: AVAudioPCMBuffer, seek: Int) {
        guard let channels = buffer.floatChannelData else { return }
        lock.withLock {
            guard seek == self.seek else { return }
            let count = Int(buffer.frameLength)
            frames.append(count) { targets in
                for channel in 0..<Int(format.channelCount) {
                    targets[channel].update(from: channels[channel], count: count)
                }
                crossfader?.mix(into: targets, frameCount: count)
                return count
            }
            if crossfader?.isFinished == true { crossfader = nil }
        }
    }

    /// Appends the rest of the previous input's end, which is longer than this input.
    func appendRestOfTail(seek: Int) {
        lock.withLock {
            guard seek == self.seek, var rest = crossfader else { return }
            crossfader = nil
            let count = rest.remaining
            frames.append(count) { targets in
                for channel in 0..<Int(format.channelCount) { targets[channel].update(repeating: 0, count: count) }
                rest.mix(into: targets, frameCount: count)
                return count
            }
        }
    }

    /// Removes and returns up to `limit` frames from the front; `nil` if empty.
    func take(_ limit: Int) -> AVAudioPCMBuffer? {
        lock.withLock {
            let count = min(limit, frames.count)
            guard count > 0,
                let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(count)),
                let targets = buffer.floatChannelData
            else { return nil }
            _ = frames.take(count) { channels, place, count in
                for channel in 0..<Int(format.channelCount) {
                    targets[channel].update(from: channels[channel] + place, count: count)
                }
            }
            buffer.frameLength = AVAudioFrameCount(count)
            return buffer
        }
    }

    /// Removes and returns all frames, as the end of the input for a crossfade.
    func takeTail() -> FadeTail? { take(.max).map(FadeTail.init) }
}

/// The last frames of an input, to be faded out under the start of the next.
struct FadeTail: @unchecked Sendable {
    // Unchecked: the buffer does not change once it is here.
    let buffer: AVAudioPCMBuffer
}

/// Crossfades the end of one input into the start of the next, with equal power.
struct Crossfader {
    private let tail: AVAudioPCMBuffer
    private let correlation: Double
    private var position = 0

    /// - Parameter correlation: The correlation of both, from 0 for unrelated audio to 1 for equal audio, whose gains
    ///   then add up to 1.
    init(_ tail: FadeTail, correlation: Double = 0) {
        self.tail = tail.buffer
        self.correlation = correlation
    }

    /// The number of frames that are left of the end.
    var remaining: Int { Int(tail.frameLength) - position }

    var isFinished: Bool { remaining == 0 }

    /// Fades the frames in `channels` in, and adds the end, which is faded out.
    mutating func mix(into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) {
        guard let source = tail.floatChannelData else { return }
        let length = Double(tail.frameLength)
        let count = min(frameCount, remaining)
        for index in 0..<count {
            // The middle of a frame, so that both sides have the same share of the whole.
            let angle = (Double(position + index) + 0.5) / length * .pi / 2
            // What both have in common adds up in amplitude.
            let scale = 1 / (1 + correlation * sin(2 * angle)).squareRoot()
            let (fadeIn, fadeOut) = (Float(sin(angle) * scale), Float(cos(angle) * scale))
            for channel in 0..<Int(tail.format.channelCount) {
                channels[channel][index] =
                    channels[channel][index] * fadeIn + source[channel][position + index] * fadeOut
            }
        }
        position += count
    }
}
