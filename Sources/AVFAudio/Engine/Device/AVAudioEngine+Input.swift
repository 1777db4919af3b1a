public import AudioDevice
import Foundation
import Synchronization

/// An input device that runs, and what it has heard.
final class Capture: Sendable {
    let device: any InputDevice
    let ring: CaptureRing

    init(device: any InputDevice, sampleRate: Double, channelCount: Int) {
        self.device = device
        ring = CaptureRing(
            sampleRate: sampleRate,
            channelCount: channelCount,
            maximumFrameCount: AVAudioEngine.maximumFrameCount
        )
    }

    /// The callback of the device.
    ///
    /// The ring has to outlive the device's run.
    var callback: CaptureCallback {
        CaptureCallback(context: Unmanaged.passUnretained(ring).toOpaque()) { context, channels, count, _ in
            Unmanaged<CaptureRing>.fromOpaque(context)._withUnsafeGuaranteedRef {
                $0.write(channels, frames: Int(count), at: monotonicNanoseconds())
            }
        }
    }
}

extension AVAudioEngine {
    /// The device that the input node listens to.
    ///
    /// Set it while the engine is stopped.
    ///
    /// `nil`, the default, is the sound server's default source.
    ///
    /// An addition to Apple's interface, which has one device only.
    public var inputDevice: (any InputDevice)? {
        get { lock.withLock { chosenInput } }
        set {
            lock.withLock {
                require(renderer == nil, "Stop the engine before giving it another input device.")
                chosenInput = newValue
                openInput = nil
            }
        }
    }

    /// The input node's kernel, or one that gives silence where there is no such node.
    var inputKernel: InputKernel { input?.kernel ?? InputKernel() }

    /// The format of the input device, as far as it is settled: the rate of the output, and channels of its own.
    var inputDeviceFormat: AVAudioFormat? { lock.withLock { manual == nil ? openInput?.format : nil } }

    // MARK: Without the lock

    /// Opens the input device, if that is to be done, so that its format is known.
    ///
    /// Like `settleInput`, never with `lock`: a server that does not answer takes two seconds, in which what does not need
    /// the input goes on. There is nothing to throw: without a format the node has that of what it leads to.
    func prepareInput() {
        inputLock.withLock {
            guard lock.withLock({ manual == nil && capture == nil }) else { return }
            _ = try? openInputDevice()
        }
    }

    /// Starts the input device if the graph has come to need it, and stops it if it has ceased to.
    func settleInput() throws {
        try inputLock.withLock {
            guard lock.withLock({ needsInputToStart() }) else { return }
            let (device, format) = try openInputDevice()
            let new = Capture(
                device: device,
                sampleRate: format.sampleRate,
                channelCount: Int(format.channelCount)
            )
            try device.start(new.callback)
            lock.withLock { takeUp(new) }
        }
    }

    /// As `settleInput`, after a change of the graph: without an input the rest sounds on, and an input is looked for.
    func settleInputOrRecover() {
        // Another caller that looks for one already does so, and may be waiting for a server.
        guard lock.withLock({ needsInputToStart() && !isRecoveringInput }) else { return }
        do {
            try settleInput()
        } catch {
            lostInput()
        }
    }

    /// With `inputLock`, while nothing is captured.
    private func openInputDevice() throws -> (device: any InputDevice, format: AVAudioFormat) {
        let (known, chosen, rate) = lock.withLock { (openInput, chosenInput, deviceFormat.sampleRate) }
        if let known, known.format.sampleRate == rate { return known }
        let device = chosen ?? known?.device ?? PulseInput()
        device.onLoss = { [weak self] _ in self?.lostInput() }
        let own = try device.open(preferred: nil)
        let wish = DeviceFormat(sampleRate: rate, channelCount: own.channelCount)
        let settled = own == wish ? own : try device.open(preferred: wish)
        guard
            let format = AVAudioFormat(
                standardFormatWithSampleRate: settled.sampleRate,
                channels: AVAudioChannelCount(settled.channelCount)
            )
        else {
            throw DeviceError(.unsupportedFormat, "the input has no usable format.", device: device.name)
        }
        lock.withLock {
            guard chosen === chosenInput else { return }
            let isNews = openInput?.format != format
            openInput = (device, format)
            // A graph that was compiled for another format, or without one.
            if isNews, plans.usesInput { graphHasChanged() }
        }
        return (device, format)
    }

    // MARK: With the lock

    /// Whether the graph needs an input that does not run; stops one that it has ceased to need.
    private func needsInputToStart() -> Bool {
        guard manual == nil, plans.usesInput else {
            stopInput()
            return false
        }
        return capture == nil
    }

    /// Has the input node hear a capture that has started, unless it was given up meanwhile.
    private func takeUp(_ new: Capture) {
        guard plans.usesInput, let input, openInput?.device === new.device else { return new.device.stop() }
        input.kernel.capture.store(Unmanaged.passUnretained(new.ring).toOpaque(), ordering: .releasing)
        retiredCaptures.append(new)
        capture = new
    }

    func stopInput() {
        guard let capture else { return }
        capture.device.stop()
        self.capture = nil
        input?.kernel.capture.store(nil, ordering: .releasing)
    }

    /// Seconds between a sound and its coming to the input node.
    var inputLatency: TimeInterval { lock.withLock { capture?.device.latency ?? 0 } }

    // MARK: Loss

    /// On the input device's own thread, or that of the caller that could not start it.
    func lostInput() {
        let begin = Double(monotonicNanoseconds()) / 1e9
        lock.withLock { isRecoveringInput = true }
        Self.recoveryQueue.async { [weak self] in
            guard let self else { return }
            // A start that is under way has to be complete before it is stopped.
            inputLock.withLock { lock.withLock { stopInput() } }
            recoverInput(OutputRecovery(lostAt: begin))
        }
    }

    /// Until it is back the input node gives silence.
    private func recoverInput(_ recovery: OutputRecovery) {
        var recovery = recovery
        guard case .attempt(let delay) = recovery.next(at: Double(monotonicNanoseconds()) / 1e9) else {
            return lock.withLock { isRecoveringInput = false }
        }
        let next = recovery
        Self.recoveryQueue.asyncAfter(deadline: .now() + delay) { [weak self] in
            guard let self else { return }
            do {
                try settleInput()
                let isBack = lock.withLock {
                    isRecoveringInput = false
                    return capture != nil
                }
                if isBack { postConfigurationChange() }
            } catch {
                // Not back yet.
                recoverInput(next)
            }
        }
    }
}
