import CoreAudioTypes
import SyrinxMediaCodec

/// A queue of recorded frames for the program.
///
/// Only the device's thread uses it, so it has no atomics.
///
/// If the program reads too slowly, the oldest frames are dropped. If it reads more frames than available, silence
/// precedes them.
final class RecordedFrames {
    private let layout: PCMLayout
    private let planes: FloatPlanes<Float>
    /// The frames that are read, in one piece.
    private let piece: FloatPlanes<Float>
    private let capacity = 1 << 15
    @exclusivity(unchecked) private var first = 0
    @exclusivity(unchecked) private var held = 0

    /// Creates an empty queue.
    /// - Parameter format: The format of the program's side, which determines the channels to write.
    init?(_ format: AVAudioFormat) {
        guard let layout = PCMLayout(format.basicDescription) else { return nil }
        self.layout = layout
        planes = FloatPlanes(channelCount: layout.channelCount, capacity: capacity)
        piece = FloatPlanes(channelCount: layout.channelCount, capacity: Int(UnitInstance.frameLimit))
    }

    /// Adds frames of 32-bit float, one buffer a channel.
    func write(_ source: UnsafeMutableAudioBufferListPointer, from start: Int, count: Int) {
        guard source.count == planes.channelCount else { return }
        let skipped = max(count &- capacity, 0)
        let added = count &- skipped
        let dropped = max(held &+ added &- capacity, 0)
        first = (first &+ dropped) & (capacity &- 1)
        held &-= dropped
        var channel = 0
        while channel < planes.channelCount {
            if let samples = source[channel].mData?.assumingMemoryBound(to: Float.self) {
                let plane = planes.channels[channel]
                var index = 0
                while index < added {
                    plane[(first &+ held &+ index) & (capacity &- 1)] = samples[start &+ skipped &+ index]
                    index &+= 1
                }
            }
            channel &+= 1
        }
        held &+= added
    }

    /// Reads the oldest frames in the format of the program's side.
    func read(into target: UnsafeMutableAudioBufferListPointer, count: Int) -> OSStatus {
        guard count <= piece.capacity else { return kAudioUnitErr_TooManyFramesToProcess }
        let missing = max(count &- held, 0)
        var channel = 0
        while channel < planes.channelCount {
            let (plane, samples) = (planes.channels[channel], piece.channels[channel])
            var index = 0
            while index < missing {
                samples[index] = 0
                index &+= 1
            }
            while index < count {
                samples[index] = plane[(first &+ index &- missing) & (capacity &- 1)]
                index &+= 1
            }
            channel &+= 1
        }
        first = (first &+ count &- missing) & (capacity &- 1)
        held &-= count &- missing
        layout.store(UnsafePointer(piece.channels), at: 0, count: count, into: target, from: 0)
        return noErr
    }
}
