import Foundation

/// The factor that makes the loudest sample of a waveform nearly fill its height, steady while the waveform arrives.
///
/// While it arrives the factor only falls, in steps of 1.5 dB, as louder samples come; once, at the end, it may rise.
/// `shown` moves there smoothly.
public struct WaveformGain: Sendable, Equatable {
    /// The greatest factor while the waveform arrives: what follows on a soft beginning is rarely as soft.
    private static let growingLimit: Float = 4
    /// The greatest factor: 30 dB.
    private static let limit: Float = 32
    /// The share of the height that the loudest sample takes.
    private static let fill: Float = 0.96

    /// The factor to draw new tiles with.
    public private(set) var target: Float
    /// The factor that the view shows at present.
    public private(set) var shown: Float
    private var peak: Float = 0
    private var isComplete = false

    /// Creates the factor of a waveform of which nothing has arrived.
    public init() {
        target = Self.growingLimit * Self.fill
        shown = target
    }

    /// Whether `shown` is where it goes, so that no further frame is needed for it.
    public var isStill: Bool { shown == target }

    /// Takes the greatest magnitude of what has arrived.
    /// - Parameter peak: 0 … 1; greater ones count as 1, and what is no number as 0.
    /// - Returns: Whether `target` has changed.
    public mutating func observe(peak: Float) -> Bool {
        guard peak > self.peak else { return false }
        let isFirst = self.peak == 0
        self.peak = min(peak, 1)
        return update(settles: isFirst)
    }

    /// Takes note that all of the waveform has arrived.
    /// - Returns: Whether `target` has changed.
    public mutating func complete() -> Bool {
        guard !isComplete else { return false }
        isComplete = true
        return update(settles: false)
    }

    private mutating func update(settles: Bool) -> Bool {
        guard peak > 0 else { return false }
        // A quarter of a doubling is 1.5 dB.
        let stepped = exp2((log2(1 / peak) * 4 + 1e-3).rounded(.down) / 4)
        let wanted = Self.fill * min(stepped, isComplete ? Self.limit : Self.growingLimit)
        guard isComplete || wanted < target, wanted != target else { return false }
        target = wanted
        // Nothing has been drawn before the first samples.
        if settles { shown = wanted }
        return true
    }

    /// Moves `shown` on.
    /// - Parameter elapsed: Seconds since the last call; less than 0 and no number count as 0.
    /// - Returns: Whether it moved.
    public mutating func advance(by elapsed: Double) -> Bool {
        guard shown != target else { return false }
        // 90 % of the way take 0.2 s.
        let share = Float(1 - exp(-elapsed.clamped(to: 0...10) * log(10) / 0.2))
        shown += (target - shown) * share
        if abs(shown / target - 1) < 0.005 { shown = target }
        return true
    }
}
