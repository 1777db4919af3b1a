import CPulse
import Synchronization

/// What libpulse's thread works with while a `PulseInput` runs.
///
/// All of it with the main loop's lock.
struct PulseCaptureState: ~Copyable {
    private let callback: CaptureCallback
    private let channelCount: Int
    /// One buffer of `RenderBlock.maximumFrameCount` a channel.
    ///
    /// Owned: freed in `deinit`.
    private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let samples: UnsafeMutablePointer<Float>
    // Lives longer than this: from the device's `init` to its `deinit`.
    private let gauges: UnsafeMutablePointer<Gauges>
    private let loss: LossReporter
    private let name: String

    init(
        _ callback: CaptureCallback,
        channelCount: Int,
        gauges: UnsafeMutablePointer<Gauges>,
        loss: LossReporter,
        name: String
    ) {
        self.callback = callback
        self.channelCount = channelCount
        self.gauges = gauges
        self.loss = loss
        self.name = name
        let length = RenderBlock.maximumFrameCount
        samples = .allocate(capacity: channelCount * length)
        samples.initialize(repeating: 0, count: channelCount * length)
        channels = .allocate(capacity: channelCount)
        for channel in 0..<channelCount { (channels + channel).initialize(to: samples + channel * length) }
    }

    deinit {
        channels.deallocate()
        samples.deallocate()
    }

    /// Takes all that the server has recorded.
    func drain(_ stream: OpaquePointer) {
        var memory: UnsafeRawPointer?
        var byteCount = 0
        while pa_stream_peek(stream, &memory, &byteCount) >= 0, byteCount > 0 {
            let frameCount = byteCount / (channelCount * MemoryLayout<Float>.stride)
            // A hole in the recording has a length and no memory: it is silence.
            hand(memory?.assumingMemoryBound(to: Float.self), frameCount)
            pa_stream_drop(stream)
        }
        noteLatency(stream)
    }

    private func hand(_ interleaved: UnsafePointer<Float>?, _ frameCount: Int) {
        var done = 0
        while done < frameCount {
            let count = min(frameCount - done, RenderBlock.maximumFrameCount)
            for channel in 0..<channelCount {
                let target = channels[channel]
                for frame in 0..<count {
                    target[frame] = interleaved.map { $0[(done + frame) * channelCount + channel] } ?? 0
                }
            }
            callback.capture(callback.context, channels, UInt32(count), nil)
            done += count
        }
    }

    private func noteLatency(_ stream: OpaquePointer) {
        var microseconds: pa_usec_t = 0
        var isNegative: Int32 = 0
        guard pa_stream_get_latency(stream, &microseconds, &isNegative) >= 0 else { return }
        let seconds = isNegative != 0 ? 0 : Double(microseconds) / 1_000_000
        gauges.pointee.latency.store(seconds, ordering: .relaxed)
    }

    /// The stream or the connection has ended by itself.
    func didFail(_ message: String) {
        loss.report(DeviceError(.lost, message, device: name))
    }
}

/// One recording stream of a connection, from its creation to its end.
final class PulseRecordStream {
    private let connection: PulseConnection
    private let stream: OpaquePointer
    // Owned. libpulse's thread has it as userdata until the callbacks are taken away in `deinit`, with the lock.
    private let state: UnsafeMutablePointer<PulseCaptureState>

    /// Creates the stream, and waits until the server has taken it.
    /// - Throws: `DeviceError`: `.notFound` if the source is gone, `.unavailable` otherwise.
    init(
        _ connection: PulseConnection,
        source: String?,
        format: DeviceFormat,
        map: pa_channel_map,
        latency: Double,
        device: String,
        state: consuming PulseCaptureState
    ) throws(DeviceError) {
        connection.lock()
        defer { connection.unlock() }
        guard let stream = PulseStream.make(connection.context, format, map) else {
            throw DeviceError(.unsupportedFormat, "the sound server cannot record \(format.text)", device: device)
        }
        self.connection = connection
        self.stream = stream
        self.state = .make(state)
        do throws(DeviceError) {
            try connect(source: source, format: format, latency: latency, device: device)
        } catch {
            detach()
            throw error
        }
        watch()
    }

    deinit {
        connection.lock()
        detach()
        connection.unlock()
        pa_stream_unref(stream)
        state.destroy()
    }

    private func connect(
        source: String?,
        format: DeviceFormat,
        latency: Double,
        device: String
    ) throws(DeviceError) {
        pa_stream_set_state_callback(
            stream,
            { _, userdata in pa_threaded_mainloop_signal(OpaquePointer(userdata), 0) },
            connection.signalTarget
        )
        pa_stream_set_read_callback(
            stream,
            { stream, _, userdata in
                guard let stream else { return }
                userdata?.assumingMemoryBound(to: PulseCaptureState.self).pointee.drain(stream)
            },
            state
        )
        let frameByteCount = format.channelCount * MemoryLayout<Float>.stride
        let undecided = UInt32.max
        var attributes = pa_buffer_attr()
        attributes.maxlength = undecided
        attributes.tlength = undecided
        attributes.prebuf = undecided
        attributes.minreq = undecided
        attributes.fragsize = UInt32(Int(latency * format.sampleRate) * frameByteCount)
        let flags = pa_stream_flags_t(
            rawValue: PA_STREAM_ADJUST_LATENCY.rawValue | PA_STREAM_AUTO_TIMING_UPDATE.rawValue
                | PA_STREAM_INTERPOLATE_TIMING.rawValue
        )
        let status = pa_stream_connect_record(stream, source, &attributes, flags)
        let answered =
            status >= 0
            && connection.wait {
                let streamState = pa_stream_get_state(stream)
                return streamState != PA_STREAM_CREATING && streamState != PA_STREAM_UNCONNECTED
                    || !connection.isReady
            }
        if answered, pa_stream_get_state(stream) == PA_STREAM_READY { return }
        if answered, let source, pa_context_errno(connection.context) == PA_ERR_NOENTITY.rawValue {
            throw DeviceError(.notFound, "the sound server has no source \"\(source)\"", device: device)
        }
        let reason = answered ? connection.reason : "it does not answer"
        throw DeviceError(.unavailable, "the sound server did not take the stream (\(reason))", device: device)
    }

    /// Has an end of the stream or of the connection reported.
    private func watch() {
        pa_stream_set_state_callback(
            stream,
            { stream, userdata in
                guard pa_stream_get_state(stream) == PA_STREAM_FAILED else { return }
                userdata?.assumingMemoryBound(to: PulseCaptureState.self).pointee
                    .didFail("the sound server has ended the recording")
            },
            state
        )
        pa_context_set_state_callback(
            connection.context,
            { context, userdata in
                guard pa_context_get_state(context) == PA_CONTEXT_FAILED else { return }
                userdata?.assumingMemoryBound(to: PulseCaptureState.self).pointee.didFail("the sound server is gone")
            },
            state
        )
    }

    /// Takes the callbacks away and ends the stream.
    ///
    /// With the lock; more than once is harmless.
    private func detach() {
        pa_context_set_state_callback(connection.context, nil, nil)
        pa_stream_set_state_callback(stream, nil, nil)
        pa_stream_set_read_callback(stream, nil, nil)
        pa_stream_disconnect(stream)
    }
}
