import Foundation

/// The sound of a note.
///
/// A frame depends only on its index, so the block size has no effect on the result.
struct Voice {
    /// The index of the first frame.
    let firstFrame: Int
    /// The number of frames, including the release.
    let frameCount: Int

    private let held: Double
    private let shape: Shape
    private let partialCount: Int
    /// The weight of each partial; the sum is 1.
    private let weights: SIMD8<Double>
    private let frequency: Double
    private let sampleRate: Double
    private let left: Double
    private let right: Double

    /// The envelope of a timbre; times in seconds.
    private struct Shape {
        /// The time from silence to the full level.
        var attack: Double
        /// The decay of the first partial in one second, in nepers.
        var decay: Double
        /// The additional decay of each further partial.
        var decayPerPartial: Double
        /// The time from the end of the note to silence.
        var release: Double
        /// The exponent *s* of the level of partial *n*: *n* to the power of −*s*, for at most eight partials.
        var slope: Double
    }

    /// Creates the sound of a note.
    init(_ note: Note, timbre: Timbre, beatsPerMinute: Double, sampleRate: Double) {
        switch timbre {
        case .pluck:
            shape = Shape(attack: 0.004, decay: 1.6, decayPerPartial: 2.4, release: 0.08, slope: 1.3)
            partialCount = 5
        case .pad:
            shape = Shape(attack: 0.18, decay: 0, decayPerPartial: 0, release: 0.35, slope: 2.2)
            partialCount = 3
        case .bass:
            shape = Shape(attack: 0.01, decay: 0.9, decayPerPartial: 1.5, release: 0.1, slope: 1.6)
            partialCount = 3
        case .click:
            shape = Shape(attack: 0.001, decay: 70, decayPerPartial: 40, release: 0.01, slope: 1.5)
            partialCount = 2
        }
        var weights = SIMD8<Double>(repeating: 0)
        for partial in 1...partialCount { weights[partial - 1] = pow(Double(partial), -shape.slope) }
        self.weights = weights / weights.sum()
        let secondsPerBeat = 60 / beatsPerMinute
        firstFrame = Int((note.start * secondsPerBeat * sampleRate).rounded())
        held = note.beats * secondsPerBeat
        frameCount = Int(((held + shape.release) * sampleRate).rounded(.up))
        frequency = note.frequency
        self.sampleRate = sampleRate
        // Equal-power panning: the loudness does not depend on the direction.
        let angle = (note.pan + 1) * Double.pi / 4
        left = note.level * cos(angle)
        right = note.level * sin(angle)
    }

    /// Adds `count` frames, starting at frame `position`, to both channels.
    func add(
        to leftChannel: UnsafeMutablePointer<Float>,
        _ rightChannel: UnsafeMutablePointer<Float>,
        at position: Int,
        count: Int
    ) {
        let begin = max(position, firstFrame)
        let end = min(position + count, firstFrame + frameCount)
        var frame = begin
        while frame < end {
            let value = value(at: Double(frame - firstFrame) / sampleRate)
            leftChannel[frame - position] += Float(value * left)
            rightChannel[frame - position] += Float(value * right)
            frame += 1
        }
    }

    /// Returns the sample at `time` seconds after the start of the note, −1 to 1.
    private func value(at time: Double) -> Double {
        var sum = 0.0
        var partial = 0
        while partial < partialCount {
            let decay = exp(-time * (shape.decay + shape.decayPerPartial * Double(partial)))
            sum += weights[partial] * decay * sin(2 * .pi * frequency * Double(partial + 1) * time)
            partial += 1
        }
        return sum * envelope(at: time)
    }

    private func envelope(at time: Double) -> Double {
        let attack = min(1, time / shape.attack)
        let release = time < held ? 1 : max(0, 1 - (time - held) / shape.release)
        return attack * release
    }
}

/// Renders a part of the score for a source node.
///
/// Unchecked, because only `init` writes the memory.
final class PartRenderer: @unchecked Sendable {
    private let voices: UnsafeMutablePointer<Voice>
    private let count: Int

    /// Creates the sounds of the notes at `sampleRate`.
    init(_ part: Part, beatsPerMinute: Double, sampleRate: Double) {
        count = part.notes.count
        voices = .allocate(capacity: count)
        for (index, note) in part.notes.enumerated() {
            let voice = Voice(note, timbre: part.timbre, beatsPerMinute: beatsPerMinute, sampleRate: sampleRate)
            (voices + index).initialize(to: voice)
        }
    }

    deinit {
        voices.deinitialize(count: count)
        voices.deallocate()
    }

    /// Writes `frameCount` frames, starting at frame `position`, to both channels.
    /// - Returns: Whether a note sounds.
    func render(
        left: UnsafeMutablePointer<Float>,
        right: UnsafeMutablePointer<Float>,
        at position: Int,
        count frameCount: Int
    ) -> Bool {
        left.update(repeating: 0, count: frameCount)
        right.update(repeating: 0, count: frameCount)
        var sounds = false
        var index = 0
        while index < count {
            let voice = voices[index]
            if voice.firstFrame < position + frameCount && position < voice.firstFrame + voice.frameCount {
                voice.add(to: left, right, at: position, count: frameCount)
                sounds = true
            }
            index += 1
        }
        return sounds
    }
}
