import CoreAudioTypes
import Foundation
import Synchronization

/// The rendering of a unit without an input, for the nodes of generators and instruments.
final class HostedSource: @unchecked Sendable {
    // Unchecked: `source` requires the engine's lock.
    private var source: (format: AVAudioFormat, kernel: SourceKernel, renderer: HostedRenderer)?

    /// The kernel for a connection, kept from plan to plan while its format stays.
    /// - Throws: `.formatMismatch` if the unit does not take the format.
    func kernel(
        _ unit: AUAudioUnit,
        format: AVAudioFormat,
        maximumFrameCount: Int
    ) throws(AVAudioEngineError) -> SourceKernel {
        if let source, source.format == format { return source.kernel }
        source?.renderer.close()
        let renderer = try HostedRenderer.make(
            unit,
            format: format,
            maximumFrameCount: maximumFrameCount,
            hasInput: false
        )
        let control = unit.control
        let channelCount = Int(format.channelCount)
        let places = PlaneList(channelCount: channelCount)
        let kernel = SourceKernel(channelCount: channelCount, form: nil, maximumFrameCount: maximumFrameCount) {
            silence,
            time,
            frameCount,
            data in
            let list = UnsafeMutableAudioBufferListPointer(data)
            for channel in 0..<channelCount {
                guard let plane = list[channel].mData else { return kAudioUnitErr_InvalidPropertyValue }
                places.channels[channel] = plane.assumingMemoryBound(to: Float.self)
            }
            renderer.render(
                nil,
                into: UnsafePointer(places.channels),
                frameCount: Int(frameCount),
                // The engine's own count of frames, which fits. A checked conversion is generic, and allocates in
                // debug builds.
                time: Int64(time.pointee.mSampleTime),
                hostTime: time.pointee.mHostTime
            )
            if control.bypass.load(ordering: .relaxed) { silence.pointee = true }
            return noErr
        }
        source = (format, kernel, renderer)
        return kernel
    }
}

/// Memory for one pointer a channel.
private final class PlaneList: @unchecked Sendable {
    // Unchecked: only the render thread accesses the memory behind the pointer.
    let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

    init(channelCount: Int) { channels = .allocate(capacity: max(channelCount, 1)) }

    deinit { channels.deallocate() }
}
