/// The choice of a bit rate for a line.
struct HLSRateChoice {
    /// Bits a second of the renditions, ascending.
    let levels: [Int64]
    let current: Int
    /// The number of buffered seconds required before a higher bit rate is tried.
    var secondsToGoUp = 8.0

    /// The maximum fraction of the bandwidth that a rendition may need for switching up to it.
    private static let shareUp = 0.7
    /// The maximum fraction of the bandwidth that the current rendition may need.
    private static let shareToStay = 0.9
    /// The maximum fraction of the bandwidth that a rendition may need for switching down to it.
    private static let shareDown = 0.8

    /// Returns the rendition to play.
    /// - Parameters:
    ///   - ahead: The seconds that were fetched or are being fetched.
    ///   - isUsable: Returns whether a rendition may be selected.
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
