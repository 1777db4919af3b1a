import SyrinxAnalysis
import SyrinxMediaCodec

/// The measures of a recording besides its loudness, computed while it is decoded.
struct SoundMeasures {
    /// A measure that the user can request.
    enum Kind: Sendable { case speech, clipping, edges, statistics, hash, fingerprint }

    /// The names of the fields.
    enum Name: String, CodingKey {
        case speech, music, clipped, silenceAtStart, silenceAtEnd, dcOffset, correlation, centroid, soundHash,
            fingerprint
    }

    /// A value of a result; missing values are written as `null`.
    enum Value: Equatable {
        case number(Double?)
        case count(Int64)
        case text(String?)
    }

    /// A field of a result.
    struct Field: Equatable {
        let name: Name
        let value: Value
    }

    private let info: MediaInfo
    private let kinds: Set<Kind>
    private var speech: SpeechMusicDetector?
    private var clipping: ClippingDetector?
    private var edges: SilentEdges?
    private var statistics: SampleStatistics?
    private var centroid: SpectralCentroid?
    private var hash: SoundHash?
    private var fingerprint: AcousticFingerprint?

    /// Creates the measures of `kinds` for a recording.
    ///
    /// If a fingerprint cannot be computed, the other measures still are.
    init(_ kinds: Set<Kind>, info: MediaInfo) {
        self.info = info
        self.kinds = kinds
        let (rate, channels) = (info.sampleRate, info.channelCount)
        if kinds.contains(.speech) { speech = SpeechMusicDetector(sampleRate: rate, channelCount: channels) }
        if kinds.contains(.clipping) { clipping = ClippingDetector(channelCount: channels) }
        if kinds.contains(.edges) { edges = SilentEdges() }
        if kinds.contains(.statistics) {
            statistics = SampleStatistics(channelCount: channels)
            centroid = SpectralCentroid(sampleRate: rate, channelCount: channels)
        }
        if kinds.contains(.hash) { hash = SoundHash(sampleRate: rate, channelCount: channels) }
        if kinds.contains(.fingerprint) {
            fingerprint = try? AcousticFingerprint(sampleRate: rate, channelCount: channels)
        }
    }

    /// Processes the next samples, with one pointer per channel.
    mutating func append(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) {
        speech?.append(channels, frameCount: frameCount)
        clipping?.append(channels, frameCount: frameCount)
        edges?.append(channels, channelCount: info.channelCount, frameCount: frameCount)
        statistics?.append(channels, frameCount: frameCount)
        centroid?.append(channels, frameCount: frameCount)
        hash?.append(channels, frameCount: frameCount)
        fingerprint?.append(channels, frameCount: frameCount)
    }

    /// Ends the recording, and returns the fields of all measures.
    func finish() -> [Field] {
        var fields: [Field] = []
        func add(_ name: Name, _ value: Double?, places: Double = 1e6) {
            fields.append(Field(name: name, value: .number(value.map { ($0 * places).rounded() / places })))
        }
        if let shares = speech?.finish() {
            add(.speech, shares.speech, places: 1e4)
            add(.music, shares.music, places: 1e4)
        }
        if let clipping { fields.append(Field(name: .clipped, value: .count(clipping.clippedSampleCount))) }
        if let edges {
            add(.silenceAtStart, Double(edges.startFrameCount) / info.sampleRate)
            add(.silenceAtEnd, Double(edges.endFrameCount) / info.sampleRate)
        }
        if let statistics {
            add(.dcOffset, statistics.dcOffset, places: 1e9)
            add(.correlation, statistics.correlation)
            add(.centroid, centroid?.finish(), places: 1e2)
        }
        if let hash { fields.append(Field(name: .soundHash, value: .text(hash.finalize()))) }
        if kinds.contains(.fingerprint) {
            fields.append(Field(name: .fingerprint, value: .text(fingerprint?.finish())))
        }
        return fields
    }
}
