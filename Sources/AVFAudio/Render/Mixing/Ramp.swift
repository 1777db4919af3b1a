import Synchronization

/// A value that ramps linearly to a target within a fixed number of frames, to avoid audible steps.
///
/// Each value is computed from the target, not accumulated, so it does not depend on the division into blocks.
struct Ramp {
    private(set) var current: Float
    private(set) var remaining = 0
    private var target: Float
    private var step: Float = 0

    init(_ value: Float) {
        current = value
        target = value
    }

    /// Starts a ramp to `value`, unless the current ramp has the same target.
    @_noLocks @_noAllocation
    mutating func head(to value: Float, over frames: Int) {
        guard value != target else { return }
        target = value
        remaining = frames
        step = (value - current) / Float(max(frames, 1))
        if frames <= 0 { jump(to: value) }
    }

    @_noLocks @_noAllocation
    mutating func jump(to value: Float) {
        target = value
        current = value
        remaining = 0
    }

    /// Whether it is there or on its way.
    @_noLocks @_noAllocation
    func isHeading(to value: Float) -> Bool { target == value }

    /// The value for the next frame.
    @_noLocks @_noAllocation
    mutating func next() -> Float {
        guard remaining > 0 else { return current }
        remaining -= 1
        current = target - step * Float(remaining)
        return current
    }

    @_noLocks @_noAllocation
    mutating func skip(_ frames: Int) {
        if frames >= remaining {
            current = target
            remaining = 0
        } else {
            remaining -= frames
            current = target - step * Float(remaining)
        }
    }
}

/// Times of ramps, in frames.
enum RampTime {
    /// Fades at a pause, a stop, a seek: short enough to be no delay, long enough to be no click.
    @_noLocks @_noAllocation
    static func fade(_ sampleRate: Double) -> Int { max(1, Int(sampleRate * 0.005)) }

    /// Volume and pan.
    @_noLocks @_noAllocation
    static func parameter(_ sampleRate: Double) -> Int { max(1, Int(sampleRate * 0.010)) }
}

/// A parameter set by control threads: a value, and the length of the ramp to it in frames.
///
/// Both are in one word, so the render thread always reads a matching pair.
final class RampedParameter: @unchecked Sendable {
    // Unchecked: the pointer never changes, and its target is atomic.

    /// The bits of the value in the lower half, and the ramp length in frames in the upper half; 0 selects the default
    /// length.
    ///
    /// It has its own allocation, so that the render thread reads it without a reference count. Valid as long as this
    /// object exists.
    let word: UnsafeMutablePointer<Atomic<UInt64>>

    init(_ value: Float) {
        word = .allocate(capacity: 1)
        word.initialize(to: Atomic(UInt64(value.bitPattern)))
    }

    deinit {
        word.deinitialize(count: 1)
        word.deallocate()
    }

    /// The value that is set.
    var value: Float { Float(bitPattern: UInt32(truncatingIfNeeded: word.pointee.load(ordering: .relaxed))) }

    /// Sets the value, to be reached in `frames` frames; `nil` is the usual time.
    func set(_ value: Float, frames: UInt32? = nil) {
        // One frame is a jump; 0 means that no length is set.
        let length = frames.map { max(1, $0) } ?? 0
        word.pointee.store(UInt64(length) << 32 | UInt64(value.bitPattern), ordering: .relaxed)
    }
}

/// The render thread's side of a `RampedParameter`.
struct RampedValue {
    var ramp = Ramp(0)
    /// The word that was taken up last; no word that is set has all bits.
    private var known = UInt64.max

    /// Reads the parameter: jumps to the first value, and ramps to later ones.
    @_noLocks @_noAllocation
    mutating func takeUp(_ parameter: UnsafeMutablePointer<Atomic<UInt64>>, usualFrames: Int) {
        let word = parameter.pointee.load(ordering: .relaxed)
        guard word != known else { return }
        let value = Float(bitPattern: UInt32(truncatingIfNeeded: word))
        if known == .max {
            ramp.jump(to: value)
        } else {
            let frames = Int(word >> 32)
            ramp.head(to: value, over: frames == 0 ? usualFrames : frames)
        }
        known = word
    }
}
