/// The choice of a bit rate for a line.
struct HLSRateChoice {
    /// Bits a second of the renditions, ascending.
    let levels: [Int64]
    let current: Int
    /// Seconds that have to be in hand before a higher bit rate is tried.
    var secondsToGoUp = 8.0

    /// So much of a line's rate a rendition may take to be gone over to.
    private static let shareUp = 0.7
    /// And so much one that is being played.
    private static let shareToStay = 0.9
    /// And so much one that is gone over to because the line is slow.
    private static let shareDown = 0.8

    /// Returns the rendition to play.
    /// - Parameters:
    ///   - ahead: Seconds of it that have been fetched or are being fetched.
    ///   - isUsable: Whether a rendition may be chosen.
    func level(bitsPerSecond: Double, ahead: Double, isUsable: (Int) -> Bool) -> Int {
        func highest(_ share: Double) -> Int? {
            levels.indices.last { Double(levels[$0]) <= bitsPerSecond * share && isUsable($0) }
        }
        if Double(levels[current]) > bitsPerSecond * Self.shareToStay {
            let lower = highest(Self.shareDown) ?? levels.indices.first(where: isUsable) ?? current
            return min(lower, current)
        }
        guard ahead >= secondsToGoUp, let higher = highest(Self.shareUp), higher > current else { return current }
        return higher
    }
}
