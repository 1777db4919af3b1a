import CoreAudioTypes
import SyrinxDSP
import SyrinxMediaCodec

/// Converts the output of a node to the format of a tap.
///
/// It runs on the tap's queue, so the render thread never waits for it.
///
/// The converter processes one gapless section after another. Within a section, output frame k is the input at exactly
/// k · input rate / output rate. Channels are mixed as in a mixer (`ChannelMatrix`).
final class TapConverter: @unchecked Sendable {
    // Unchecked: used under the lock of its tap alone.

    /// The format of the result.
    let format: AVAudioFormat
    /// Input frames for a frame of output.
    let ratio: Double
    /// Memory for input before `push`: `inputCapacity` frames of each channel.
    let input: FloatPlanes<Float>
    let inputCapacity: Int

    private let routes: [ChannelRoute]
    private let mixed: FloatPlanes<Float>?
    private let kernel: ResamplerKernel
    private let output: FloatPlanes<Float>
    /// The places in `output` at which a read continues.
    private let places: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let form: PCMLayout?
    private let bufferSize: Int

    /// The number of frames in `output` that are not yet delivered, and of those delivered before in this section.
    private var waiting = 0
    private var given: Int64 = 0
    private var state = State.idle

    private enum State {
        /// Between two stretches.
        case idle
        /// The frame that is expected next, on the clock of the input, and the first of the stretch.
        case running(next: Int64, first: Int64)
        /// The section has ended, and its remaining frames are being delivered.
        case ending(first: Int64)
    }

    /// Whether a tap can give `format`.
    static func gives(_ format: AVAudioFormat) -> Bool {
        // Below 1 kHz the filter of the resampler becomes longer than a second.
        format.sampleRate.isFinite && (1_000...10_000_000).contains(format.sampleRate)
            && PCMLayout(format.streamDescription.pointee) != nil && format.asStandard != nil
    }

    /// Creates a converter between different formats; `nil` if no conversion is needed.
    /// - Parameters:
    ///   - source: The format of the node, one buffer per channel.
    ///   - format: The requested format, for which `gives` is true.
    ///   - bufferSize: The maximum number of frames per output buffer.
    init?(from source: AVAudioFormat, to format: AVAudioFormat, bufferSize: Int) {
        let matrix = ChannelMatrix(from: source, to: format)
        let isAsItIs = source.sampleRate == format.sampleRate && matrix.isIdentity && format.isStandard
        guard !isAsItIs, Self.gives(format) else { return nil }
        self.format = format
        self.bufferSize = bufferSize
        ratio = source.sampleRate / format.sampleRate
        let channelCount = Int(format.channelCount)
        // Limits the input per read of the resampler to one size, whatever the ratio.
        inputCapacity = max(16, min(4096, Int(8192 / ratio)))
        input = FloatPlanes(channelCount: Int(source.channelCount), capacity: inputCapacity)
        routes = matrix.routes
        mixed = matrix.isIdentity ? nil : FloatPlanes(channelCount: channelCount, capacity: inputCapacity)
        kernel = ResamplerKernel(
            inputRate: source.sampleRate,
            outputRate: format.sampleRate,
            channelCount: channelCount,
            maximumFrameCount: inputCapacity
        )
        output = FloatPlanes(channelCount: channelCount, capacity: bufferSize)
        places = .allocate(capacity: channelCount)
        places.initialize(repeating: output.channels[0], count: channelCount)
        form = format.isStandard ? nil : PCMLayout(format.streamDescription.pointee)
    }

    deinit { places.deallocate() }

    /// Whether a section is in progress and may continue.
    var isRunning: Bool { if case .running = state { true } else { false } }

    /// The number of input frames needed for the next buffer.
    var wantedCount: Int { max(1, Int((Double(bufferSize - waiting) * ratio).rounded(.up))) }

    /// Begins a stretch with the input frame of this time.
    func begin(at sampleTime: Int64) {
        kernel.reset()
        waiting = 0
        given = 0
        state = .running(next: sampleTime, first: sampleTime)
    }

    /// Returns whether the input frame with this time continues the section.
    func goesOn(at sampleTime: Int64) -> Bool {
        guard case .running(let next, _) = state else { return false }
        return next == sampleTime
    }

    /// Adds the first `count` frames of `input`.
    func push(_ count: Int) {
        guard case .running(let next, let first) = state else { return }
        state = .running(next: next + Int64(count), first: first)
        guard let mixed else { return kernel.write(UnsafePointer(input.channels), frameCount: count) }
        for channel in 0..<Int(format.channelCount) { mixed.channels[channel].update(repeating: 0, count: count) }
        for route in routes {
            let source = input.channels[route.source]
            let target = mixed.channels[route.target]
            for frame in 0..<count { target[frame] += source[frame] * route.gain }
        }
        kernel.write(UnsafePointer(mixed.channels), frameCount: count)
    }

    /// Ends the section; its remaining frames can then be taken.
    func finish() {
        guard case .running(_, let first) = state else { return }
        kernel.endInput()
        state = .ending(first: first)
    }

    /// A piece of converted sound and its place.
    struct Piece {
        let buffer: AVAudioPCMBuffer
        /// The first frame, in frames of the output from the beginning of time.
        let sampleTime: Int64
        /// The same moment on the clock of the input.
        let inputTime: Double
    }

    /// Returns the next full buffer, or the rest at the end of a section; `nil` if more input is needed.
    func take() -> Piece? {
        fill()
        switch state {
        case .idle: return nil
        case .running(_, let first): return waiting == bufferSize ? piece(first) : nil
        case .ending(let first):
            if waiting > 0 { return piece(first) }
            state = .idle
            return nil
        }
    }

    private func fill() {
        while waiting < bufferSize {
            for channel in 0..<Int(format.channelCount) { places[channel] = output.channels[channel] + waiting }
            let count = kernel.read(into: UnsafePointer(places), frameCount: bufferSize - waiting)
            if count == 0 { return }
            waiting += count
        }
    }

    private func piece(_ first: Int64) -> Piece? {
        guard let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(bufferSize)) else {
            return nil
        }
        buffer.frameLength = AVAudioFrameCount(waiting)
        let source = UnsafePointer(output.channels)
        if let form {
            form.store(source, at: 0, count: waiting, into: buffer.list, from: 0)
        } else if let channels = buffer.floatChannelData {
            for channel in 0..<Int(format.channelCount) {
                channels[channel].update(from: source[channel], count: waiting)
            }
        }
        let start = Int64((Double(first) / ratio).rounded())
        let piece = Piece(
            buffer: buffer,
            sampleTime: start + given,
            inputTime: Double(first) + Double(given) * ratio
        )
        given += Int64(waiting)
        waiting = 0
        return piece
    }
}
