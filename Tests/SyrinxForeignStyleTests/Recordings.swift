import Foundation
import SyrinxTestSupport
import Testing

/// A recording that `ffmpeg` makes, and what it decodes it to.
struct Recording: CustomTestStringConvertible, Sendable {
    let name: String
    var options: [String] = []
    var testDescription: String { name }

    static let all = [
        Recording(name: "a.mp3", options: ["-b:a", "96k"]),
        Recording(name: "vbr.mp3", options: ["-q:a", "4"]),
        Recording(name: "a.aac", options: ["-aac_pns", "0"]),
        Recording(name: "a.m4a", options: ["-aac_pns", "0", "-movflags", "+faststart"]),
        Recording(name: "a.flac"),
        Recording(name: "a.wav"),
    ]

    /// The bytes of the file, and its samples: all that the decoder gives, with the encoder's delay and padding.
    func make(seconds: Double = 4) throws -> (bytes: Data, samples: [Float]) {
        let folder = try ScratchDirectory()
        let file = folder.url(name).path
        let sound = "aevalsrc=0.3*sin(2*PI*440*t)|0.2*sin(2*PI*(550+90*t)*t):s=44100:d=\(seconds)"
        try FFmpeg.run(["-f", "lavfi", "-i", sound] + options + [file])
        let raw = folder.url("raw").path
        try FFmpeg.run(["-flags2", "+skip_manual", "-i", file, "-f", "f32le", "-c:a", "pcm_f32le", raw])
        let samples = try Data(contentsOf: URL(fileURLWithPath: raw))
        return (
            try Data(contentsOf: URL(fileURLWithPath: file)),
            samples.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        )
    }
}

extension Data {
    /// The bytes in pieces of one size, as a network gives them.
    func pieces(of size: Int) -> [Data] {
        stride(from: 0, to: count, by: size).map { subdata(in: $0..<Swift.min($0 + size, count)) }
    }
}
