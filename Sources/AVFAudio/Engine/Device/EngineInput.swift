import Foundation
import Synchronization
import SyrinxDevice

/// An input device that runs, and what it has heard.
final class Capture: Sendable {
    let device: any InputDevice
    let ring: CaptureRing

    init(device: any InputDevice, sampleRate: Double, channelCount: Int) {
        self.device = device
        ring = CaptureRing(
            sampleRate: sampleRate,
            channelCount: channelCount,
            maximumFrameCount: EngineRun.maximumFrameCount
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

/// The input device of an engine, which runs while the graph needs it.
final class EngineInput: @unchecked Sendable {
    // Unchecked: everything that changes is touched under `lock` only.
    private let lock: NSRecursiveLock
    private let graph: EngineGraph
    private let output: EngineOutput
    private let run: EngineRun
    private var chosen: (any InputDevice)?
    private var open: (device: any InputDevice, format: AVAudioFormat)?
    /// Held while the input device is opened or started; `lock` is taken with it, and it never with `lock`.
    private let deviceLock = NSLock()
    private var isRecovering = false
    private(set) var captures = Captures()

    /// The capture that runs, and those that a render may still read: they are kept until the engine stops.
    struct Captures: Sendable {
        var current: Capture?
        var retired: [Capture] = []
    }

    init(_ graph: EngineGraph, _ output: EngineOutput, _ run: EngineRun, lock: NSRecursiveLock) {
        (self.graph, self.output, self.run, self.lock) = (graph, output, run, lock)
    }

    /// The device that was chosen, with the lock; `nil` is the sound server's default source.
    var chosenDevice: (any InputDevice)? {
        get { chosen }
        set {
            chosen = newValue
            open = nil
        }
    }

    /// The format of the input device, as far as it is settled: the rate of the output, and channels of its own.
    var format: AVAudioFormat? { lock.withLock { output.manual == nil ? open?.format : nil } }

    /// Seconds between a sound and its coming to the input node.
    var latency: TimeInterval { lock.withLock { captures.current?.device.latency ?? 0 } }

    // MARK: Without the lock

    /// Opens the input device, if that is to be done, so that its format is known.
    ///
    /// Like `settle`, never with `lock`: a server that does not answer takes two seconds, in which what does not need
    /// the input goes on. There is nothing to throw: without a format the node has that of what it leads to.
    func prepare() {
        deviceLock.withLock {
            guard lock.withLock({ output.manual == nil && captures.current == nil }) else { return }
            _ = try? openDevice()
        }
    }

    /// Starts the input device if the graph has come to need it, and stops it if it has ceased to.
    func settle() throws {
        try deviceLock.withLock {
            guard lock.withLock({ needsStart() }) else { return }
            let (device, format) = try openDevice()
            let new = Capture(
                device: device,
                sampleRate: format.sampleRate,
                channelCount: Int(format.channelCount)
            )
            try device.start(new.callback)
            lock.withLock { take(new) }
        }
    }

    /// As `settle`, after a change of the graph: without an input the rest sounds on, and an input is looked for.
    func settleOrRecover() {
        // Another caller that looks for one already does so, and may be waiting for a server.
        guard lock.withLock({ needsStart() && !isRecovering }) else { return }
        do {
            try settle()
        } catch {
            lost()
        }
    }

    /// With `deviceLock`, while nothing is captured.
    private func openDevice() throws -> (device: any InputDevice, format: AVAudioFormat) {
        let (known, chosen, rate) = lock.withLock { (open, self.chosen, output.rootFormat.sampleRate) }
        if let known, known.format.sampleRate == rate { return known }
        let device = chosen ?? known?.device ?? PulseInput()
        device.onLoss = { [weak engine = graph.engine] _ in engine?.input.lost() }
        let own = try device.open(preferred: nil)
        let wish = DeviceFormat(sampleRate: rate, channelCount: own.channelCount)
        let settled = own == wish ? own : try device.open(preferred: wish)
        let format = try settled.audioFormat(of: device.name)
        lock.withLock {
            guard chosen === self.chosen else { return }
            let isNews = open?.format != format
            open = (device, format)
            // A graph that was compiled for another format, or without one.
            if isNews, run.plans.usesInput { run.graphHasChanged() }
        }
        return (device, format)
    }

    // MARK: With the lock

    /// Whether the graph needs an input that does not run; stops one that it has ceased to need.
    private func needsStart() -> Bool {
        guard output.manual == nil, run.plans.usesInput else {
            stop()
            return false
        }
        return captures.current == nil
    }

    /// Has the input node hear a capture that has started, unless it was given up meanwhile.
    private func take(_ new: Capture) {
        guard run.plans.usesInput, let node = graph.inputNode, open?.device === new.device else {
            return new.device.stop()
        }
        node.kernel.capture.store(Unmanaged.passUnretained(new.ring).toOpaque(), ordering: .releasing)
        captures.retired.append(new)
        captures.current = new
    }

    /// Stops the input device.
    func stop() {
        guard let current = captures.current else { return }
        current.device.stop()
        captures.current = nil
        graph.inputNode?.kernel.capture.store(nil, ordering: .releasing)
    }

    /// Lets go of the captures that were kept for renders, of which there are none any more.
    func releaseRetired() { captures.retired = [] }

    // MARK: Loss

    /// Looks for an input again, in place of one that was lost or could not be started.
    ///
    /// On the input device's own thread, or that of the caller that could not start it.
    func lost() {
        let begin = Double(monotonicNanoseconds()) / 1e9
        lock.withLock { isRecovering = true }
        OutputSearch.queue.async { [weak engine = graph.engine] in
            guard let input = engine?.input else { return }
            // A start that is under way has to be complete before it is stopped.
            input.deviceLock.withLock { input.lock.withLock { input.stop() } }
            input.recover(OutputRecovery(lostAt: begin))
        }
    }

    /// Until it is back the input node gives silence.
    private func recover(_ recovery: OutputRecovery) {
        var recovery = recovery
        guard case .attempt(let delay) = recovery.next(at: Double(monotonicNanoseconds()) / 1e9) else {
            return lock.withLock { isRecovering = false }
        }
        let next = recovery
        OutputSearch.queue.asyncAfter(deadline: .now() + delay) { [weak engine = graph.engine] in
            guard let engine else { return }
            let input = engine.input
            do {
                try input.settle()
                let isBack = input.lock.withLock {
                    input.isRecovering = false
                    return input.captures.current != nil
                }
                if isBack { engine.postConfigurationChange() }
            } catch {
                // Not back yet.
                input.recover(next)
            }
        }
    }
}
