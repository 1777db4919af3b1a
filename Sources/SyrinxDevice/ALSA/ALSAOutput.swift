import Synchronization

/// Plays to a sound card through ALSA.
///
/// The device writes from a thread of its own, which asks for real-time priority and does without if it is refused. A PCM
/// that does not keep real time by itself, such as ALSA's `null`, is kept to it by the clock.
public final class ALSAOutput: OutputDevice, @unchecked Sendable {
    // Unchecked: the properties belong to the one control thread that the protocol allows; the device's thread works
    // with the memory of `state` and the atomics of `gauges`.
    private let pcmName: String?
    private let simulation: ALSASimulation?
    private let loss = DeviceLossReporter()
    private let gauges = UnsafeMutablePointer.make(DeviceCounters(latency: Atomic(0.06)))
    private let cardName = Mutex<String?>(nil)
    private var life = DeviceStateMachine()
    private var pcm: ALSAPCM?
    private var thread: DeviceThread?
    private var state: UnsafeMutablePointer<ALSARenderState>?
    // Parts of `state`.
    private var control: UnsafeMutablePointer<DeviceThreadControl>?
    private var drop: UnsafeMutablePointer<DropRequest>?
    private var wait: UnsafeMutablePointer<PCMWait>?
    /// Whether the device's thread is known to hold still in a pause.
    private var isThreadStill = false

    /// A device of ALSA.
    ///
    /// Nothing is opened before `open`.
    /// - Parameter pcm: As ALSA's tools take it, for example `plughw:CARD=PCH,DEV=0`; `nil` is `default`.
    public init(pcm: String? = nil) {
        pcmName = pcm
        simulation = nil
    }

    /// A device of a sound card that is simulated.
    /// - Parameters:
    ///   - pcm: The name of the PCM in `simulation`.
    ///   - simulation: A configuration of ALSA, in place of the system's own.
    ///   - canRewind: Whether the card lets what it has not played be written over.
    package init(pcm: String, simulation: String, canRewind: Bool = true) {
        pcmName = pcm
        self.simulation = ALSASimulation(configuration: simulation, canRewind: canRewind)
    }

    deinit {
        stop()
        gauges.destroy()
    }

    /// The word `alsa`, and the PCM if one was named: `alsa:null`.
    public var name: String { pcmName.map { "alsa:\($0)" } ?? "alsa" }

    /// The name of the sound card, once the device has been opened; `nil` for a PCM that is no card's.
    public var outputName: String? { cardName.withLock { $0 } }

    /// Always `true`.
    public var isPaced: Bool { true }

    /// Seconds between the render of a frame and its being heard, as the card says: updated with each block.
    public var latency: Double { gauges.pointee.latency.load(ordering: .relaxed) }

    /// The number of times that the card has run dry since `start`.
    public var underrunCount: Int { gauges.pointee.underruns.load(ordering: .relaxed) }

    /// Called once, from the device's thread, if the card is taken away or stops taking samples for five seconds.
    public var onLoss: (@Sendable (DeviceError) -> Void)? {
        get { loss.handler }
        set { loss.handler = newValue }
    }

    /// Opens the card, and settles the format.
    /// - Parameter preferred: The device takes the nearest that it has. With `nil`: its own rate nearest to 48 kHz, and
    ///   stereo if it can.
    /// - Throws: `DeviceError`: `.notFound` if there is no PCM of that name, `.unavailable` if it cannot be opened or is
    ///   in use, `.unsupportedFormat` if it cannot play.
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

    /// Begins to play.
    /// - Throws: `DeviceError` as `open` does.
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

    /// Holds the sound.
    ///
    /// A card that cannot pause plays out what it has, at most 60 ms.
    public func pause() {
        if life.pause() == .perform { isThreadStill = control?.pointee.hold { wait?.pointee.end() } ?? false }
    }

    /// Goes on.
    public func resume() {
        if life.resume() == .perform { control?.pointee.release() }
    }

    /// Writes over what the card has and has not played, but for the next milliseconds; empties a PCM that is no sound card's.
    ///
    /// What was being heard of such a PCM ends without a fade. Not where ALSA changes the sample rate, nor where less may be
    /// dropped than such a PCM has.
    public func dropUnheard(atMost frameCount: Int, _ change: () -> Void) -> Bool {
        switch life.state {
        case .running: drop?.pointee.send(atMost: frameCount, change) { wait?.pointee.end() } ?? false
        case .paused where isThreadStill: pcm?.emptyPaused(atMost: frameCount, change) ?? false
        case .closed, .open, .paused: false
        }
    }

    /// Ends at once, and gives the card back.
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
