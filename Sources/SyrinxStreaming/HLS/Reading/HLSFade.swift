import Foundation
import SyrinxByteStream
import SyrinxMediaCodec

/// A crossfade between two renditions, which are both decoded for a moment.
///
/// The new rendition is heard as soon as its decoder output is correct. Both renditions contain the same audio, so
/// their gains add up to 1.
final class HLSFade {
    let next: HLSRun
    private let old: HLSRun
    private let buffer: HLSFrames
    private let channelCount: Int
    /// The first frame of the fade, and the frame after it.
    private let start: Int64
    private let end: Int64
    private var position: Int64
    /// Whether the fade is over, so that only the new rendition is read.
    private(set) var isOver = false
    /// Frames that neither of the two has.
    private(set) var missing: Int64 = 0

    /// Seconds that the fade lasts.
    private static let duration = 0.02
    /// The maximum overlap in seconds to wait for in the old rendition.
    private static let patience = 2.0

    init(from old: HLSRun, to next: HLSRun, at position: Int64, sampleRate: Double, channelCount: Int) {
        self.old = old
        self.next = next
        self.position = position
        self.channelCount = channelCount
        let count = max(Int(clamped: Self.duration * sampleRate), 1)
        buffer = HLSFrames(channelCount: channelCount, capacity: count)
        let begin = next.start.addingClamped(next.preroll)
        let latest = position.addingClamped(Int64(clamped: Self.patience * sampleRate))
        start = begin > latest ? position : max(begin, position)
        end = start.addingClamped(Int64(count))
    }

    /// Copies the next samples; returns 0 if the new rendition is to be read (`isOver`).
    func read(
        into channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        frameCount: Int
    ) throws(SyrinxError) -> Int {
        if position < start {
            let wanted = Int(min(Int64(frameCount), start.subtractingClamped(position)))
            let count = try readOld(into: channels, wanted)
            position = position.addingClamped(Int64(count))
            if count > 0 { return count }
            return try finish()
        }
        let wanted = min(frameCount, Int(clamping: end.subtractingClamped(position)), buffer.capacity)
        guard wanted > 0 else { return try finish() }
        let count = try readOld(into: channels, wanted)
        guard count > 0, try meet() else { return try finish() }
        let mixed = try mix(into: channels, count)
        position = position.addingClamped(Int64(mixed))
        if position >= end || mixed < count { isOver = true }
        return mixed
    }

    private func readOld(
        into channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        _ frameCount: Int
    ) throws(SyrinxError) -> Int {
        do throws(SyrinxError) {
            return try old.read(into: channels, frameCount: frameCount)
        } catch {
            guard error.code != .cancelled, error.code != .interrupted else { throw error }
            return 0
        }
    }

    /// Advances the new rendition to the frame at which the fade of the old one started.
    private func meet() throws(SyrinxError) -> Bool {
        if next.position < position { return try next.skip(to: position) }
        // The new rendition starts late: the frames in between are missing.
        missing = missing.addingClamped(next.position.subtractingClamped(position))
        next.position = position
        return true
    }

    private func mix(
        into channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        _ count: Int
    ) throws(SyrinxError) -> Int {
        var done = 0
        let begin = Double(position.subtractingClamped(start))
        let length = Double(buffer.capacity)
        while done < count {
            let got = try next.read(into: buffer.channels, frameCount: count - done)
            if got == 0 { return done }
            for index in 0..<got {
                let gain = Float((begin + Double(done + index) + 0.5) / length)
                for channel in 0..<channelCount {
                    let sample = channels[channel][done + index]
                    channels[channel][done + index] = sample + gain * (buffer.channels[channel][index] - sample)
                }
            }
            done += got
        }
        return count
    }

    private func finish() throws(SyrinxError) -> Int {
        _ = try meet()
        isOver = true
        return 0
    }
}
