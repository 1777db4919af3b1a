/// Whether nothing has sounded for so long that the device may rest: no clock but the frames that were rendered.
struct IdleWatch: Equatable {
    /// Seconds of nothing after which the device rests.
    static let patience = 5.0

    var isEnabled = false
    private(set) var isResting = false
    private var content: Int64 = -1
    private var idleFrom: Int64 = 0

    /// - Parameters:
    ///   - all: Frames rendered so far.
    ///   - content: How many of them were content.
    /// - Returns: Whether the device is to rest now.
    mutating func rendered(all: Int64, content: Int64, sampleRate: Double) -> Bool {
        guard isEnabled, !isResting else { return false }
        if content != self.content {
            self.content = content
            idleFrom = all
        }
        isResting = Double(all - idleFrom) >= Self.patience * sampleRate
        return isResting
    }

    /// There is something to do again.
    /// - Returns: Whether the device has rested, and is to go on.
    mutating func wake() -> Bool {
        content = -1
        defer { isResting = false }
        return isResting
    }
}
