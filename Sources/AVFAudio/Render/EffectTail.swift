/// The output of an effect after the end of its input.
///
/// The `tailTime` of an effect ends when the output is exactly 0, long after it has become inaudible. This tail ends
/// earlier: after the output was below −90 dB for longer than the longest gap between two echoes, or after 30 s.
package struct EffectTail {
    /// The longest tail of a chain of effects, in seconds.
    package static let longest = 30.0

    /// The number of tail frames so far, including the tails of preceding effects.
    private(set) var length = 0
    private var end = 0
    private var gap = 0
    private var quiet = 0

    /// Creates a tail that has ended.
    @_noLocks @_noAllocation
    init() {}

    /// - Parameters:
    ///   - frames: The most frames of this tail.
    ///   - gap: The most quiet frames in succession after which it may still sound.
    ///   - length: The frames of the tails of earlier effects.
    @_noLocks @_noAllocation
    init(frames: Int, gap: Int, after length: Int) {
        (self.length, end, self.gap) = (length, length + max(frames, 0), gap)
    }

    /// Processes the frames of a block from `first`, for which there is no more input.
    /// - Returns: The index of the first frame after the tail, or `frames`.
    @_noLocks @_noAllocation
    mutating func advance(_ block: RenderSlot, from first: Int, to frames: Int) -> Int {
        for frame in first..<frames {
            guard length < end, quiet <= gap else { return frame }
            length += 1
            quiet = Self.isQuiet(block.channels, block.channelCount, frame) ? quiet + 1 : 0
        }
        return frames
    }

    /// Whether a frame is below −90 dB of full scale in each channel.
    @_noLocks @_noAllocation
    package static func isQuiet(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        _ channelCount: Int,
        _ frame: Int
    ) -> Bool {
        for channel in 0..<channelCount where channels[channel][frame].magnitude >= 0.000_031_623 { return false }
        return true
    }
}
