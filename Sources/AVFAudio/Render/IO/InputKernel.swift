import CoreAudioTypes
import Synchronization
import SyrinxMediaCodec

/// The part of the input node that runs on the render thread.
///
/// It reads from the program's block or from a device.
final class InputKernel: @unchecked Sendable {
    // Unchecked: the supply is set under the engine's lock while nothing renders. The capture is set before a plan
    // with this kernel is published, and released after the last render of that plan.
    private var supply: Supply?
    /// `supply`, for the render thread, which counts no references.
    @exclusivity(unchecked) private var supplied: Unmanaged<Supply>?
    /// The format of the block's samples, with one buffer for each channel; `nil` if there is no block.
    private(set) var suppliedFormat: AVAudioFormat?
    /// The source of a device's frames.
    let capture = Atomic<UnsafeMutableRawPointer?>(nil)
    /// Set when the block supplied fewer frames than requested.
    let isShort = Atomic<Bool>(false)

    private final class Supply {
        let form: PCMLayout
        let block: AVAudioIONodeInputBlock

        init(form: PCMLayout, block: @escaping AVAudioIONodeInputBlock) {
            self.form = form
            self.block = block
        }
    }

    /// Sets the block that supplies input in `format`; returns `false` if the format is compressed.
    func supply(_ format: AVAudioFormat, _ block: @escaping AVAudioIONodeInputBlock) -> Bool {
        guard let form = PCMLayout(format.streamDescription.pointee), let standard = format.asStandard else {
            return false
        }
        let supply = Supply(form: form, block: block)
        self.supply = supply
        supplied = Unmanaged.passUnretained(supply)
        suppliedFormat = standard
        return true
    }

    /// Releases the block.
    func clear() {
        supplied = nil
        supply = nil
        suppliedFormat = nil
    }

    func render(into slot: RenderSlot, frames: Int) {
        guard frames > 0 else {
            slot.leave(contentFrames: 0, isEnd: false)
            return
        }
        var given = 0
        if let supplied {
            given = supplied._withUnsafeGuaranteedRef {
                take($0.block(AVAudioFrameCount(frames)), $0.form, into: slot, frames: frames)
            }
        } else if let raw = capture.load(ordering: .acquiring) {
            given = Unmanaged<CaptureRing>.fromOpaque(raw)._withUnsafeGuaranteedRef {
                $0.read(into: slot, frames: frames, at: monotonicNanoseconds())
            }
        }
        slot.clear(from: given, to: frames)
        if given < frames { isShort.store(true, ordering: .relaxed) }
        slot.leave(contentFrames: frames, isEnd: false)
    }

    private func take(
        _ supplied: UnsafePointer<AudioBufferList>?,
        _ form: PCMLayout,
        into slot: RenderSlot,
        frames: Int
    ) -> Int {
        guard let supplied, form.channelCount == slot.channelCount else { return 0 }
        let list = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: supplied))
        guard list.count > 0, list[0].mData != nil else { return 0 }
        let frameBytes = form.bytesPerSample * (form.isInterleaved ? form.channelCount : 1)
        let count = min(frames, Int(list[0].mDataByteSize) / max(1, frameBytes))
        form.load(list, from: 0, count: count, into: slot.channels, at: 0)
        return count
    }
}
