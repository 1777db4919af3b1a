import CoreAudioTypes
import Foundation

/// Renders an engine when it is called, instead of for a device.
extension EngineRun {
    /// Sets the engine, which has to be stopped, to render when it is called.
    func enableManualRendering(
        _ mode: AVAudioEngineManualRenderingMode,
        _ format: AVAudioFormat,
        _ maximumFrameCount: AVAudioFrameCount
    ) throws {
        finishRequestedStop()
        try lock.withLock {
            guard case .stopped = phase else {
                throw AVAudioEngineError(.initialized, "Stop the engine before changing how it renders.")
            }
            guard let settings = ManualRendering(mode: mode, format: format, maximumFrameCount: maximumFrameCount)
            else {
                throw AVAudioEngineError(
                    .formatMismatch,
                    "Manual rendering needs an uncompressed format and at least 1 frame, not \(format)."
                )
            }
            output.manual = settings
        }
    }

    /// Stops the engine, and has it render for its device again.
    func disableManualRendering() {
        end()
        lock.withLock {
            output.manual = nil
            graph.inputNode?.kernel.clear()
        }
    }

    /// Renders the next `numberOfFrames` frames offline.
    func render(
        _ numberOfFrames: AVAudioFrameCount,
        into buffer: AVAudioPCMBuffer
    ) throws -> AVAudioEngineManualRenderingStatus {
        finishRequestedStop()
        let renderer = try lock.withLock { try offlineRenderer(for: buffer, numberOfFrames) }
        buffer.frameLength = numberOfFrames
        var failure: OSStatus = 0
        let list = UnsafeMutableAudioBufferListPointer(buffer.mutableAudioBufferList)
        let status = bridge.render(Int(numberOfFrames), into: list, failure: &failure)
        guard status != .error else {
            throw AVAudioEngineError(.notRunning, "The engine was stopped while it rendered.")
        }
        serve(renderer)
        return status
    }

    private func offlineRenderer(for buffer: AVAudioPCMBuffer, _ count: AVAudioFrameCount) throws -> EngineRenderer {
        guard let manual = output.manual, manual.mode == .offline else {
            throw AVAudioEngineError(
                .invalidMode,
                "The engine does not render offline: enable manual rendering in that mode first."
            )
        }
        guard case .running = phase, let renderer else {
            throw AVAudioEngineError(.notRunning, "Start the engine before rendering.")
        }
        guard buffer.format == manual.format, count <= manual.maximumFrameCount, count <= buffer.frameCapacity else {
            throw AVAudioEngineError(
                .badBuffer,
                "The buffer is to be \(manual.format) with room for \(count) of at most "
                    + "\(manual.maximumFrameCount) frames."
            )
        }
        return renderer
    }
}
