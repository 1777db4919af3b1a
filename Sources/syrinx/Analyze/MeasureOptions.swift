import ArgumentParser
import SyrinxAnalysis
import SyrinxListening

/// The options of `analyze` that add measures to each result.
struct MeasureOptions: ParsableArguments {
    @Flag(help: "Add the fractions of speech and of music (speech, music: 0 … 1)")
    var speech = false

    @Flag(help: "Add the number of samples in runs of 3 or more at full scale (clipped)")
    var clipping = false

    @Flag(help: "Add the seconds of digital silence at both ends (silenceAtStart, silenceAtEnd)")
    var edges = false

    @Flag(
        help: """
            Add the DC offset, the correlation of left and right, and the spectral centroid in hertz (dcOffset, correlation, \
            centroid)
            """
    )
    var statistics = false

    @Flag(help: "Add a hash of the decoded samples, equal for equal sound in lossless files (soundHash)")
    var hash = false

    @Flag(
        help:
            "Add Chromaprint's fingerprint of the first two minutes, if the library is installed (fingerprint)"
    )
    var fingerprint = false

    /// The requested measures.
    var kinds: Set<SoundMeasures.Kind> {
        let all: [(Bool, SoundMeasures.Kind)] = [
            (speech, .speech), (clipping, .clipping), (edges, .edges), (statistics, .statistics), (hash, .hash),
            (fingerprint, .fingerprint),
        ]
        return Set(all.filter { $0.0 }.map { $0.1 })
    }

    /// Warns about requested measures that are unavailable on this system.
    func warn(_ context: CommandContext) {
        guard fingerprint, !AcousticFingerprint.isAvailable else { return }
        let message = "\(AcousticFingerprint.libraryName) cannot be loaded, so fingerprints are omitted"
        context.console.say(
            Failure(code: .chromaprintMissing, message: message, name: "--fingerprint").warningLine
        )
    }
}
