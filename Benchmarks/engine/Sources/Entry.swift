import AVFAudio
import Glibc

/// Renders one graph after the other, offline in blocks of 512 frames at 48 kHz in stereo, and prints what each cost:
/// a line of JSON with the processor time per second of sound, of all threads, the least of several runs.
///
///     syrinx-engine-benchmark [RUNS [NAME]]
///
/// With a name, only graphs whose names begin with it.
@main enum EngineBenchmark {
    static func main() throws {
        let runs = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 5
        let name = CommandLine.arguments.dropFirst(2).first ?? ""
        for workload in Workload.all where workload.name.hasPrefix(name) {
            var best = Double.infinity
            for _ in 0..<max(1, runs) { best = min(best, try cost(of: workload)) }
            print(#"{"name": "\#(workload.name)", "count": \#(workload.count), "cost": \#(best)}"#)
        }
    }

    /// Seconds of processor time for a second of sound.
    private static func cost(of workload: Workload) throws -> Double {
        let engine = AVAudioEngine()
        guard let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2),
            let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 512)
        else { return .infinity }
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 512)
        let prepare = try workload.build(engine)
        try engine.start()
        defer { engine.stop() }
        // What is made at the first render is not what a render costs.
        _ = try engine.renderOffline(512, to: buffer)
        let blocks = workload.seconds * 48_000 / 512
        let begin = processorSeconds()
        for block in 0..<blocks {
            prepare(block)
            _ = try engine.renderOffline(512, to: buffer)
        }
        return (processorSeconds() - begin) / (Double(blocks) * 512 / 48_000)
    }

    private static func processorSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
