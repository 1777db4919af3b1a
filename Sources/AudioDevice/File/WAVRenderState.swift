import CoreAudioTypes
import Glibc

/// What the thread of a `WAVFileOutput` works with.
///
/// It is not paced, so nothing here has to be real-time safe.
struct WAVRenderState: ~Copyable {
    let control = RunSwitch()
    private let block: RenderBlock
    private let writer: WAVWriter
    private let loss: LossReporter
    private let name: String

    init(_ callback: RenderCallback, writer: WAVWriter, loss: LossReporter, name: String) {
        block = RenderBlock(callback, channelCount: writer.header.format.channelCount)
        self.writer = writer
        self.loss = loss
        self.name = name
    }

    /// The thread, from start to end.
    func run() {
        do throws(DeviceError) {
            while control.proceed() { try step() }
            try writer.flush(name) { control.isEnding }
        } catch {
            loss.report(error)
        }
    }

    private func step() throws(DeviceError) {
        let count = block.render(RenderBlock.maximumFrameCount, at: nil)
        block.interleave(count, into: writer.room)
        block.didRender()
        if count > 0 {
            try writer.commit(count * block.channelCount, device: name) { control.isEnding }
        } else {
            // Whoever renders has nothing yet, or nothing any more, and has no means of waking this thread: it looks
            // again in 2 ms.
            usleep(2000)
            try writer.refresh(name) { control.isEnding }
        }
    }
}
