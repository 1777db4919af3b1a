/// The ways to change how fast sound goes by.
public enum TimePitchAlgorithm: Int, Sendable, CaseIterable {
    /// What suits an input of which nothing is known: `spectral`.
    case automatic
    /// A phase vocoder, for music and anything else.
    case spectral
    /// Pieces of the waveform joined where they fit, for speech: crisper and cheaper, but it needs a single pitch at a time.
    case timeDomain
}
