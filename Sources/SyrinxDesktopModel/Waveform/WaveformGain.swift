import Foundation

/// Computes the factor at which the loudest sample of a waveform nearly fills its height.
///
/// While a waveform is loading, the factor only decreases, in steps of 1.5 dB. It may increase once, when loading is
/// complete. `shown` approaches the factor smoothly.
public struct WaveformGain: Sendable, Equatable {
    /// The maximum factor while loading, because a soft start is usually followed by louder audio.
    private static let growingLimit: Float = 4
    /// The maximum factor: 30 dB.
    private static let limit: Float = 32
    /// The fraction of the height that the loudest sample fills.
    private static let fill: Float = 0.96

    /// The factor for drawing new tiles.
    public private(set) var target: Float
    /// The factor that is currently displayed.
    public private(set) var shown: Float
    private var peak: Float = 0
    private var isComplete = false

    /// Creates the factor of an empty waveform.
    public init() {
        target = Self.growingLimit * Self.fill
        shown = target
    }

    /// Whether `shown` has reached `target`, so that no further frame is needed.
    public var isStill: Bool { shown == target }

    /// Updates the factor for the highest peak so far.
    /// - Parameter peak: The peak, clamped to 0…1; NaN counts as 0.
    /// - Returns: Whether `target` has changed.
    public mutating func observe(peak: Float) -> Bool {
        guard peak > self.peak else { return false }
        let isFirst = self.peak == 0
        self.peak = min(peak, 1)
        return update(settles: isFirst)
    }

    /// Called when the waveform is complete.
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
        // Before the first samples nothing was drawn, so no transition is needed.
        if settles { shown = wanted }
        return true
    }

    /// Advances `shown` toward `target`.
    /// - Parameter elapsed: The time since the last call in seconds; negative values and NaN count as 0.
    /// - Returns: Whether it has changed.
    public mutating func advance(by elapsed: Double) -> Bool {
        guard shown != target else { return false }
        // 90 % of the change take 0.2 s.
        let share = Float(1 - exp(-elapsed.clamped(to: 0...10) * log(10) / 0.2))
        shown += (target - shown) * share
        if abs(shown / target - 1) < 0.005 { shown = target }
        return true
    }
}
