/// The keys of the piece, with their MIDI numbers.
enum Key: Int {
    case c2 = 36
    case d2 = 38
    case e2 = 40
    case g2 = 43
    case a2 = 45
    case b2 = 47
    case b3 = 59
    case c4 = 60
    case d4 = 62
    case e4 = 64
    case fSharp4 = 66
    case g4 = 67
    case a4 = 69
    case b4 = 71
    case c5 = 72
    case d5 = 74
    case e5 = 76
    case fSharp5 = 78
    case g5 = 79
    case a5 = 81
    case b5 = 83
    case c6 = 84

    /// The frequency in hertz: equal temperament with A4 at 440 Hz.
    var frequency: Double {
        var frequency = 440.0
        let semitones = rawValue - Key.a4.rawValue
        for _ in 0..<abs(semitones) { frequency *= semitones > 0 ? Key.semitone : 1 / Key.semitone }
        return frequency
    }

    /// The twelfth root of 2.
    private static let semitone = 1.059_463_094_359_295_3
}

/// The sound of a part.
enum Timbre {
    /// A plucked string: a fast attack; the upper partials decay first.
    case pluck
    /// A held chord, with a slow attack and release.
    case pad
    /// A low, round note.
    case bass
    /// A wooden click.
    case click
}

/// A tone of the score.
struct Note: Equatable {
    /// The start in beats from the beginning of the piece.
    var start: Double
    /// The duration in beats, without the release.
    var beats: Double
    /// The frequency, in hertz.
    var frequency: Double
    /// The maximum level; 1 is full scale.
    var level: Double
    /// The panning, from −1 (left) to 1 (right).
    var pan: Double
}

/// All notes of a voice, sorted by start.
struct Part {
    var name: String
    var timbre: Timbre
    var notes: [Note]
}

/// The piece: sixteen bars in G, a tune over held chords and a bass, with a click on every beat.
struct Score {
    let beatsPerMinute = 96.0
    let beatsPerBar = 4.0
    /// The harmony of each bar: the three keys of the chord, and the bass.
    let harmony: [(chord: [Key], bass: Key)]
    let parts: [Part]

    /// The duration in seconds: 40.
    var duration: Double { Double(harmony.count) * beatsPerBar * 60 / beatsPerMinute }

    init() {
        let g = (chord: [Key.b3, .d4, .g4], bass: Key.g2)
        let d = (chord: [Key.d4, .fSharp4, .a4], bass: Key.d2)
        let eMinor = (chord: [Key.b3, .e4, .g4], bass: Key.e2)
        let c = (chord: [Key.c4, .e4, .g4], bass: Key.c2)
        let bMinor = (chord: [Key.b3, .d4, .fSharp4], bass: Key.b2)
        let aMinor = (chord: [Key.c4, .e4, .a4], bass: Key.a2)
        harmony = [g, d, eMinor, c, g, bMinor, c, d, g, d, eMinor, c, aMinor, d, g, g]
        parts = [
            Part(name: "tune", timbre: .pluck, notes: Score.tune(beatsPerBar: beatsPerBar)),
            Part(name: "chords", timbre: .pad, notes: Score.chords(harmony, beatsPerBar: beatsPerBar)),
            Part(name: "bass", timbre: .bass, notes: Score.bass(harmony, beatsPerBar: beatsPerBar)),
            Part(name: "click", timbre: .click, notes: Score.clicks(bars: harmony.count - 1, beatsPerBar: beatsPerBar)),
        ]
    }

    /// The tune, one bar per line: each key with its number of beats.
    private static let bars: [[(Key, Double)]] = [
        [(.g4, 1), (.b4, 0.5), (.d5, 0.5), (.g5, 1.5), (.fSharp5, 0.5)],
        [(.a4, 1), (.d5, 0.5), (.fSharp5, 0.5), (.a5, 1.5), (.g5, 0.5)],
        [(.g5, 1), (.fSharp5, 0.5), (.e5, 0.5), (.b4, 2)],
        [(.c5, 0.5), (.d5, 0.5), (.e5, 1), (.g5, 1), (.e5, 1)],
        [(.d5, 1.5), (.b4, 0.5), (.g4, 1), (.b4, 1)],
        [(.d5, 1), (.fSharp5, 1), (.b5, 1.5), (.a5, 0.5)],
        [(.g5, 1), (.e5, 0.5), (.g5, 0.5), (.c5, 2)],
        [(.a4, 0.5), (.b4, 0.5), (.c5, 0.5), (.d5, 0.5), (.e5, 0.5), (.fSharp5, 0.5), (.a5, 1)],
        [(.g4, 1), (.b4, 0.5), (.d5, 0.5), (.g5, 1.5), (.fSharp5, 0.5)],
        [(.a4, 1), (.d5, 0.5), (.fSharp5, 0.5), (.a5, 1.5), (.g5, 0.5)],
        [(.g5, 1), (.b5, 0.5), (.g5, 0.5), (.e5, 2)],
        [(.e5, 0.5), (.g5, 0.5), (.c6, 1), (.b5, 0.5), (.g5, 0.5), (.e5, 1)],
        [(.a5, 1), (.e5, 0.5), (.c5, 0.5), (.a4, 1), (.c5, 1)],
        [(.d5, 0.5), (.fSharp5, 0.5), (.a5, 1), (.fSharp5, 1), (.d5, 0.5), (.c5, 0.5)],
        [(.b4, 1), (.d5, 1), (.g5, 2)],
        [(.g4, 3)],
    ]

    private static func tune(beatsPerBar: Double) -> [Note] {
        var notes: [Note] = []
        for (bar, keys) in bars.enumerated() {
            var start = Double(bar) * beatsPerBar
            for (key, beats) in keys {
                notes.append(Note(start: start, beats: beats, frequency: key.frequency, level: 0.3, pan: 0.15))
                start += beats
            }
        }
        return notes
    }

    private static func chords(_ harmony: [(chord: [Key], bass: Key)], beatsPerBar: Double) -> [Note] {
        harmony.enumerated().flatMap { bar, harmony in
            zip(harmony.chord, [-0.6, 0, 0.6]).map { key, pan in
                // The last chord ends a beat early, so that its release ends with the piece.
                let beats = bar == Score.bars.count - 1 ? beatsPerBar - 1 : beatsPerBar
                return Note(
                    start: Double(bar) * beatsPerBar,
                    beats: beats,
                    frequency: key.frequency,
                    level: 0.07,
                    pan: pan
                )
            }
        }
    }

    private static func bass(_ harmony: [(chord: [Key], bass: Key)], beatsPerBar: Double) -> [Note] {
        harmony.enumerated().flatMap { bar, harmony in
            [0.0, 2.0].map { beat in
                Note(
                    start: Double(bar) * beatsPerBar + beat,
                    beats: bar == Score.bars.count - 1 ? 1 : 2,
                    frequency: harmony.bass.frequency,
                    level: 0.2,
                    pan: -0.1
                )
            }
        }
    }

    private static func clicks(bars: Int, beatsPerBar: Double) -> [Note] {
        (0..<bars * Int(beatsPerBar)).map { beat in
            let isFirst = beat % Int(beatsPerBar) == 0
            return Note(
                start: Double(beat),
                beats: 0.1,
                frequency: isFirst ? 1_760 : 1_175,
                level: isFirst ? 0.12 : 0.08,
                pan: 0.3
            )
        }
    }
}
