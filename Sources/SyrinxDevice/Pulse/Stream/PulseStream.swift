import CSyrinxPulse
import Synchronization

/// The direction of a stream.
enum PulseDirection {
    case playback, recording

    /// The name of the server's end of the stream, for error messages.
    var end: String { self == .playback ? "sink" : "source" }
    /// The name of a missing default device, for error messages.
    var port: String { self == .playback ? "output" : "input" }
    fileprivate var verb: String { self == .playback ? "play" : "record" }
    fileprivate var name: String { self == .playback ? "stream" : "recording" }
}

/// The properties of a stream to create.
struct PulseStreamRequest {
    let direction: PulseDirection
    /// The server's name of the sink or source; `nil` is the default.
    let target: String?
    let format: DeviceFormat
    let map: pa_channel_map
    /// The requested latency, in seconds.
    let latency: Double
    /// The name of the device in error messages.
    let device: String
}

/// The receiver of failures of a stream or its connection.
private struct PulseEventSubscription {
    let loss: DeviceLossReporter
    let wish: PulseStreamRequest

    func didFail(_ message: String) { loss.report(DeviceError(.deviceLost, message, device: wish.device)) }
}

/// A playback or recording stream of a connection.
final class PulseStream<State: ~Copyable> {
    private let connection: PulseConnection
    private let stream: OpaquePointer
    // Both owned. They are libpulse's userdata until `deinit` removes the callbacks, with the lock.
    private let state: UnsafeMutablePointer<State>
    private let watch: UnsafeMutablePointer<PulseEventSubscription>

    /// Creates the stream, and waits until the server has accepted it; a playback stream has then rendered its first
    /// frames.
    /// - Parameter setCallbacks: Sets the callbacks that transfer samples, with the pointer to `state` as userdata.
    /// - Throws: `DeviceError`: `.deviceNotFound` if the sink or source does not exist, `.unsupportedFormat` if the
    ///   server does not support the format, `.deviceUnavailable` otherwise.
    init(
        _ connection: PulseConnection,
        _ wish: PulseStreamRequest,
        loss: DeviceLossReporter,
        state: consuming State,
        setCallbacks: (OpaquePointer, UnsafeMutablePointer<State>) -> Void
    ) throws(DeviceError) {
        connection.lock()
        defer { connection.unlock() }
        guard let stream = wish.makeStream(connection.context) else {
            throw DeviceError(
                .unsupportedFormat,
                "the sound server cannot \(wish.direction.verb) \(wish.format.text)",
                device: wish.device
            )
        }
        self.connection = connection
        self.stream = stream
        self.state = .make(state)
        watch = .make(PulseEventSubscription(loss: loss, wish: wish))
        do throws(DeviceError) {
            setCallbacks(stream, self.state)
            try connect(wish)
        } catch {
            detach()
            throw error
        }
        watchForTheEnd()
    }

    deinit {
        connection.lock()
        detach()
        connection.unlock()
        pa_stream_unref(stream)
        state.destroy()
        watch.destroy()
    }

    private func connect(_ wish: PulseStreamRequest) throws(DeviceError) {
        pa_stream_set_state_callback(
            stream,
            { _, userdata in pa_threaded_mainloop_signal(OpaquePointer(userdata), 0) },
            connection.signalTarget
        )
        let status = wish.connect(stream)
        let answered =
            status >= 0
            && connection.wait {
                let streamState = pa_stream_get_state(stream)
                return streamState != PA_STREAM_CREATING && streamState != PA_STREAM_UNCONNECTED
                    || !connection.isReady
            }
        if answered, pa_stream_get_state(stream) == PA_STREAM_READY { return }
        if answered, let target = wish.target, pa_context_errno(connection.context) == PA_ERR_NOENTITY.rawValue {
            throw .missing(wish.direction, target, device: wish.device)
        }
        let reason = answered ? connection.reason : "it does not answer"
        throw DeviceError(
            .deviceUnavailable,
            "the sound server did not take the stream (\(reason))",
            device: wish.device
        )
    }

    /// Makes failures of the stream or the connection be reported.
    private func watchForTheEnd() {
        pa_stream_set_state_callback(
            stream,
            { stream, userdata in
                guard pa_stream_get_state(stream) == PA_STREAM_FAILED else { return }
                guard let watch = userdata?.assumingMemoryBound(to: PulseEventSubscription.self) else { return }
                watch.pointee.didFail("the sound server has ended the \(watch.pointee.wish.direction.name)")
            },
            watch
        )
        pa_context_set_state_callback(
            connection.context,
            { context, userdata in
                guard pa_context_get_state(context) == PA_CONTEXT_FAILED else { return }
                userdata?.assumingMemoryBound(to: PulseEventSubscription.self).pointee.didFail(
                    "the sound server is gone"
                )
            },
            watch
        )
    }

    /// Removes all callbacks, and closes the stream.
    ///
    /// Requires the lock. Can be called repeatedly.
    private func detach() {
        pa_context_set_state_callback(connection.context, nil, nil)
        pa_stream_set_state_callback(stream, nil, nil)
        pa_stream_set_read_callback(stream, nil, nil)
        pa_stream_set_write_callback(stream, nil, nil)
        pa_stream_set_started_callback(stream, nil, nil)
        pa_stream_set_underflow_callback(stream, nil, nil)
        pa_stream_set_moved_callback(stream, nil, nil)
        pa_stream_set_latency_update_callback(stream, nil, nil)
        pa_stream_disconnect(stream)
    }

    /// Calls `body` while libpulse's thread runs no callback.
    fileprivate func exclusively(_ body: (OpaquePointer, UnsafeMutablePointer<State>) -> Void) {
        connection.lock()
        defer { connection.unlock() }
        body(stream, state)
    }
}

extension PulseStream where State == PulseRenderState {
    /// Pauses playback; no callback runs after this method returns.
    func hold() {
        exclusively { stream, state in
            state.pointee.hold()
            Self.cork(stream, true)
        }
    }

    /// Resumes playback, after filling the free space of the server's buffer.
    func release() {
        exclusively { stream, state in
            state.pointee.release(stream)
            Self.cork(stream, false)
        }
    }

    /// Takes back at most `frameCount` queued frames, calls `change`, and renders new ones.
    /// - Returns: Whether frames were taken back and `change` was called.
    func dropUnheard(atMost frameCount: Int, _ change: () -> Void) -> Bool {
        var isDone = false
        exclusively { stream, state in
            awaitBegin(state)
            guard state.pointee.mayTakeBack(frameCount),
                let answer = connection.renewTiming(of: stream, withLevel: state.pointee.needsSinkLevel),
                state.pointee.replaceUnheard(stream, answer, atMost: frameCount, after: change)
            else { return }
            state.pointee.fill(stream)
            isDone = true
        }
        return isDone
    }

    /// The maximum time to wait until a stream plays, in seconds; a suspended sink takes longer, and loses nothing.
    private static let patience = 0.05

    /// Waits until a newly started stream plays.
    ///
    /// Requires the lock.
    private func awaitBegin(_ state: UnsafeMutablePointer<PulseRenderState>) {
        guard !state.pointee.hasBegun else { return }
        state.pointee.waiting = OpaquePointer(connection.signalTarget)
        _ = connection.wait(patience: Self.patience) { state.pointee.hasBegun || !connection.isReady }
        state.pointee.waiting = nil
    }

    private static func cork(_ stream: OpaquePointer, _ isCorked: Bool) {
        // Don't wait for the result, because the state callbacks report a lost server.
        if let operation = pa_stream_cork(stream, isCorked ? 1 : 0, nil, nil) { pa_operation_unref(operation) }
    }
}

extension PulseStreamRequest {
    fileprivate func makeStream(_ context: OpaquePointer) -> OpaquePointer? {
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

    /// - Returns: A negative number if the request fails.
    fileprivate func connect(_ stream: OpaquePointer) -> Int32 {
        let wanted = UInt32(Int(latency * format.sampleRate) * format.channelCount * MemoryLayout<Float>.stride)
        let undecided = UInt32.max
        var attributes = pa_buffer_attr()
        attributes.maxlength = undecided
        attributes.tlength = direction == .playback ? wanted : undecided
        attributes.prebuf = undecided
        attributes.minreq = undecided
        attributes.fragsize = direction == .recording ? wanted : undecided
        let flags = pa_stream_flags_t(
            rawValue: PA_STREAM_ADJUST_LATENCY.rawValue | PA_STREAM_AUTO_TIMING_UPDATE.rawValue
                | PA_STREAM_INTERPOLATE_TIMING.rawValue
        )
        return switch direction {
        case .playback: pa_stream_connect_playback(stream, target, &attributes, flags, nil, nil)
        case .recording: pa_stream_connect_record(stream, target, &attributes, flags)
        }
    }
}

extension DeviceError {
    /// Returns the error for a sink or source that does not exist.
    static func missing(_ direction: PulseDirection, _ target: String, device: String) -> DeviceError {
        DeviceError(.deviceNotFound, "the sound server has no \(direction.end) \"\(target)\"", device: device)
    }
}

extension DeviceFormat {
    /// The format as text for display.
    var text: String {
        let rate = sampleRate == sampleRate.rounded() ? "\(Int(sampleRate))" : "\(sampleRate)"
        return "\(rate) Hz with \(channelCount) channel\(channelCount == 1 ? "" : "s")"
    }
}
