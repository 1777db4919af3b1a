import CoreAudioTypes
import Glibc

/// The state of a `WAVFileOutput`'s thread.
///
/// It is not paced, so nothing here has to be real-time safe.
struct WAVRenderState: ~Copyable {
    let control = DeviceThreadControl()
    private let block: RenderBlock
    private let writer: WAVWriter
    private let loss: DeviceLossReporter
    private let name: String

    /// Microseconds until it is looked again where there was nothing, doubled from the one to the other: a file that is written
    /// faster than it plays is not held up, and one that is paused for long costs next to nothing.
    private static let shortestRest: UInt32 = 2_000
    private static let longestRest: UInt32 = 32_000

    init(_ callback: RenderCallback, writer: WAVWriter, loss: DeviceLossReporter, name: String) {
        block = RenderBlock(callback, channelCount: writer.header.format.channelCount)
        self.writer = writer
        self.loss = loss
        self.name = name
    }

    /// The thread, from start to end.
    func run() {
        var rest = Self.shortestRest
        do throws(DeviceError) {
            while control.proceed() { try step(&rest) }
            try writer.flush(name) { control.isEnding }
        } catch {
            loss.report(error)
        }
    }

    private func step(_ rest: inout UInt32) throws(DeviceError) {
        let count = block.render(RenderBlock.maximumFrameCount, at: nil)
        block.interleave(count, into: writer.room)
        block.didRender()
        if count > 0 {
            rest = Self.shortestRest
            try writer.commit(count * block.channelCount, device: name) { control.isEnding }
        } else {
            // The renderer has nothing yet, or nothing any more, and has no means of waking this thread.
            usleep(rest)
            rest = min(2 * rest, Self.longestRest)
            try writer.refresh(name) { control.isEnding }
        }
    }
}
