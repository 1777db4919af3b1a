/// The last samples of several lines, written one step at a time.
///
/// The first samples are repeated after the end, so that a read never wraps.
struct ReverbRing: ~Copyable {
    private let memory: AlignedFloatBuffer
    private let lineCount: Int
    private let capacity: Int
    /// The floats from a line to the next.
    let stride: Int
    /// The place that is written next.
    private(set) var slot = 0

    /// The frames that a read takes at most from one place on.
    private static let tail = ReverbLayout.longestStep + ReverbLayout.margin

    /// A ring of zeros for delays of up to `longestDelay` frames.
    init(lineCount: Int, longestDelay: Int) {
        self.lineCount = lineCount
        let step = ReverbLayout.longestStep
        capacity = (longestDelay + 2 * step) / step * step
        // The lines begin at different places of a page: else all would share the same part of the processor's cache.
        stride = (capacity + Self.tail + 1_023) / 1_024 * 1_024 + 80
        memory = AlignedFloatBuffer(count: lineCount * stride)
    }

    /// The number of frames after which written frames are overwritten.
    var frameCount: Int { capacity }

    mutating func clear() {
        memory.clear()
        slot = 0
    }

    /// The place of a line that the next step is written to.
    @inline(__always)
    func target(_ line: Int) -> UnsafeMutablePointer<Float> { memory.pointer + (line &* stride &+ slot) }

    /// The samples of a line from `delay` frames before the next step on.
    @inline(__always)
    func source(_ line: Int, delay: Int) -> UnsafePointer<Float> {
        let place = slot &- delay
        return UnsafePointer(memory.pointer + (line &* stride &+ (place < 0 ? place &+ capacity : place)))
    }

    /// Copies the written step to the area after the end, if a later read may need it there.
    @inline(__always)
    func close(_ count: Int) {
        guard slot < Self.tail else { return }
        let frames = min(count, Self.tail &- slot)
        var line = 0
        while line < lineCount {
            let samples = target(line)
            var frame = 0
            while frame < frames {
                samples.put(samples.four(frame), capacity &+ frame)
                frame &+= 4
            }
            line &+= 1
        }
    }

    /// Advances to the next step.
    @inline(__always)
    mutating func advance(_ count: Int) {
        slot &+= count
        if slot >= capacity { slot = 0 }
    }

    /// Reads a line at a delay that moves from its place at a phase of the modulation to that at a later one.
    func readModulated(
        _ line: Int,
        _ length: Int,
        _ depth: Double,
        _ phase: Double,
        _ later: Double,
        into target: UnsafeMutablePointer<Float>,
        _ count: Int
    ) {
        let begin = Double(length) + (1 + wave(phase)) * depth
        let end = Double(length) + (1 + wave(later)) * depth
        // With 32 fractional bits.
        var delay = Int64(begin * 4_294_967_296)
        let step = Int64((end - begin) * 4_294_967_296) / Int64(count)
        let slopes = Float(step) / 4_294_967_296 * FourFrames(0, 1, 2, 3)
        var frame = 0
        while frame < count {
            let part = Float(Int32(truncatingIfNeeded: (delay & 0xFFFF_FFFF) >> 1)) / 2_147_483_648
            // From the oldest of the four places on.
            let samples = source(line, delay: Int(truncatingIfNeeded: delay >> 32) &+ 2) + frame
            let value = ReverbKernel.cubic(
                FourFrames(repeating: part) + slopes,
                samples.four(0),
                samples.four(1),
                samples.four(2),
                samples.four(3)
            )
            target.put(value, frame)
            delay &+= 4 &* step
            frame &+= 4
        }
    }

    /// A parabola instead of a sine: its slope is continuous, and it is cheaper.
    private func wave(_ phase: Double) -> Double {
        let x = 2 * phase - 1
        return 4 * x * (1 - abs(x))
    }
}
