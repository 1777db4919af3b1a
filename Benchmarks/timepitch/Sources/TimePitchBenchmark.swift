import Foundation
import SyrinxDSP

/// Changes rate and pitch of a WAV file by the kernel alone, without a program around it.
///
///     syrinx-time-pitch-benchmark render [--rate R] [--pitch CENTS] [--algorithm NAME] [--overlap N] [--formants]
///         [--repeat N] IN.wav OUT.wav
///
/// The options are those of `syrinx render`, so that the scripts can measure either program. `--formants` preserves the
/// formants. `--repeat` prints the least processor time of N runs, in seconds.
@main
enum TimePitchBenchmark {
    static func main() throws {
        var options = Options()
        guard options.read(Array(CommandLine.arguments.dropFirst())), options.files.count == 2 else {
            FileHandle.standardError.write(Data("usage: see TimePitchBenchmark.swift\n".utf8))
            exit(64)
        }
        let input = try WAVFile(contentsOf: options.files[0])
        var (output, least) = ([[Float]](), Double.infinity)
        for _ in 0..<max(options.repeats, 1) {
            let run = Run(input, options)
            let start = processorTime()
            run.work()
            least = min(least, processorTime() - start)
            output = run.output
        }
        if options.repeats > 0 { print(least) }
        try WAVFile(sampleRate: input.sampleRate, channels: output).write(to: options.files[1])
    }

    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}

/// The command line.
private struct Options {
    var rate = 1.0
    var cents = 0.0
    var overlap = 8.0
    var algorithm = TimePitchAlgorithm.automatic
    var preservesFormants = false
    var repeats = 0
    var files: [String] = []

    /// Reads the arguments; returns `false` for a missing or wrong value.
    mutating func read(_ arguments: [String]) -> Bool {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            switch name {
            case "render": continue
            case "--formants": preservesFormants = true
            case _ where name.hasPrefix("--"):
                guard let value = rest.popFirst(), set(name, value) else { return false }
            default: files.append(name)
            }
        }
        return true
    }

    private mutating func set(_ name: String, _ value: String) -> Bool {
        let algorithms: [String: TimePitchAlgorithm] = ["spectral": .spectral, "timeDomain": .timeDomain]
        switch (name, Double(value)) {
        case ("--rate", let number?): rate = number
        case ("--pitch", let number?): cents = number
        case ("--overlap", let number?): overlap = number
        // Bounded: 1000.
        case ("--repeat", let number?) where (0...1000).contains(number): repeats = Int(number)
        case ("--algorithm", _): algorithm = algorithms[value] ?? .automatic
        case ("--sample-format", _): return value == "f32"
        default: return false
        }
        return true
    }
}

/// One file through the kernel, in blocks.
private final class Run {
    private static let blockFrames = 1_024
    private static let mostFrames = 4_096

    private let input: [[Float]]
    private let kernel: TimePitchKernel
    private let source: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let target: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private var fed = 0
    private(set) var output: [[Float]]

    init(_ file: WAVFile, _ options: Options) {
        input = file.channels
        output = input.map { _ in [] }
        kernel = TimePitchKernel(
            sampleRate: Double(file.sampleRate),
            channelCount: input.count,
            maximumFrameCount: Self.mostFrames
        )
        kernel.setRate(options.rate)
        kernel.setPitch(cents: options.cents)
        kernel.setOverlap(options.overlap)
        kernel.setAlgorithm(options.algorithm)
        kernel.setPreservesFormants(options.preservesFormants)
        source = .allocate(capacity: input.count)
        target = .allocate(capacity: input.count)
        for channel in input.indices {
            (source + channel).initialize(to: .allocate(capacity: Self.mostFrames))
            (target + channel).initialize(to: .allocate(capacity: Self.mostFrames))
        }
    }

    deinit {
        for channel in input.indices {
            source[channel].deallocate()
            target[channel].deallocate()
        }
        source.deallocate()
        target.deallocate()
    }

    func work() {
        while true {
            feed(kernel.requiredInput(forOutput: Self.blockFrames))
            let count = kernel.read(into: target, frameCount: Self.blockFrames)
            for channel in output.indices {
                output[channel].append(contentsOf: UnsafeBufferPointer(start: target[channel], count: count))
            }
            if count < Self.blockFrames { return }
        }
    }

    private func feed(_ needed: Int) {
        var left = needed
        while left > 0 {
            let count = min(left, Self.mostFrames, input[0].count - fed)
            guard count > 0 else { return kernel.endInput() }
            for channel in input.indices {
                input[channel].withUnsafeBufferPointer { samples in
                    guard let base = samples.baseAddress else { return }
                    source[channel].update(from: base + fed, count: count)
                }
            }
            kernel.write(source, frameCount: count)
            fed += count
            left -= count
        }
    }
}
