import CPulse

/// One playback stream of a connection, from its creation to its end.
final class PulseStream {
    private let connection: PulseConnection
    private let stream: OpaquePointer
    // Owned. libpulse's thread has it as userdata until the callbacks are taken away in `deinit`, with the lock.
    private let state: UnsafeMutablePointer<PulseRenderState>

    /// Creates the stream, and waits until the server has taken it: by then the first frames have been rendered.
    /// - Throws: `DeviceError`: `.notFound` if the sink is gone, `.unavailable` otherwise.
    init(
        _ connection: PulseConnection,
        sink: String?,
        format: DeviceFormat,
        map: pa_channel_map,
        latency: Double,
        device: String,
        state: consuming PulseRenderState
    ) throws(DeviceError) {
        connection.lock()
        defer { connection.unlock() }
        guard let stream = Self.make(connection.context, format, map) else {
            throw DeviceError(.unsupportedFormat, "the sound server cannot play \(format.text)", device: device)
        }
        self.connection = connection
        self.stream = stream
        self.state = .make(state)
        do throws(DeviceError) {
            try connect(sink: sink, format: format, latency: latency, device: device)
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

    static func make(_ context: OpaquePointer, _ format: DeviceFormat, _ map: pa_channel_map) -> OpaquePointer? {
        var spec = pa_sample_spec()
        #if _endian(little)
            spec.format = PA_SAMPLE_FLOAT32LE
        #else
            spec.format = PA_SAMPLE_FLOAT32BE
        #endif
        spec.rate = UInt32(format.sampleRate)
        spec.channels = UInt8(format.channelCount)
        var map = map
        guard let properties = pa_proplist_new() else { return nil }
        defer { pa_proplist_free(properties) }
        pa_proplist_sets(properties, PA_PROP_MEDIA_ROLE, "music")
        pa_proplist_sets(properties, PA_PROP_APPLICATION_NAME, "Syrinx")
        return pa_stream_new_with_proplist(context, "Syrinx", &spec, &map, properties)
    }

    private func connect(
        sink: String?,
        format: DeviceFormat,
        latency: Double,
        device: String
    ) throws(DeviceError) {
        pa_stream_set_state_callback(
            stream,
            { _, userdata in pa_threaded_mainloop_signal(OpaquePointer(userdata), 0) },
            connection.signalTarget
        )
        setPlaybackCallbacks()
        let frameByteCount = format.channelCount * MemoryLayout<Float>.stride
        var attributes = pa_buffer_attr()
        let undecided = UInt32.max
        attributes.maxlength = undecided
        attributes.tlength = UInt32(Int(latency * format.sampleRate) * frameByteCount)
        attributes.prebuf = undecided
        attributes.minreq = undecided
        attributes.fragsize = undecided
        let flags = pa_stream_flags_t(
            rawValue: PA_STREAM_ADJUST_LATENCY.rawValue | PA_STREAM_AUTO_TIMING_UPDATE.rawValue
                | PA_STREAM_INTERPOLATE_TIMING.rawValue
        )
        let status = pa_stream_connect_playback(stream, sink, &attributes, flags, nil, nil)
        let answered =
            status >= 0
            && connection.wait {
                let streamState = pa_stream_get_state(stream)
                return streamState != PA_STREAM_CREATING && streamState != PA_STREAM_UNCONNECTED
                    || !connection.isReady
            }
        if answered, pa_stream_get_state(stream) == PA_STREAM_READY { return }
        if answered, let sink, pa_context_errno(connection.context) == PA_ERR_NOENTITY.rawValue {
            throw DeviceError(.notFound, "the sound server has no sink \"\(sink)\"", device: device)
        }
        let reason = answered ? connection.reason : "it does not answer"
        throw DeviceError(.unavailable, "the sound server did not take the stream (\(reason))", device: device)
    }

    private func setPlaybackCallbacks() {
        pa_stream_set_write_callback(
            stream,
            { stream, _, userdata in
                guard let stream else { return }
                userdata?.assumingMemoryBound(to: PulseRenderState.self).pointee.fill(stream)
            },
            state
        )
        pa_stream_set_started_callback(
            stream,
            { _, userdata in userdata?.assumingMemoryBound(to: PulseRenderState.self).pointee.didBeginToPlay() },
            state
        )
        pa_stream_set_underflow_callback(
            stream,
            { _, userdata in userdata?.assumingMemoryBound(to: PulseRenderState.self).pointee.didUnderflow() },
            state
        )
    }

    /// Has a move, an end of the stream or of the connection reported.
    private func watch() {
        pa_stream_set_moved_callback(
            stream,
            { _, userdata in userdata?.assumingMemoryBound(to: PulseRenderState.self).pointee.didMove() },
            state
        )
        pa_stream_set_state_callback(
            stream,
            { stream, userdata in
                guard pa_stream_get_state(stream) == PA_STREAM_FAILED else { return }
                userdata?.assumingMemoryBound(to: PulseRenderState.self).pointee
                    .didFail("the sound server has ended the stream")
            },
            state
        )
        pa_context_set_state_callback(
            connection.context,
            { context, userdata in
                guard pa_context_get_state(context) == PA_CONTEXT_FAILED else { return }
                userdata?.assumingMemoryBound(to: PulseRenderState.self).pointee
                    .didFail("the sound server is gone")
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
        pa_stream_set_write_callback(stream, nil, nil)
        pa_stream_set_started_callback(stream, nil, nil)
        pa_stream_set_underflow_callback(stream, nil, nil)
        pa_stream_set_moved_callback(stream, nil, nil)
        pa_stream_disconnect(stream)
    }

    /// Holds the sound: nothing is rendered when this returns.
    func hold() {
        connection.lock()
        defer { connection.unlock() }
        state.pointee.isHeld = true
        cork(true)
    }

    /// Lets the sound go on, with what has become free meanwhile filled first.
    func release() {
        connection.lock()
        defer { connection.unlock() }
        state.pointee.isHeld = false
        state.pointee.fill(stream)
        cork(false)
    }

    private func cork(_ isCorked: Bool) {
        // No answer is waited for: a server that is gone reports itself through the state callbacks.
        if let operation = pa_stream_cork(stream, isCorked ? 1 : 0, nil, nil) { pa_operation_unref(operation) }
    }
}

extension DeviceFormat {
    /// The format as a person reads it.
    var text: String {
        let rate = sampleRate == sampleRate.rounded() ? "\(Int(sampleRate))" : "\(sampleRate)"
        return "\(rate) Hz with \(channelCount) channel\(channelCount == 1 ? "" : "s")"
    }
}
