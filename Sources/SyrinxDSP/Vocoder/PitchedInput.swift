/// Reads the input at another pitch, and keeps the frames that the next windows need too.
///
/// Windows overlap, so most frames of a window were interpolated for the one before. All frames are on one grid: the frame i is the
/// input at origin + i · ratio. A window begins at the nearest place of the grid, at most half a frame of output away. Use
/// from one thread at a time; nothing allocates after `init`.
struct PitchedInput: ~Copyable {
    /// The frames of a window, and the input position on which its frame 0 falls.
    struct Window {
        var position: FixedPosition
        var ratio: Double
        /// The first frame, counted from the position.
        var offset: Int
        var count: Int

        // The compiler's own initializer has no performance annotations in the other files of a debug build.
        @_noLocks @_noAllocation
        init(position: FixedPosition, ratio: Double, offset: Int, count: Int) {
            (self.position, self.ratio, self.offset, self.count) = (position, ratio, offset, count)
        }
    }

    /// The frames that are interpolated at once.
    private static var chunk: Int { @_noLocks @_noAllocation get { 256 } }

    private var bank: PolyphaseFilterBank
    private let channelCount: Int
    private let shape: SincShape
    private let raw: AlignedFloatBuffer
    private let rawStride: Int
    private let store: AlignedFloatBuffer
    private let capacity: Int
    private var origin = FixedPosition(whole: 0)
    /// The ratio of the frames kept; 0 before the first.
    private var ratio = 0.0
    /// The frames of the grid that are kept.
    private var start = 0
    private var end = 0

    /// Reads windows of up to `longest` frames.
    init(shape: SincShape, maximumRatio: Double, channelCount: Int, longest: Int) {
        self.channelCount = channelCount
        self.shape = shape
        bank = PolyphaseFilterBank(shape: shape, maximumRatio: maximumRatio)
        // Bounded: the ratio is at most 4.
        rawStride = (Int(Double(Self.chunk) * maximumRatio) + shape.tapCount(ratio: maximumRatio) + 31) / 16 * 16
        raw = AlignedFloatBuffer(count: 2 * rawStride)
        var capacity = 1024
        while capacity < 2 * longest { capacity *= 2 }
        self.capacity = capacity
        store = AlignedFloatBuffer(count: capacity * channelCount)
    }

    /// Discards the interpolated frames, so that the next window is read anew.
    @_noLocks @_noAllocation
    mutating func reset() { ratio = 0 }

    /// Computes the interpolator's rows for a ratio: one of several parts, in their order.
    @_noLocks @_noAllocation
    mutating func tune(ratio: Double, part: Int, of parts: Int) { bank.tune(ratio: ratio, part: part, of: parts) }

    /// The cost of interpolating frames of one channel, or of each of several at once, in the units of `AmortizedSteps`.
    @_noLocks @_noAllocation
    func cost(frames: Int, ratio: Double, atOnce: Bool) -> Int {
        frames * shape.tapCount(ratio: ratio) * (atOnce ? 2 : 3) / 10
    }

    /// The place of the first frame of a window on the grid.
    @_noLocks @_noAllocation
    private func first(of window: Window) -> Int {
        let place = (window.position - origin).value / window.ratio
        // Bounded: positions are frames of the input, and the ratio is at least 1/4.
        return Int(place < 0 ? place - 0.5 : place + 0.5) + window.offset
    }

    /// Whether none of the frames kept are of use for a window.
    @_noLocks @_noAllocation
    private func isElsewhere(_ window: Window) -> Bool {
        if window.ratio != ratio { return true }
        let first = first(of: window)
        return first < start || first > end
    }

    /// The number of frames that have to be interpolated for a window.
    @_noLocks @_noAllocation
    func missing(_ window: Window) -> Int {
        isElsewhere(window) ? window.count : max(first(of: window) + window.count - end, 0)
    }

    /// Interpolates missing frames of a window in all channels: one of several parts, in their order.
    @_noLocks @_noAllocation
    mutating func extend(to window: Window, part: Int, of parts: Int, from history: borrowing InputHistory) {
        if isElsewhere(window) {
            if window.ratio != ratio {
                ratio = window.ratio
                origin = window.position
            }
            start = first(of: window)
            end = start
        }
        let left = first(of: window) + window.count - end
        guard left > 0 else { return }
        bank.tune(ratio: ratio)
        interpolate(to: end + (left + parts - part - 1) / (parts - part), from: history)
        start = max(start, end - capacity)
    }

    @_noLocks @_noAllocation
    private mutating func interpolate(to last: Int, from history: borrowing InputHistory) {
        let step = FixedPosition(ratio)
        while end < last {
            let place = end & (capacity - 1)
            let count = min(min(last - end, Self.chunk), capacity - place)
            let position = origin + step * end
            var channel = 0
            while channel < channelCount {
                let target = store.pointer + channel * capacity + place
                let source = fill(0, channel, at: position, ratio, count: count, history)
                if channel + 1 < channelCount {
                    let other = fill(1, channel + 1, at: position, ratio, count: count, history)
                    bank.read(
                        (source, other),
                        fraction: position.fraction,
                        step: step,
                        into: (target, target + capacity),
                        count: count
                    )
                } else {
                    bank.read(source, fraction: position.fraction, step: step, into: target, count: count)
                }
                channel += 2
            }
            end += count
        }
    }

    /// Reads the input that `count` frames from a position need.
    @_noLocks @_noAllocation
    private func fill(
        _ row: Int,
        _ channel: Int,
        at position: FixedPosition,
        _ ratio: Double,
        count: Int,
        _ history: borrowing InputHistory
    ) -> UnsafePointer<Float> {
        let target = raw.pointer + row * rawStride
        let reach = bank.tapCount / 2
        // Bounded: a chunk times the ratio.
        let span = min(Int(Double(count) * ratio) + 2 * reach + 4, rawStride)
        history.read(channel: channel, from: position.whole - reach + 1, count: span, into: target)
        return UnsafePointer(target)
    }

    /// Copies a window of which no frames are missing.
    @_noLocks @_noAllocation
    func copy(_ window: Window, channel: Int, into target: UnsafeMutablePointer<Float>) {
        let row = store.pointer + channel * capacity
        let place = first(of: window) & (capacity - 1)
        let length = min(window.count, capacity - place)
        copyFloats(row + place, to: target, count: length)
        copyFloats(row, to: target + length, count: window.count - length)
    }

    /// Interpolates the frames of a window beside the grid, without keeping them.
    @_noLocks @_noAllocation
    mutating func read(
        _ window: Window,
        channel: Int,
        _ history: borrowing InputHistory,
        into target: UnsafeMutablePointer<Float>
    ) {
        bank.tune(ratio: window.ratio)
        let step = FixedPosition(window.ratio)
        var done = 0
        while done < window.count {
            let count = min(window.count - done, Self.chunk)
            let position = window.position + step * (window.offset + done)
            let source = fill(0, channel, at: position, window.ratio, count: count, history)
            bank.read(source, fraction: position.fraction, step: step, into: target + done, count: count)
            done += count
        }
    }
}
