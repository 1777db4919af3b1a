/// The presets of a reverb.
///
/// Raw values are those of `AVAudioUnitReverbPreset`.
package enum ReverbPreset: Int, Sendable, CaseIterable {
    case smallRoom, mediumRoom, largeRoom, mediumHall, largeHall, plate, mediumChamber, largeChamber, cathedral
    case largeRoom2, mediumHall2, mediumHall3, largeHall2
}

/// The settings of a reverb.
package struct ReverbSettings: Equatable, Sendable {
    /// Seconds in which the sound falls by 60 dB at 1 kHz.
    package var decayTime: Double
    /// The decay time of the octave around 8 kHz as a part of that.
    package var highDecay: Double
    /// Seconds before the first reflections, at most `longestPreDelay`.
    package var preDelay: Double
    /// The mean length of the delay lines in seconds, at most `longestSize`.
    package var size: Double

    package static let longestPreDelay = 0.1
    package static let longestSize = 0.07

    package init(decayTime: Double, highDecay: Double, preDelay: Double, size: Double) {
        (self.decayTime, self.highDecay, self.preDelay, self.size) = (decayTime, highDecay, preDelay, size)
    }

    /// The settings of a preset, which are Syrinx's own.
    package init(_ preset: ReverbPreset) {
        switch preset {
        case .smallRoom: self.init(decayTime: 0.45, highDecay: 0.5, preDelay: 0.004, size: 0.028)
        case .mediumRoom: self.init(decayTime: 0.8, highDecay: 0.5, preDelay: 0.008, size: 0.027)
        case .largeRoom: self.init(decayTime: 1.2, highDecay: 0.5, preDelay: 0.012, size: 0.03)
        case .largeRoom2: self.init(decayTime: 1.5, highDecay: 0.5, preDelay: 0.014, size: 0.03)
        case .mediumHall: self.init(decayTime: 1.8, highDecay: 0.5, preDelay: 0.018, size: 0.038)
        case .mediumHall2: self.init(decayTime: 2.1, highDecay: 0.5, preDelay: 0.02, size: 0.041)
        case .mediumHall3: self.init(decayTime: 2.3, highDecay: 0.5, preDelay: 0.024, size: 0.044)
        case .largeHall: self.init(decayTime: 2.7, highDecay: 0.5, preDelay: 0.025, size: 0.048)
        case .largeHall2: self.init(decayTime: 3.2, highDecay: 0.5, preDelay: 0.03, size: 0.052)
        case .plate: self.init(decayTime: 2, highDecay: 0.7, preDelay: 0.001, size: 0.026)
        case .mediumChamber: self.init(decayTime: 1.1, highDecay: 0.5, preDelay: 0.008, size: 0.026)
        case .largeChamber: self.init(decayTime: 1.7, highDecay: 0.5, preDelay: 0.012, size: 0.034)
        case .cathedral: self.init(decayTime: 4.8, highDecay: 0.35, preDelay: 0.035, size: 0.062)
        }
    }

    /// Seconds in which the wet sound falls below what is kept, 180 dB down.
    package func tailTime(sampleRate: Double) -> Double {
        // The longest decay is that at 0 Hz, of the longest line.
        let damping = ReverbDamping(self, seconds: size * ReverbLines.longestFactor, sampleRate: sampleRate)
        return preDelay + 0.3 + 3 * damping.decayTime(at: 0)
    }
}
