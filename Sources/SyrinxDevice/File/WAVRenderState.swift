import CoreAudioTypes
import Glibc

/// The state of the thread of a `WAVFileOutput`.
///
/// The device is not paced, so this code need not be real-time safe.
struct WAVRenderState: ~Copyable {
    let control = DeviceThreadControl()
    private let block: RenderBlock
    private let writer: WAVWriter
    private let loss: DeviceLossReporter
    private let name: String

    /// The shortest sleep in microseconds when no frames are available, doubled up to the longest one.
    ///
    /// Fast rendering is therefore not delayed, and a long pause costs little CPU time.
    private static let shortestRest: UInt32 = 2_000
    private static let longestRest: UInt32 = 32_000

    init(_ callback: RenderCallback, writer: WAVWriter, loss: DeviceLossReporter, name: String) {
        block = RenderBlock(callback, channelCount: writer.header.format.channelCount)
        self.writer = writer
        self.loss = loss
        self.name = name
    }

    /// The main function of the thread.
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
            // The renderer has no frames, and cannot wake this thread.
            usleep(rest)
            rest = min(2 * rest, Self.longestRest)
            try writer.refresh(name) { control.isEnding }
        }
    }
}
