import Foundation
import SyrinxTestSupport

/// Inputs that the tests make: a chirp with a click each second, so that every moment is unlike every other.
enum Inputs {
    /// Makes `name` in `scratch` with `ffmpeg`, `seconds` long.
    static func make(
        _ name: String,
        in scratch: ScratchDirectory,
        seconds: Double = 8,
        arguments: [String] = [],
        sampleRate: Int = 44_100
    ) throws -> String {
        let path = scratch.file(name)
        let left = "0.3*sin(2*PI*(200+40*t)*t)+0.2*lt(mod(t\\,1)\\,0.004)"
        let right = "0.3*sin(2*PI*(300+25*t)*t)"
        try FFmpeg.make(path, from: "aevalsrc=\(left)|\(right):s=\(sampleRate):d=\(seconds)", arguments)
        return path
    }

    /// Returns the samples that `ffmpeg` decodes, one array for each channel.
    static func decoded(_ path: String, channelCount: Int = 2, rate: Int? = nil) throws -> [[Float]] {
        let resample = rate.map { ["-ar", "\($0)"] } ?? []
        return deinterleave(try FFmpeg.decode(path, resample), channelCount: channelCount)
    }

    static func bytes(_ path: String) throws -> [UInt8] {
        try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
    }
}
