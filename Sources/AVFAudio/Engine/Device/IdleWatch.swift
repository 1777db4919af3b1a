/// Decides when a silent device may pause.
///
/// Time is measured in rendered frames, without a clock.
struct IdleWatch: Equatable {
    /// Seconds of silence after which the device pauses.
    static let patience = 5.0

    var isEnabled = false
    private(set) var isResting = false
    private var content: Int64 = -1
    private var idleFrom: Int64 = 0

    /// Records rendered frames.
    /// - Parameters:
    ///   - all: The total number of frames rendered so far.
    ///   - content: The number of those frames that were content.
    /// - Returns: Whether the device should pause now.
    mutating func rendered(all: Int64, content: Int64, sampleRate: Double) -> Bool {
        guard isEnabled, !isResting else { return false }
        if content != self.content {
            self.content = content
            idleFrom = all
        }
        isResting = Double(all - idleFrom) >= Self.patience * sampleRate
        return isResting
    }

    /// Records new activity.
    /// - Returns: Whether the device was paused and has to resume.
    mutating func wake() -> Bool {
        content = -1
        defer { isResting = false }
        return isResting
    }
}
