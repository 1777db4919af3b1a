internal import SyrinxDSP

/// The weight of each channel in the loudness (ITU-R BS.1770-5): 0 for low-frequency effects, 1.41 for side channels,
/// otherwise 1.
public struct ChannelWeights: Sendable, Equatable {
    /// The weights, in the channel order of the samples.
    public let values: [Double]

    /// Creates custom weights.
    public init(_ values: [Double]) { self.values = values }

    /// Creates the weights for an FFmpeg channel layout, as in `MediaInfo.channelLayout`.
    ///
    /// For an unknown layout, the usual layout for `channelCount` channels applies.
    public init(layout: String, channelCount: Int) {
        if let known = Self.known[layout], known.count == channelCount {
            values = known
        } else {
            values = KWeighting.usualWeights(channelCount: channelCount)
        }
    }

    private static let side = 1.41
    /// In FFmpeg's order: front left and right, center, low frequency, back, side.
    private static let known: [String: [Double]] = [
        "mono": [1], "stereo": [1, 1], "downmix": [1, 1], "2.1": [1, 1, 0], "3.0": [1, 1, 1], "3.0(back)": [1, 1, 1],
        "3.1": [1, 1, 1, 0], "4.0": [1, 1, 1, 1], "4.1": [1, 1, 1, 0, 1],
        "quad": [1, 1, side, side], "quad(side)": [1, 1, side, side],
        "5.0": [1, 1, 1, side, side], "5.0(side)": [1, 1, 1, side, side],
        "5.1": [1, 1, 1, 0, side, side], "5.1(side)": [1, 1, 1, 0, side, side],
        "6.0": [1, 1, 1, 1, side, side], "6.1": [1, 1, 1, 0, 1, side, side],
        "7.0": [1, 1, 1, 1, 1, side, side], "7.1": [1, 1, 1, 0, 1, 1, side, side],
    ]
}
