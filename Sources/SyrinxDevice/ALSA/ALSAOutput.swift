import Synchronization

/// An output device that plays through ALSA.
///
/// The device writes on its own thread, with real-time priority if the system grants it. Some PCMs, such as ALSA's
/// `null`, accept samples faster than real time; the device then paces them by the clock.
public final class ALSAOutput: OutputDevice, @unchecked Sendable {
    // Unchecked: only the one control thread that the protocol allows uses the properties; the device's thread uses the
    // memory of `state` and the atomics of `gauges`.
    private let pcmName: String?
    private let simulation: ALSASimulation?
    private let loss = DeviceLossReporter()
    private let gauges = UnsafeMutablePointer.make(DeviceCounters(latency: Atomic(0.06)))
    private let cardName = Mutex<String?>(nil)
    private var life = DeviceStateMachine()
    private var pcm: ALSAPCM?
    private var thread: DeviceThread?
    private var state: UnsafeMutablePointer<ALSARenderState>?
    // Owned by `state`.
    private var control: UnsafeMutablePointer<DeviceThreadControl>?
    private var drop: UnsafeMutablePointer<DropRequest>?
    private var wait: UnsafeMutablePointer<PCMWait>?
    /// Whether the device's thread is known to be suspended by a pause.
    private var isThreadStill = false

    /// Creates an ALSA device.
    ///
    /// No PCM is opened before `open`.
    /// - Parameter pcm: The name of the PCM, for example `plughw:CARD=PCH,DEV=0`; `nil` is `default`.
    public init(pcm: String? = nil) {
        pcmName = pcm
        simulation = nil
    }

    /// Creates a device of a simulated sound card, for tests.
    /// - Parameters:
    ///   - pcm: The name of the PCM in `simulation`.
    ///   - simulation: An ALSA configuration that replaces that of the system.
    ///   - canRewind: Whether queued samples of the card can be overwritten.
    package init(pcm: String, simulation: String, canRewind: Bool = true) {
        pcmName = pcm
        self.simulation = ALSASimulation(configuration: simulation, canRewind: canRewind)
    }

    deinit {
        stop()
        gauges.destroy()
    }

    /// `alsa`, followed by the name of the PCM if one was specified: `alsa:null`.
    public var name: String { pcmName.map { "alsa:\($0)" } ?? "alsa" }

    /// The name of the sound card, once the device has been opened; `nil` for a PCM without a card.
    public var outputName: String? { cardName.withLock { $0 } }

    /// Always `true`.
    public var isPaced: Bool { true }

    /// The time between rendering a frame and hearing it, in seconds, as reported by the card; updated with each block.
    public var latency: Double { gauges.pointee.latency.load(ordering: .relaxed) }

    /// The number of underruns since `start`.
    public var underrunCount: Int { gauges.pointee.underruns.load(ordering: .relaxed) }

    /// Called once, on the device's thread, if the card is removed or accepts no samples for five seconds.
    public var onLoss: (@Sendable (DeviceError) -> Void)? {
        get { loss.handler }
        set { loss.handler = newValue }
    }

    /// Opens the PCM, and negotiates the format.
    /// - Parameter preferred: The preferred format, to which the device uses the nearest. `nil` means the device's rate
    ///   nearest to 48 kHz, and stereo if possible.
    /// - Throws: `DeviceError`: `.deviceNotFound` if no PCM has this name, `.deviceUnavailable` if it cannot be opened
    ///   or is in use, `.unsupportedFormat` if it cannot play.
    public func open(preferred: DeviceFormat?) throws(DeviceError) -> DeviceFormat {
        try life.willOpen(name)
        try preferred?.check(name)
        pcm = nil
        let opened = try ALSAPCM(pcm: pcmName, preferred: preferred, device: name, simulation: simulation)
        pcm = opened
        cardName.withLock { $0 = opened.cardName }
        life.opened(opened.format)
        return opened.format
    }

    /// Starts playback.
    /// - Throws: The errors of `open`; `.unsupportedFormat` if `open` was not called or the device's format has
    ///   changed; `.deviceUnavailable` if the device is already running.
    public func start(_ callback: RenderCallback) throws(DeviceError) {
        let format = try life.willStart(name)
        let pcm = try usablePCM(format)
        gauges.pointee.underruns.store(0, ordering: .relaxed)
        let state = UnsafeMutablePointer.make(
            ALSARenderState(callback, pcm: pcm, gauges: gauges, loss: loss, name: name)
        )
        let (control, drop, wait) = (state.pointee.control, state.pointee.drop, state.pointee.wait)
        loss.arm()
        do throws(DeviceError) {
            thread = try DeviceThread("syrinx-alsa", wantsPriority: true, device: name, context: state) { context in
                context.assumingMemoryBound(to: ALSARenderState.self).pointee.run()
            }
        } catch {
            loss.disarm()
            state.destroy()
            throw error
        }
        self.state = state
        self.control = control
        self.drop = drop
        self.wait = wait
        life.started()
    }

    private func usablePCM(_ format: DeviceFormat) throws(DeviceError) -> ALSAPCM {
        if let pcm { return pcm }
        let fresh = try ALSAPCM(pcm: pcmName, preferred: format, device: name, simulation: simulation)
        guard fresh.format == format else {
            throw DeviceError(.unsupportedFormat, "it takes \(fresh.format.text) now: open it again", device: name)
        }
        pcm = fresh
        return fresh
    }

    /// Pauses playback.
    ///
    /// A card that cannot pause plays its queued samples, at most 60 ms.
    public func pause() {
        if life.pause() == .perform { isThreadStill = control?.pointee.hold { wait?.pointee.end() } ?? false }
    }

    /// Resumes playback.
    public func resume() {
        if life.resume() == .perform { control?.pointee.release() }
    }

    /// Overwrites queued samples, except for those of the next few milliseconds; discards the queue of a PCM without
    /// hardware.
    ///
    /// A PCM without hardware stops the current sound without a fade. Returns `false` if ALSA converts the sample rate,
    /// or if a PCM without hardware has more queued frames than `frameCount`.
    public func dropUnheard(atMost frameCount: Int, _ change: () -> Void) -> Bool {
        switch life.state {
        case .running: drop?.pointee.send(atMost: frameCount, change) { wait?.pointee.end() } ?? false
        case .paused where isThreadStill: pcm?.emptyPaused(atMost: frameCount, change) ?? false
        case .closed, .open, .paused: false
        }
    }

    /// Stops playback immediately, and closes the PCM.
    public func stop() {
        if life.stop() == .perform, let state {
            control?.pointee.end()
            wait?.pointee.end()
            thread?.join()
            loss.disarm()
            thread = nil
            self.state = nil
            control = nil
            drop = nil
            wait = nil
            state.destroy()
        }
        pcm = nil
    }
}
