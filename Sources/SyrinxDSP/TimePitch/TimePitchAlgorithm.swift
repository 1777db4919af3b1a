/// The algorithms for changing rate and pitch.
package enum TimePitchAlgorithm: Int, Sendable, CaseIterable {
    /// The algorithm with the best measurements: `spectral`, for music and for speech.
    ///
    /// It is `spectral` for speech, too. On four recordings of speech at rates 1.5, 2 and 3, pitch and number of
    /// onsets were nearer to the source than with `timeDomain` in most of the twelve cases.
    case automatic
    /// A phase vocoder, for music and anything else.
    case spectral
    /// Overlapping segments of the waveform (WSOLA), for speech: a quarter of the processing cost, for sounds with one
    /// pitch.
    case timeDomain
}
