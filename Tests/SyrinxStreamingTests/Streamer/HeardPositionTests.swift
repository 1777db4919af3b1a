import AVFAudio
import Foundation
import Synchronization
import SyrinxDevice
import SyrinxTestSupport
import Testing

@testable import SyrinxStreaming

/// The told time beside the sound: two tones take turns, each half second of the recording.
@Suite("The time that is told is that of the sound") struct HeardPositionTests {
    private static let tones = [600.0, 1_400.0]
    private static let sampleRate = 44_100.0

    private func makeTones(_ scratch: ScratchDirectory, seconds: Double) throws -> URL {
        let path = scratch.file("tones.wav")
        let (first, second) = ("0.5*sin(2*PI*\(Self.tones[0])*t)", "0.5*sin(2*PI*\(Self.tones[1])*t)")
        let source = "aevalsrc=if(lt(mod(t+0.00001\\,1)\\,0.5)\\,\(first)\\,\(second)):s=44100:d=\(seconds)"
        try FFmpeg.make(path, from: source, [])
        return URL(fileURLWithPath: path)
    }

    /// Returns the level of a tone around each 32nd frame, in a window of 20 ms.
    private func levels(_ samples: [Float], of tone: Double) -> [Double] {
        let half = 441
        var (real, imaginary) = ([0.0], [0.0])
        for (index, sample) in samples.enumerated() {
            let phase = 2 * Double.pi * tone * Double(index) / Self.sampleRate
            real.append(real[index] + Double(sample) * cos(phase))
            imaginary.append(imaginary[index] + Double(sample) * sin(phase))
        }
        return stride(from: half, to: samples.count - half, by: 32).map { middle in
            let (low, high) = (middle - half, middle + half)
            return hypot(real[high] - real[low], imaginary[high] - imaginary[low]) / Double(2 * half)
        }
    }

    /// Returns the frames at which the tone changes.
    private func changes(_ samples: [Float]) -> [Int] {
        let (first, second) = (levels(samples, of: Self.tones[0]), levels(samples, of: Self.tones[1]))
        let difference = zip(first, second).map { $1 - $0 }
        let room = 40
        return difference.indices.dropFirst().filter { index in
            guard index > room, index + room < difference.count else { return false }
            guard (difference[index - 1] < 0) != (difference[index] < 0) else { return false }
            let (before, after) = (difference[index - room], difference[index + room])
            return abs(before) > 0.1 && abs(after) > 0.1 && (before < 0) != (after < 0)
        }
        .map { 441 + 32 * $0 }
    }

    @Test(
        "A change of the sound is at its time at any rate, with both algorithms",
        arguments: [0.5, 1, 1.5, 2, 4] as [Float],
        [.automatic, .timeDomain] as [AVAudioUnitTimePitch.Algorithm]
    )
    func rates(rate: Float, algorithm: AVAudioUnitTimePitch.Algorithm) throws {
        let scratch = try ScratchDirectory()
        let url = try makeTones(scratch, seconds: 30)
        let rig = Rig()
        rig.streamer.rate = rate
        rig.streamer.algorithm = algorithm
        rig.streamer.open(.url(url), andPlay: true)
        // The position behind each block of 512 frames.
        var told: [Double] = []
        #expect(
            rig.crank {
                let time = rig.streamer.currentTime ?? 0
                told += Array(repeating: time, count: rig.output.count / 512 - told.count)
                return time > 5 * Double(max(1, rate))
            }
        )
        // Grains are placed where they fit the sound before them.
        let limit = algorithm == .timeDomain ? 0.007 : 0.005
        let changes = changes(rig.output)
        #expect(changes.count >= 4)
        for frame in changes {
            let block = frame / 512
            guard block > 0, block < told.count else { continue }
            let share = Double(frame % 512) / 512
            let position = told[block - 1] + (told[block] - told[block - 1]) * share
            let error = (position - (position * 2).rounded() / 2) / Double(rate)
            #expect(abs(error) < limit, "\(error * 1_000) ms at \(position)")
        }
    }

    /// A device that is driven by hand, whose host times count as those of the monotonic clock.
    private final class ClockedOutput: OutputDevice {
        let base = ManualOutput(format: DeviceFormat(sampleRate: 44_100, channelCount: 2))
        /// The samples rendered since the device was started, from which its clock counts.
        let output = Mutex<[Float]?>(nil)
        var name: String { base.name }
        var isPaced: Bool { true }
        var latency: Double { base.latency }
        var underrunCount: Int { base.underrunCount }
        var onLoss: (@Sendable (DeviceError) -> Void)? {
            get { base.onLoss }
            set { base.onLoss = newValue }
        }
        func open(preferred: DeviceFormat?) throws(DeviceError) -> DeviceFormat { try base.open(preferred: preferred) }

        func start(_ callback: RenderCallback) throws(DeviceError) {
            try output.withLock { output throws(DeviceError) in
                try base.start(callback)
                output = []
            }
        }

        func render(frameCount: Int) {
            output.withLock { output in
                if output != nil { output? += base.render(frameCount: frameCount).first ?? [] }
            }
        }

        func pause() { base.pause() }
        func resume() { base.resume() }
        func stop() { base.stop() }
    }

    /// The device renders far ahead, in long blocks, and tells when they are heard.
    @Test("The told time follows the clock at which frames are heard", arguments: [1, 2] as [Float])
    func clock(rate: Float) throws {
        let scratch = try ScratchDirectory()
        let url = try makeTones(scratch, seconds: 60)
        let device = ClockedOutput()
        let streamer = TimePitchStreamer(device: device)
        defer { streamer.stop() }
        streamer.rate = rate
        // The first frame is heard in half a second.
        device.base.latency = ProcessInfo.processInfo.systemUptime + 0.5
        streamer.open(.url(url), andPlay: true)
        #expect(
            waitUntil {
                device.render(frameCount: 4_096)
                return streamer.playedFrameCount > 2 * 44_100 * Double(rate)
            }
        )
        let first = try #require(device.output.withLock { $0?.firstIndex { $0 != 0 } })
        let start = device.base.latency + Double(first) / 44_100
        // An output that renders no more is stalled.
        func goesOn() { device.render(frameCount: 256) }
        #expect(
            waitUntil {
                goesOn()
                return ProcessInfo.processInfo.systemUptime > start + 0.3
            }
        )
        for _ in 0..<20 {
            let before = ProcessInfo.processInfo.systemUptime
            let told = try #require(streamer.currentTime)
            let after = ProcessInfo.processInfo.systemUptime
            let end = streamer.playedFrameCount / 44_100
            // What is beyond the last frame is not heard.
            #expect(told > min((before - start) * Double(rate), end) - 0.003)
            #expect(told < min((after - start) * Double(rate), end) + 0.003)
            goesOn()
            usleep(7_000)
        }
    }
}
