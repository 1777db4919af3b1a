import Foundation
import Synchronization
import SyrinxDevice

/// A running input device and its captured audio.
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
    // Unchecked: `lock` guards all mutable state.
    private let lock: NSRecursiveLock
    private let graph: EngineGraph
    private let output: EngineOutput
    private let run: EngineRun
    private var chosen: (any InputDevice)?
    private var open: (device: any InputDevice, format: AVAudioFormat)?
    /// Guards opening and starting the input device.
    ///
    /// Code that holds it may take `lock`, but not the other way round.
    private let deviceLock = NSLock()
    private var isRecovering = false
    private(set) var captures = Captures()

    /// The running capture, and older captures that a render may still read.
    ///
    /// All are kept until the engine stops.
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

    /// The format of the open input device: the sample rate of the output, with the device's own channels; `nil` if
    /// unknown.
    var format: AVAudioFormat? { lock.withLock { output.manual == nil ? open?.format : nil } }

    /// Seconds from a sound at the device until the input node provides it.
    var latency: TimeInterval { lock.withLock { captures.current?.device.latency ?? 0 } }

    // MARK: Without the lock

    /// Opens the input device if the graph requires it, so that its format is known.
    ///
    /// Call it without `lock`, as `settle()`: an unresponsive server blocks for two seconds, and other work must
    /// continue. The method does not throw: without a device, the node takes the format of the nodes downstream.
    func prepare() {
        deviceLock.withLock {
            guard lock.withLock({ output.manual == nil && captures.current == nil }) else { return }
            _ = try? openDevice()
        }
    }

    /// Starts the input device if the graph needs one, and stops an unneeded one.
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
        // Another thread is already looking for an input and may be waiting for a server.
        guard lock.withLock({ needsStart() && !isRecovering }) else { return }
        do {
            try settle()
        } catch {
            lost()
        }
    }

    /// Requires `deviceLock`, and that no capture is running.
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

    /// Returns whether the graph needs an input that is not running.
    ///
    /// Stops an unneeded input.
    private func needsStart() -> Bool {
        guard output.manual == nil, run.plans.usesInput else {
            stop()
            return false
        }
        return captures.current == nil
    }

    /// Connects a started capture to the input node, unless the capture was cancelled in the meantime.
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

    /// Releases old captures.
    ///
    /// Call it only when no render can use them.
    func releaseRetired() { captures.retired = [] }

    // MARK: Loss

    /// Starts to look for another input, after the current one was lost or could not be started.
    ///
    /// Called on the input device's thread, or on the thread that could not start it.
    func lost() {
        let begin = Double(monotonicNanoseconds()) / 1e9
        lock.withLock { isRecovering = true }
        OutputSearch.queue.async { [weak engine = graph.engine] in
            guard let input = engine?.input else { return }
            // A start in progress has to finish before the input is stopped.
            input.deviceLock.withLock { input.lock.withLock { input.stop() } }
            input.recover(OutputRecovery(lostAt: begin))
        }
    }

    /// Looks for an input.
    ///
    /// Meanwhile the input node supplies silence.
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
