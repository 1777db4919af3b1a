import Foundation
import Synchronization
import SyrinxByteStream
import SyrinxMediaCodec

/// The file of a recorder, and the time range to record.
///
/// Buffers are added on the input's queue. Call everything else from any thread.
final class RecorderTake: @unchecked Sendable {
    // Unchecked: `lock` guards the state, and `onEnd` is set before the first buffer.
    private let lock = NSLock()
    private var file: AVAudioFile?
    private var converter: AVAudioConverter?
    private var written: Int64 = 0
    /// The host time at which the recording begins; `nil` means immediately.
    private var startTime: UInt64?
    /// The number of frames at which the recording ends.
    private var end: Int64?
    private var hasEnded = false
    private var measures = false

    let meter: PowerMeter
    /// Called on the engine's callback queue when the planned number of frames is in the file, or with the error that
    /// keeps the file from being written.
    var onEnd: (@Sendable ((any Error)?) -> Void)?

    init(channelCount: Int) { meter = PowerMeter(channelCount: channelCount) }

    var isOpen: Bool { lock.withLock { file != nil } }

    var frameCount: Int64 { lock.withLock { file == nil ? 0 : written } }

    var isMetering: Bool {
        get { lock.withLock { measures } }
        set {
            lock.withLock { measures = newValue }
            if !newValue { meter.reset() }
        }
    }

    func open(_ file: AVAudioFile) {
        lock.withLock {
            self.file = file
            (written, hasEnded) = (0, false)
        }
    }

    /// Sets the time range to record.
    /// - Parameters:
    ///   - startTime: The host time of the start; `nil` means immediately.
    ///   - frameCount: The duration in frames of the file; `nil` means until stopped.
    func plan(from startTime: UInt64?, frameCount: Int64?) {
        lock.withLock {
            self.startTime = startTime
            end = frameCount.map { written.addingClamped($0) }
        }
    }

    /// Prepares for buffers of `format`.
    /// - Throws: `AVAudioConverterError` if the format cannot be converted to the file's.
    func convert(from format: AVAudioFormat) throws {
        try lock.withLock {
            guard let file, format != file.processingFormat else {
                converter = nil
                return
            }
            guard let made = AVAudioConverter(from: format, to: file.processingFormat) else {
                throw AVAudioConverterError(.unsupported, "\(format) cannot be recorded as \(file.processingFormat).")
            }
            // A file of fewer channels than the input has something of each.
            made.downmix = true
            converter = made
        }
    }

    /// Completes the file.
    /// - Returns: The error that kept its end from being written.
    @discardableResult
    func close() -> (any Error)? {
        lock.withLock {
            file?.close()
            defer { file = nil }
            return file?.closeError
        }
    }

    /// Writes the frames of a buffer that are within the time range.
    func add(_ buffer: AVAudioPCMBuffer, _ time: UInt64) {
        lock.withLock {
            guard let file, !hasEnded, let wanted = wanted(of: buffer, time) else { return }
            do {
                let converted = try self.converted(wanted, file.processingFormat)
                if let end {
                    converted.frameLength = AVAudioFrameCount(min(Int64(converted.frameLength), end - written))
                }
                try file.write(from: converted)
                written += Int64(converted.frameLength)
                if measures { meter.add(converted) }
                if let end, written >= end { conclude(nil) }
            } catch {
                conclude(error)
            }
        }
    }

    private func conclude(_ error: (any Error)?) {
        hasEnded = true
        AVAudioEngine.callbackQueue.async { [onEnd] in onEnd?(error) }
    }

    /// Returns the frames of `buffer` from `startTime` on; `nil` if there are none.
    private func wanted(of buffer: AVAudioPCMBuffer, _ time: UInt64) -> AVAudioPCMBuffer? {
        guard let startTime else { return buffer }
        guard startTime > time else {
            self.startTime = nil
            return buffer
        }
        let early = AVAudioTime.seconds(forHostTime: startTime - time) * buffer.format.sampleRate
        guard early < Double(buffer.frameLength) else { return nil }
        self.startTime = nil
        // Bounded: less than the length of the buffer.
        return buffer.frames(from: AVAudioFrameCount(early))
    }

    private func converted(_ buffer: AVAudioPCMBuffer, _ format: AVAudioFormat) throws -> AVAudioPCMBuffer {
        guard let converter else { return buffer }
        let ratio = format.sampleRate / buffer.format.sampleRate
        let capacity = AVAudioFrameCount(clamping: Int64(clamped: Double(buffer.frameLength) * ratio) + 4096)
        guard let output = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: capacity) else { return buffer }
        var isGiven = false
        var failure: NSError?
        _ = converter.convert(to: output, error: &failure) { _, status in
            status.pointee = isGiven ? .noDataNow : .haveData
            defer { isGiven = true }
            return isGiven ? nil : buffer
        }
        if let failure { throw failure }
        return output
    }
}

extension AVAudioPCMBuffer {
    /// Returns a copy of the frames from `frame` on, of a buffer of floats with one plane a channel.
    fileprivate func frames(from frame: AVAudioFrameCount) -> AVAudioPCMBuffer? {
        let count = frameLength - min(frame, frameLength)
        guard count > 0, let copy = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: count),
            let source = floatChannelData, let target = copy.floatChannelData
        else { return nil }
        copy.frameLength = count
        for channel in 0..<Int(format.channelCount) {
            target[channel].update(from: source[channel] + Int(frame), count: Int(count))
        }
        return copy
    }
}
