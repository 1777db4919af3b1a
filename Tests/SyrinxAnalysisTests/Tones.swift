import AVFAudio
import Foundation
import SyrinxAnalysis

/// Samples given to something that takes pointers.
func withChannels(_ channels: [[Float]], _ body: (UnsafePointer<UnsafeMutablePointer<Float>>, Int) -> Void) {
    let count = channels.first?.count ?? 0
    let storage = UnsafeMutablePointer<Float>.allocate(capacity: max(count * channels.count, 1))
    let pointers = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: channels.count)
    defer {
        storage.deallocate()
        pointers.deallocate()
    }
    for (index, samples) in channels.enumerated() {
        (storage + index * count).initialize(from: samples, count: count)
        (pointers + index).initialize(to: storage + index * count)
    }
    body(UnsafePointer(pointers), count)
}

/// A tone of 1 kHz whose level changes: what EBU Tech 3341 and 3342 are tested with.
struct Tone {
    var sampleRate = 12_000.0
    /// The same signal goes to each; a level is added to that of the step.
    var channelLevels = [0.0, 0.0]
    /// Seconds and decibels of full scale (−∞ for silence), one after the other.
    var steps: [(seconds: Double, decibels: Double)]

    /// Gives the tone to `meter` in pieces of 10 ms; `look` sees the meter after each.
    func play(into meter: inout LoudnessMeter, _ look: (Double, LoudnessMeter) -> Void = { _, _ in }) {
        var frame = 0
        var end = 0.0
        let piece = Int(sampleRate / 100)
        let gains = channelLevels.map { Float(pow(10, $0 / 20)) }
        // A second of 1 kHz is whole periods at every rate.
        let sine = (0..<Int(sampleRate)).map {
            Float(sin(2 * .pi * (1000 * Double($0) / sampleRate).truncatingRemainder(dividingBy: 1)))
        }
        for step in steps {
            end += step.seconds
            let last = Int((end * sampleRate).rounded())
            let amplitude = Float(pow(10, step.decibels / 20))
            while frame < last {
                let count = min(piece - frame % piece, last - frame)
                let wave = (frame..<frame + count).map { amplitude * sine[$0 % sine.count] }
                let channels = gains.map { gain in gain == 1 ? wave : wave.map { $0 * gain } }
                withChannels(channels) { meter.append($0, frameCount: $1) }
                frame += count
                if frame % piece == 0 { look(Double(frame) / sampleRate, meter) }
            }
        }
    }

    func report(options: LoudnessMeter.Options = []) -> LoudnessReport {
        var meter = LoudnessMeter(sampleRate: sampleRate, channelCount: channelLevels.count, options: options)
        play(into: &meter)
        return meter.report
    }
}
