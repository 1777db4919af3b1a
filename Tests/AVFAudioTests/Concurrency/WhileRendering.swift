import AVFAudio
import Foundation
import Synchronization
import SyrinxDevice
import SyrinxTestSupport

/// An engine that one thread renders while others change it.
///
/// Run under ThreadSanitizer, it finds what they share without saying so.
final class BusyRig {
    let engine = AVAudioEngine()
    let format: AVAudioFormat
    private let device: ManualOutput
    /// The largest sample that was rendered; infinite for one that is no number.
    private(set) var peak: Float = 0

    init(sampleRate: Double = 48_000) {
        format = AVAudioFormat(standardFormatWithSampleRate: sampleRate, channels: 2)!
        device = ManualOutput(format: DeviceFormat(sampleRate: sampleRate, channelCount: 2))
        engine.outputDevice = device
    }

    deinit { engine.stop() }

    /// Attaches a player of noise that does not end.
    func addPlayer(channels: Int = 2) -> AVAudioPlayerNode {
        let player = AVAudioPlayerNode()
        engine.attach(player)
        let sound = buffer((0..<channels).map { noise(4_800, channel: $0) }, sampleRate: format.sampleRate)
        player.scheduleBuffer(sound, at: nil, options: .loops)
        player.play()
        return player
    }

    /// Renders blocks on this thread while each of `changes` runs over and over, with the number of the run, on a thread of its own.
    func render(blocks: Int = 200, while changes: [@Sendable (Int) -> Void]) {
        for size in whileChanging(changes, blocks: blocks) {
            for sample in device.render(frameCount: size).joined() {
                peak = sample.isNaN ? .infinity : max(peak, abs(sample))
            }
        }
    }
}

/// Runs each of `changes` over and over, with the number of the run, on a thread of its own, until the sizes of blocks that this
/// gives have been used.
func whileChanging(_ changes: [@Sendable (Int) -> Void], blocks: Int) -> AnyIterator<Int> {
    final class Run: Sendable {
        let isOver = Atomic<Bool>(false)
        let passes: Mutex<[Int]>
        let done = DispatchSemaphore(value: 0)
        init(_ count: Int) { passes = Mutex(Array(repeating: 0, count: count)) }
    }
    let run = Run(changes.count)
    for (index, change) in changes.enumerated() {
        Thread.detachNewThread {
            var pass = 0
            while !run.isOver.load(ordering: .acquiring) {
                change(pass)
                pass += 1
                run.passes.withLock { $0[index] = pass }
            }
            run.done.signal()
        }
    }
    var block = 0
    return AnyIterator {
        // The blocks, and until all have had some turns.
        if block < blocks || run.passes.withLock({ $0.contains { $0 < 10 } }) {
            block += 1
            return [64, 512, 131, 1_024][block % 4]
        }
        if !run.isOver.exchange(true, ordering: .acquiringAndReleasing) { for _ in changes { run.done.wait() } }
        return nil
    }
}

/// A number that depends on `step` alone, within a range.
func scattered(_ step: Int, _ range: ClosedRange<Float>) -> Float {
    var state = UInt64(truncatingIfNeeded: step) &* 0x9E37_79B9_7F4A_7C15
    state ^= state >> 29
    state = state &* 0xBF58_476D_1CE4_E5B9
    let part = Float(state >> 40) / Float(1 << 24)
    return min(range.lowerBound + part * (range.upperBound - range.lowerBound), range.upperBound)
}
