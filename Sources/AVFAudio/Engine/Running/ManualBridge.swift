import CoreAudioTypes
import Foundation
import Synchronization
import SyrinxMediaCodec

/// The objects that a manual render uses, from start to stop.
final class ManualRun: @unchecked Sendable {
    // Unchecked: constants, and memory of the single render that `ManualBridge` admits.
    let settings: ManualRendering
    let renderer: EngineRenderer
    let input: InputKernel
    /// Scratch memory for buffers whose layout differs from the engine's.
    private let scratch: FloatPlanes<Float>
    private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let form: PCMLayout

    init?(settings: ManualRendering, renderer: EngineRenderer, input: InputKernel) {
        guard let form = PCMLayout(settings.format.streamDescription.pointee) else { return nil }
        self.settings = settings
        self.renderer = renderer
        self.input = input
        self.form = form
        let channelCount = Int(settings.format.channelCount)
        scratch = FloatPlanes(channelCount: channelCount, capacity: Int(settings.maximumFrameCount))
        channels = .allocate(capacity: channelCount)
        channels.initialize(repeating: scratch.channels[0], count: channelCount)
    }

    deinit { channels.deallocate() }

    /// Results of a block beside its status, with Core Audio's numbers.
    enum Failure {
        // kAudioUnitErr_TooManyFramesToProcess and kAudio_ParamError.
        static var tooManyFrames: OSStatus { -10_874 }
        static var badBuffer: OSStatus { -50 }
    }

    /// Renders into `list`.
    ///
    /// A buffer without memory receives the memory of this run.
    func render(
        _ count: Int,
        into list: UnsafeMutableAudioBufferListPointer,
        failure: inout OSStatus
    ) -> AVAudioEngineManualRenderingStatus {
        guard count <= Int(settings.maximumFrameCount) else {
            failure = Failure.tooManyFrames
            return .error
        }
        guard fits(list, count) else {
            failure = Failure.badBuffer
            return .error
        }
        input.isShort.store(false, ordering: .relaxed)
        let isDirect = settings.format.isStandard
        for channel in 0..<form.channelCount {
            channels[channel] = scratch.channels[channel]
            if isDirect, let data = list[channel].mData {
                channels[channel] = data.assumingMemoryBound(to: Float.self)
            } else if isDirect {
                list[channel].mData = UnsafeMutableRawPointer(scratch.channels[channel])
            }
        }
        _ = renderer.render(channels, frames: count, hostTime: nil)
        if !isDirect { form.store(channels, at: 0, count: count, into: list, from: 0) }
        return input.isShort.load(ordering: .relaxed) ? .insufficientDataFromInputNode : .success
    }

    private func fits(_ list: UnsafeMutableAudioBufferListPointer, _ count: Int) -> Bool {
        guard list.count == (form.isInterleaved ? 1 : form.channelCount) else { return false }
        let bytes = count * form.bytesPerSample * (form.isInterleaved ? form.channelCount : 1)
        for index in 0..<list.count {
            if list[index].mData == nil {
                guard settings.format.isStandard else { return false }
            } else if Int(list[index].mDataByteSize) < bytes {
                return false
            }
            list[index].mDataByteSize = UInt32(bytes)
        }
        return true
    }
}

/// The lock-free link from a manual render to the engine, usable on a real-time thread.
final class ManualBridge: @unchecked Sendable {
    // Unchecked: both members are atomics, and the target of the pointer exists until `close()` has returned.
    private let run = Atomic<UnsafeMutableRawPointer?>(nil)
    private let isRendering = Atomic<Bool>(false)

    /// Renders with the engine's current plan, if it runs and no other thread renders.
    func render(
        _ count: Int,
        into list: UnsafeMutableAudioBufferListPointer,
        failure: inout OSStatus
    ) -> AVAudioEngineManualRenderingStatus {
        let (isFirst, _) = isRendering.compareExchange(
            expected: false,
            desired: true,
            ordering: .sequentiallyConsistent
        )
        guard isFirst else { return .cannotDoInCurrentContext }
        defer { isRendering.store(false, ordering: .sequentiallyConsistent) }
        guard let raw = run.load(ordering: .sequentiallyConsistent) else {
            failure = AVAudioEngineManualRenderingError.notRunning.rawValue
            return .error
        }
        return Unmanaged<ManualRun>.fromOpaque(raw)._withUnsafeGuaranteedRef {
            $0.render(count, into: list, failure: &failure)
        }
    }

    /// The block that renders, for programs that request it from the engine.
    var block: AVAudioEngineManualRenderingBlock {
        { [self] count, list, error in
            var failure: OSStatus = 0
            let status = render(Int(count), into: UnsafeMutableAudioBufferListPointer(list), failure: &failure)
            error?.pointee = failure
            return status
        }
    }

    /// Admits renders with `run`, which has to exist until `close()` has returned.
    func open(_ run: ManualRun) {
        self.run.store(Unmanaged.passUnretained(run).toOpaque(), ordering: .sequentiallyConsistent)
    }

    /// Rejects new renders.
    ///
    /// The last render may still be running.
    func refuse() { run.store(nil, ordering: .sequentiallyConsistent) }

    /// Rejects new renders and waits for the last one.
    ///
    /// Do not call it from a render, which would wait for itself.
    func close() {
        refuse()
        while isRendering.load(ordering: .sequentiallyConsistent) { usleep(100) }
    }
}
