import CoreAudioTypes
import Foundation
import Synchronization
import SyrinxMediaCodec

/// Renders a custom unit in an engine: sets the format of its connection, and calls its block.
///
/// The unit has one set of resources, so a change of format waits for the current render. Afterwards the previous
/// kernel is silent.
final class HostedRenderer: @unchecked Sendable {
    // Unchecked: only the holder of `gate` accesses the block and the memory.
    private let unit: AUAudioUnit
    private let block: AUInternalRenderBlock
    private let events: UnitEventList
    private let planes: FloatPlanes<Float>
    private let list: UnsafeMutableAudioBufferListPointer
    private let stamp: UnsafeMutablePointer<AudioTimeStamp>
    private let flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>
    private let pull: AURenderPullInputBlock?
    private let maximumFrameCount: Int
    /// 0 while idle, 1 during a render, 2 after the end.
    private let gate = Atomic<Int>(0)

    /// Allocates the unit's resources for a format.
    /// - Throws: `AVAudioEngineError` with `.formatMismatch` if the unit rejects the format, or the error of the unit.
    init(_ unit: AUAudioUnit, format: AVAudioFormat, maximumFrameCount: Int, hasInput: Bool) throws {
        self.unit = unit
        self.maximumFrameCount = maximumFrameCount
        if unit.renderResourcesAllocated { unit.deallocateRenderResources() }
        let (inputs, outputs) = (unit.inputBusses, unit.outputBusses)
        guard outputs.count > 0, !hasInput || inputs.count > 0 else {
            let missing = outputs.count > 0 ? "input" : "output"
            throw AVAudioEngineError(.formatMismatch, "\(type(of: unit)) has no \(missing) bus.")
        }
        if hasInput { try inputs[0].setFormat(format) }
        try outputs[0].setFormat(format)
        unit.maximumFramesToRender = AUAudioFrameCount(maximumFrameCount)
        try unit.allocateRenderResources()
        block = unit.internalRenderBlock
        events = UnitEventList(unit.events)
        unit.events.sampleRate.store(format.sampleRate, ordering: .relaxed)
        let channelCount = Int(format.channelCount)
        let planes = FloatPlanes<Float>(channelCount: channelCount, capacity: maximumFrameCount)
        self.planes = planes
        list = AudioBufferList.allocate(maximumBuffers: channelCount)
        stamp = .allocate(capacity: 1)
        stamp.initialize(to: AudioTimeStamp())
        flags = .allocate(capacity: 1)
        flags.initialize(to: [])
        pull = hasInput ? { _, _, count, bus, data in planes.give(data, frameCount: Int(count), bus: bus) } : nil
    }

    /// As the initialiser, with the unit's own error as the message of an engine's.
    static func make(
        _ unit: AUAudioUnit,
        format: AVAudioFormat,
        maximumFrameCount: Int,
        hasInput: Bool
    ) throws(AVAudioEngineError) -> HostedRenderer {
        do {
            return try HostedRenderer(unit, format: format, maximumFrameCount: maximumFrameCount, hasInput: hasInput)
        } catch let error as AVAudioEngineError {
            throw error
        } catch {
            throw AVAudioEngineError(.formatMismatch, "\(type(of: unit)) cannot be rendered: \(error).")
        }
    }

    deinit {
        close()
        list.unsafeMutablePointer.deallocate()
        stamp.deallocate()
        flags.deallocate()
    }

    /// Stops rendering after the current render, and frees the unit's resources.
    ///
    /// Do not call it on the render thread.
    func close() {
        while true {
            let (isDone, state) = gate.compareExchange(expected: 0, desired: 2, ordering: .acquiringAndReleasing)
            if isDone { return unit.deallocateRenderResources() }
            if state == 2 { return }
            usleep(200)
        }
    }

    /// Renders a block on the render thread.
    /// - Parameters:
    ///   - input: The input; `nil` for a unit without one.
    ///   - output: Receives the output; silence after the end, and if the unit fails.
    ///   - time: The sample time of the first frame.
    ///   - hostTime: The host time of the first frame; 0 without a clock.
    func render(
        _ input: UnsafePointer<UnsafeMutablePointer<Float>>?,
        into output: UnsafePointer<UnsafeMutablePointer<Float>>,
        frameCount: Int,
        time: Int64,
        hostTime: UInt64
    ) {
        let isOpen = gate.compareExchange(expected: 0, desired: 1, ordering: .acquiringAndReleasing).exchanged
        var status = kAudioUnitErr_Uninitialized
        if isOpen, frameCount <= maximumFrameCount {
            for channel in 0..<list.count {
                if let input { copySamples(from: input[channel], to: planes.channels[channel], count: frameCount) }
                list[channel] = AudioBuffer(
                    mNumberChannels: 1,
                    mDataByteSize: UInt32(frameCount * MemoryLayout<Float>.stride),
                    mData: UnsafeMutableRawPointer(output[channel])
                )
            }
            stamp.pointee.mSampleTime = Double(time)
            stamp.pointee.mHostTime = hostTime
            // Raw values: in debug builds a literal of options allocates.
            let host = hostTime > 0 ? AudioTimeStampFlags.hostTimeValid.rawValue : 0
            stamp.pointee.mFlags = AudioTimeStampFlags(rawValue: AudioTimeStampFlags.sampleTimeValid.rawValue | host)
            flags.pointee = AudioUnitRenderActionFlags(rawValue: 0)
            let head = events.take(from: time, frameCount: Int64(frameCount))
            status = block(flags, stamp, AUAudioFrameCount(frameCount), 0, list.unsafeMutablePointer, head, pull)
            bring(to: output, frameCount)
        }
        if isOpen { gate.store(0, ordering: .releasing) }
        let silent = flags.pointee.rawValue & AudioUnitRenderActionFlags.unitRenderAction_OutputIsSilence.rawValue
        guard status != noErr || silent != 0 else { return }
        for channel in 0..<list.count { output[channel].update(repeating: 0, count: frameCount) }
    }

    /// Copies the output if the unit has returned it in its own memory, as units are allowed to.
    private func bring(to output: UnsafePointer<UnsafeMutablePointer<Float>>, _ frameCount: Int) {
        for channel in 0..<list.count {
            guard let data = list[channel].mData, data != UnsafeMutableRawPointer(output[channel]) else { continue }
            copySamples(from: data.assumingMemoryBound(to: Float.self), to: output[channel], count: frameCount)
        }
    }
}

/// The kernel of a node of a unit of the program's own.
final class HostedKernel: AVAudioUnitKernel {
    private let renderer: HostedRenderer

    init(_ renderer: HostedRenderer) { self.renderer = renderer }

    override func process(
        _ input: UnsafePointer<UnsafeMutablePointer<Float>>,
        into output: UnsafePointer<UnsafeMutablePointer<Float>>,
        frameCount: Int
    ) {
        renderer.render(input, into: output, frameCount: frameCount, time: blockTime, hostTime: blockHostTime)
    }
}

extension FloatPlanes<Float> {
    /// Supplies frames to a unit that pulls its input: copies them, or sets the unit's buffer pointers.
    fileprivate func give(
        _ data: UnsafeMutablePointer<AudioBufferList>,
        frameCount: Int,
        bus: Int
    ) -> AUAudioUnitStatus {
        let list = UnsafeMutableAudioBufferListPointer(data)
        guard bus == 0, list.count <= channelCount, frameCount <= capacity else { return kAudioUnitErr_InvalidElement }
        for channel in 0..<list.count {
            let byteCount = frameCount * MemoryLayout<Float>.stride
            if let target = list[channel].mData {
                guard Int(list[channel].mDataByteSize) >= byteCount else { return kAudioUnitErr_TooManyFramesToProcess }
                copySamples(
                    from: channels[channel],
                    to: target.assumingMemoryBound(to: Float.self),
                    count: frameCount
                )
            } else {
                list[channel].mData = UnsafeMutableRawPointer(channels[channel])
            }
            list[channel].mDataByteSize = UInt32(byteCount)
        }
        return noErr
    }
}
