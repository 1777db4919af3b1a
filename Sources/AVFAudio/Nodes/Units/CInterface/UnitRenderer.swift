import CoreAudioTypes
import Foundation
import Glibc
import Synchronization
import SyrinxMediaCodec

/// The rendering of a unit for a program that calls `AudioUnitRender`, from `AudioUnitInitialize` to
/// `AudioUnitUninitialize`.
final class UnitRenderer: @unchecked Sendable {
    // Unchecked: only the single render that `RenderGate` admits accesses the memory.
    private let block: AURenderBlock
    private let callbacks: CallbackSlot
    private let maximumFrameCount: Int
    private let outputs: [BusMemory]
    private let flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>
    private let pull: AURenderPullInputBlock?

    /// Creates a renderer.
    /// - Parameters:
    ///   - unit: A unit with allocated resources.
    ///   - ownsInput: Whether the unit pulls its own input, as output units do.
    ///   - allocates: Whether a bus supplies memory for buffers without memory.
    init(
        _ unit: AUAudioUnit,
        _ callbacks: CallbackSlot,
        ownsInput: Bool,
        allocates: (AUAudioUnitBusType, Int) -> Bool
    ) {
        block = unit.renderBlock
        self.callbacks = callbacks
        maximumFrameCount = Int(unit.maximumFramesToRender)
        let busses = unit.outputBusses
        let frames = maximumFrameCount
        outputs = (0..<busses.count).map {
            BusMemory(busses[$0].format, maximumFrameCount: frames, allocates: allocates(.output, $0))
        }
        flags = .allocate(capacity: 1)
        flags.initialize(to: [])
        let inputCount = unit.inputBusses.count
        let keepsMemory = UnsafeMutablePointer<Bool>.allocate(capacity: max(inputCount, 1))
        for element in 0..<inputCount { (keepsMemory + element).initialize(to: allocates(.input, element)) }
        inputMemory = keepsMemory
        pull =
            ownsInput || inputCount == 0
            ? nil
            : { [callbacks] flags, time, frameCount, element, data in
                guard element >= 0, element < inputCount, let table = callbacks.enter() else {
                    return kAudioUnitErr_InvalidElement
                }
                if !keepsMemory[element] {
                    let list = UnsafeMutableAudioBufferListPointer(data)
                    var index = 0
                    while index < list.count {
                        list[index].mData = nil
                        index &+= 1
                    }
                }
                let status = table._withUnsafeGuaranteedRef { $0.pull(flags, time, frameCount, element, data) }
                callbacks.leave()
                return status
            }
    }

    /// Whether the input of an element is handed out in memory of the unit's.
    private let inputMemory: UnsafeMutablePointer<Bool>

    deinit {
        flags.deallocate()
        inputMemory.deallocate()
    }

    /// Renders a block on the calling thread.
    ///
    /// One render at a time.
    func render(
        _ callerFlags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
        _ time: UnsafePointer<AudioTimeStamp>,
        _ bus: UInt32,
        _ frameCount: UInt32,
        _ data: UnsafeMutablePointer<AudioBufferList>
    ) -> OSStatus {
        guard bus < UInt32(truncatingIfNeeded: outputs.count) else { return kAudioUnitErr_InvalidElement }
        guard frameCount <= UInt32(truncatingIfNeeded: maximumFrameCount) else {
            return kAudioUnitErr_TooManyFramesToProcess
        }
        let list = UnsafeMutableAudioBufferListPointer(data)
        guard outputs[Int(bus)].prepare(list, Int(frameCount)) else { return kAudio_ParamError }
        guard frameCount > 0 else { return noErr }
        flags.pointee = AudioUnitRenderActionFlags(rawValue: 0)
        let flags = callerFlags ?? flags
        guard let table = callbacks.enter() else { return kAudioUnitErr_Uninitialized }
        callbacks.noteThread()
        defer { callbacks.leave() }
        let pre = AudioUnitRenderActionFlags.unitRenderAction_PreRender.rawValue
        table._withUnsafeGuaranteedRef { $0.notify(flags, pre, time, frameCount, bus, data) }
        let status = block(flags, time, frameCount, Int(bus), data, pull)
        var post = AudioUnitRenderActionFlags.unitRenderAction_PostRender.rawValue
        if status != noErr { post |= AudioUnitRenderActionFlags.unitRenderAction_PostRenderError.rawValue }
        table._withUnsafeGuaranteedRef { $0.notify(flags, post, time, frameCount, bus, data) }
        return status
    }
}

/// The memory of an output bus for buffers without memory.
final class BusMemory: @unchecked Sendable {
    // Unchecked: constants, and memory that one render at a time accesses.
    private let layout: PCMLayout?
    private let bufferCount: Int
    private let channelsPerBuffer: UInt32
    let frameBytes: Int
    private let memory: UnsafeMutableRawPointer?
    private let maximumFrameCount: Int

    init(_ format: AVAudioFormat, maximumFrameCount: Int, allocates: Bool) {
        layout = PCMLayout(format.basicDescription)
        self.maximumFrameCount = maximumFrameCount
        let isInterleaved = layout?.isInterleaved ?? false
        let channelCount = layout?.channelCount ?? 0
        bufferCount = isInterleaved ? 1 : channelCount
        channelsPerBuffer = isInterleaved ? UInt32(channelCount) : 1
        frameBytes = (layout?.bytesPerSample ?? 0) * (isInterleaved ? channelCount : 1)
        // Bounded: formats have at most 64 channels of 8 bytes, and a slice at most `UnitInstance.frameLimit` frames.
        let byteCount = max(bufferCount * frameBytes * maximumFrameCount, 1)
        memory = allocates ? .allocate(byteCount: byteCount, alignment: 64) : nil
    }

    deinit { memory?.deallocate() }

    /// Sets the buffer sizes of a list for a render, and supplies memory for buffers without memory.
    /// - Returns: Whether the list matches the format and is large enough.
    func prepare(_ list: UnsafeMutableAudioBufferListPointer, _ frameCount: Int) -> Bool {
        guard list.count == bufferCount else { return false }
        let byteCount = frameCount &* frameBytes
        var index = 0
        while index < bufferCount {
            if list[index].mData == nil {
                guard let memory else { return false }
                list[index].mData = memory + index &* frameBytes &* maximumFrameCount
                list[index].mNumberChannels = channelsPerBuffer
            } else if Int(list[index].mDataByteSize) < byteCount {
                return false
            }
            list[index].mDataByteSize = UInt32(truncatingIfNeeded: byteCount)
            index &+= 1
        }
        return true
    }
}

/// Admits one render at a time while it is open.
struct RenderGate: ~Copyable {
    /// 0 shut, 1 open, 2 during a render.
    private let state = Atomic<Int>(0)
    private let thread = Atomic<UInt>(0)

    /// Whether the calling thread renders.
    var isOwnRender: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

    /// Starts to admit renders.
    func open() { state.store(1, ordering: .releasing) }

    /// Rejects new renders and waits for the current one.
    ///
    /// Do not call it from within a render.
    func close() {
        while true {
            let (isDone, found) = state.compareExchange(expected: 1, desired: 0, ordering: .acquiringAndReleasing)
            if isDone || found == 0 { return }
            usleep(200)
        }
    }

    // MARK: Render

    /// Begins a render.
    /// - Returns: `noErr` if it is let in.
    func enter() -> OSStatus {
        let (isDone, found) = state.compareExchange(expected: 1, desired: 2, ordering: .acquiringAndReleasing)
        guard isDone else {
            return found == 0 ? kAudioUnitErr_Uninitialized : kAudioUnitErr_CannotDoInCurrentContext
        }
        thread.store(UInt(pthread_self()), ordering: .relaxed)
        return noErr
    }

    /// Ends a render.
    func leave() {
        thread.store(0, ordering: .relaxed)
        state.store(1, ordering: .releasing)
    }
}
