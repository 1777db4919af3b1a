import AudioDevice
public import Foundation

extension NSNotification.Name {
    /// Posted, with the engine as its object, when the output has changed while the engine runs: the sound server has moved
    /// the sound, was restarted, or the device takes another format.
    ///
    /// Posted on a queue of the engine's. Unlike Apple's, the engine goes on by itself: see
    /// `AVAudioEngine.followsOutputChanges`.
    public static let AVAudioEngineConfigurationChange = NSNotification.Name(
        "AVAudioEngineConfigurationChangeNotification"
    )
}

extension AVAudioEngine {
    /// Whether the engine goes on, on whatever output there is then, when its own is lost; default true.
    ///
    /// It looks for one for 10 seconds, during which nothing is rendered and the engine's time stands; then it goes on with
    /// the next frame, and posts `AVAudioEngineConfigurationChange`. The graph keeps its format until the engine is started
    /// anew: where the new output takes another, the sound is converted at the end. If there is none, or where this is
    /// false, the engine stops and posts the notification, as Apple's does.
    ///
    /// An addition to Apple's interface.
    public var followsOutputChanges: Bool {
        get { lock.withLock { outputState.follows } }
        set { lock.withLock { outputState.follows = newValue } }
    }

    /// The state of an output that was lost.
    struct OutputState {
        var follows = true
        /// Counts losses, so that an attempt knows whether it is still wanted.
        var generation = 0
        var isRecovering = false
        /// Between the graph and a device of another format.
        var adapter: OutputAdapter?
    }

    static let recoveryQueue = DispatchQueue(label: "syrinx.engine.recovery")

    /// On the device's own thread, which the holder of the lock may be waiting for.
    func lost(_ error: DeviceError) {
        Self.callbackQueue.async { [weak self] in self?.didLose(error) }
    }

    /// On the device's own thread too.
    func outputMoved() {
        Self.callbackQueue.async { [weak self] in self?.postConfigurationChange() }
    }

    func postConfigurationChange() {
        NotificationCenter.default.post(name: .AVAudioEngineConfigurationChange, object: self)
    }

    private func didLose(_ error: DeviceError) {
        // An observer of losses handles them itself.
        if let observer = lock.withLock({ lossObserver }) { return observer(error) }
        guard lock.withLock({ renderer != nil && manual == nil }) else { return }
        let generation = lock.withLock { () -> Int? in
            guard outputState.follows else { return nil }
            device?.stop()
            outputState.isRecovering = true
            outputState.generation += 1
            return outputState.generation
        }
        guard let generation else {
            endRendering()
            return postConfigurationChange()
        }
        let recovery = OutputRecovery(lostAt: Double(monotonicNanoseconds()) / 1e9)
        Self.recoveryQueue.async { [weak self] in self?.recover(generation, recovery) }
    }

    private func isWanted(_ generation: Int) -> Bool {
        lock.withLock { outputState.isRecovering && outputState.generation == generation }
    }

    private func recover(_ generation: Int, _ recovery: OutputRecovery) {
        var recovery = recovery
        guard isWanted(generation) else { return }
        switch recovery.next(at: Double(monotonicNanoseconds()) / 1e9) {
        case .giveUp:
            endRendering()
            postConfigurationChange()
        case .attempt(let delay):
            let next = recovery
            Self.recoveryQueue.asyncAfter(deadline: .now() + delay) { [weak self] in
                guard let self, isWanted(generation) else { return }
                do {
                    if try goOn(generation) { postConfigurationChange() }
                } catch {
                    // No output yet: `start()` throws the reason when the search has been given up.
                    recover(generation, next)
                }
            }
        }
    }

    /// Opens an output, and has it play from the next frame of the graph on.
    /// - Returns: `false` if the engine was stopped meanwhile.
    private func goOn(_ generation: Int) throws -> Bool {
        let (known, isChosen, root) = lock.withLock {
            (chosenDevice ?? self.device, chosenDevice != nil, renderFormat)
        }
        guard let root else { return false }
        let wish = DeviceFormat(sampleRate: root.sampleRate, channelCount: Int(root.channelCount))
        let (device, settled) = try reopen(known, isChosen: isChosen, wish)
        return try lock.withLock {
            guard outputState.isRecovering, outputState.generation == generation, let renderer else { return false }
            let taken = try Self.graphFormat(of: settled, device: device)
            let adapter = settled == wish ? nil : OutputAdapter(renderer, from: root, to: taken)
            try device.start(adapter?.callback ?? renderer.callback)
            if case .paused(deviceRests: true) = phase { device.pause() }
            self.device = device
            openFormat = taken
            outputState.adapter = adapter
            outputState.isRecovering = false
            _ = idleWatch.wake()
            return true
        }
    }

    /// Opens the device that was lost, or else, if none has been chosen, the system's current default.
    ///
    /// Without the engine's lock: a server that does not answer takes two seconds, and `stop()` may not.
    private func reopen(
        _ known: (any OutputDevice)?,
        isChosen: Bool,
        _ wish: DeviceFormat
    ) throws -> (any OutputDevice, DeviceFormat) {
        try deviceLock.withLock {
            var failure: (any Error)?
            if let known {
                do {
                    return (known, try known.open(preferred: wish))
                } catch {
                    failure = error
                }
            }
            guard !isChosen, let other = OutputDevices.automatic() else {
                throw failure
                    ?? DeviceError(.deviceUnavailable, "no sound server and no sound card answers.", device: "auto")
            }
            watch(other)
            return (other, try other.open(preferred: wish))
        }
    }

    /// The format of a device's answer.
    static func graphFormat(of settled: DeviceFormat, device: any OutputDevice) throws -> AVAudioFormat {
        guard
            let format = AVAudioFormat(
                standardFormatWithSampleRate: settled.sampleRate,
                channels: AVAudioChannelCount(settled.channelCount)
            )
        else {
            throw DeviceError(.unsupportedFormat, "the device has no usable format.", device: device.name)
        }
        return format
    }
}
