import CoreMedia
import SyrinxTestSupport

/// Times made up at random, with the numbers at which arithmetic goes wrong among them.
struct RandomTimes {
    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    mutating func value() -> Int64 {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return [0, 1, -1, .max, .min, .max - 1, .min + 1].randomElement(using: &random) ?? 0
        case 1:
            let power = Int64(1) << Int64.random(in: 0..<63, using: &random)
            return (Bool.random(using: &random) ? power : -power) &+ Int64.random(in: -1...1, using: &random)
        case 2: return Int64.random(in: -100_000...100_000, using: &random)
        default: return Int64.random(in: .min ... .max, using: &random)
        }
    }

    mutating func factor() -> Int32 {
        switch Int.random(in: 0..<3, using: &random) {
        case 0: return [0, 1, -1, .max, .min, 2, -2, 3].randomElement(using: &random) ?? 1
        case 1: return Int32.random(in: -1000...1000, using: &random)
        default: return Int32.random(in: .min ... .max, using: &random)
        }
    }

    mutating func scale() -> Int32 {
        let usual: [Int32] = [1, 2, 3, 24, 30, 600, 1001, 30000, 44100, 48000, 65535, 65536, 90000, 1_000_000_000]
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return [.max, .max - 1, .max / 2, 1 << 30].randomElement(using: &random) ?? 1
        case 1: return Int32.random(in: 1 ... .max, using: &random)
        default: return usual.randomElement(using: &random) ?? 1
        }
    }

    mutating func number() -> CMTime { CMTimeMake(value: value(), timescale: scale()) }

    mutating func multiplier() -> Double {
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            return [0, 1, -1, 0.5, 1.5, 1e300, -1e300, 1e-300, .leastNonzeroMagnitude].randomElement(using: &random)
                ?? 1
        case 1: return Double(value())
        case 2: return Double.random(in: -4...4, using: &random)
        default:
            let power = Double(sign: .plus, exponent: Int.random(in: -80...80, using: &random), significand: 1)
            return power * Double.random(in: -2...2, using: &random)
        }
    }

    /// Any bytes, as a broken file or a careless program would have them.
    mutating func anything() -> CMTime {
        CMTime(
            value: value(),
            timescale: Bool.random(using: &random) ? factor() : scale(),
            flags: CMTimeFlags(rawValue: UInt32.random(in: 0..<64, using: &random)),
            epoch: Bool.random(using: &random) ? 0 : Int64.random(in: -1...1, using: &random)
        )
    }
}

extension CMTime {
    /// All four fields, to compare more than the time.
    var fields: [Int64] { [value, Int64(timescale), Int64(flags.rawValue), epoch] }
}
