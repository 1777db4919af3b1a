import Foundation
import SyrinxDSP

/// Shortens the pauses of raw samples from standard input: 32-bit float, interleaved.
///
/// The result goes to standard output, and the cuts and the time taken as JSON to standard error.
///
///     syrinx-smart-speed-benchmark RATE CHANNELS mild|medium|strong < in.f32 > out.f32
@main
enum SmartSpeedBenchmark {
    static func main() throws {
        let arguments = CommandLine.arguments
        let strengths: [String: PauseLengths] = ["mild": .mild, "medium": .medium, "strong": .strong]
        guard arguments.count == 4, let rate = Double(arguments[1]), let channels = Int(arguments[2]), channels > 0,
            let lengths = strengths[arguments[3]]
        else {
            FileHandle.standardError.write(Data("usage: \(arguments[0]) RATE CHANNELS mild|medium|strong\n".utf8))
            exit(64)
        }
        let data = try FileHandle.standardInput.readToEnd() ?? Data()
        let run = Run(rate: rate, channels: channels, lengths: lengths)
        run.work(data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) })
        run.output.withUnsafeBytes { FileHandle.standardOutput.write(Data($0)) }
        let list = run.cuts.map { "[\($0.outputFrame),\($0.frameCount)]" }.joined(separator: ",")
        FileHandle.standardError.write(Data("{\"seconds\":\(run.seconds),\"cuts\":[\(list)]}\n".utf8))
    }
}

/// One recording through the kernel, in blocks.
private final class Run {
    private static let blockFrames = 8_192

    private let shortener: SilenceShortener
    private let planes: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let channels: Int
    private(set) var output: [Float] = []
    private(set) var cuts: [SilenceShortener.Cut] = []
    /// The time that the kernel took.
    private(set) var seconds = 0.0

    init(rate: Double, channels: Int, lengths: PauseLengths) {
        self.channels = channels
        shortener = SilenceShortener(
            sampleRate: rate,
            channelCount: channels,
            maximumFrameCount: Self.blockFrames,
            lengths: lengths
        )
        planes = .allocate(capacity: channels)
        for channel in 0..<channels { (planes + channel).initialize(to: .allocate(capacity: Self.blockFrames)) }
    }

    deinit {
        for channel in 0..<channels { planes[channel].deallocate() }
        planes.deallocate()
    }

    func work(_ input: [Float]) {
        let frames = input.count / channels
        output.reserveCapacity(input.count)
        for start in stride(from: 0, to: frames, by: Self.blockFrames) {
            let count = min(Self.blockFrames, frames - start)
            for frame in 0..<count {
                for channel in 0..<channels { planes[channel][frame] = input[(start + frame) * channels + channel] }
            }
            let began = ContinuousClock.now
            shortener.write(planes, frameCount: count)
            seconds += (ContinuousClock.now - began) / .seconds(1)
            drain()
        }
        shortener.endInput()
        drain()
    }

    private func drain() {
        while true {
            let began = ContinuousClock.now
            let count = shortener.read(into: planes, frameCount: Self.blockFrames)
            seconds += (ContinuousClock.now - began) / .seconds(1)
            while let cut = shortener.takeCut() { cuts.append(cut) }
            guard count > 0 else { return }
            for frame in 0..<count {
                for channel in 0..<channels { output.append(planes[channel][frame]) }
            }
        }
    }
}
