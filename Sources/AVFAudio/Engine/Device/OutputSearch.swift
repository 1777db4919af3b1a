import Foundation
import SyrinxDevice

/// The search for another output: when the device of an engine is lost while it runs, or for an engine that was
/// stopped because it had none.
final class OutputSearch: @unchecked Sendable {
    // Unchecked: `lock` guards all mutable state.
    private let lock: NSRecursiveLock
    private let graph: EngineGraph
    private let output: EngineOutput
    private let run: EngineRun
    /// Whether the engine switches to another output when the current one is lost.
    var isEnabled = true
    /// The number of losses so far, by which an attempt detects that a later loss has replaced it.
    private var generation = 0
    /// A function that is called instead of starting a search.
    var lossObserver: (@Sendable (DeviceError) -> Void)?
    /// Called when an output has been found for an engine that is stopped; `nil` unless that is searched.
    private var onFind: (@Sendable () -> Void)?

    static let queue = DispatchQueue(label: "syrinx.engine.recovery")

    init(_ graph: EngineGraph, _ output: EngineOutput, _ run: EngineRun, lock: NSRecursiveLock) {
        (self.graph, self.output, self.run, self.lock) = (graph, output, run, lock)
    }

    /// Starts the search, or stops the engine if searching is disabled, and reports the change.
    ///
    /// Runs on the engine's callback queue.
    func lost(_ error: DeviceError) {
        // An observer of losses handles them itself.
        if let observer = lock.withLock({ lossObserver }) { return observer(error) }
        guard lock.withLock({ run.renderer != nil && output.manual == nil }) else { return }
        let generation = lock.withLock { () -> Int? in
            guard isEnabled else { return nil }
            output.device?.stop()
            output.isRecovering = true
            self.generation += 1
            return self.generation
        }
        guard let generation else {
            run.end()
            graph.engine?.postConfigurationChange()
            return
        }
        search(generation)
    }

    /// Looks for an output for an engine that is stopped, until there is one or `end()` is called.
    /// - Parameters:
    ///   - delay: Seconds before the first look.
    ///   - found: Called on a queue of the search, once an output has been opened.
    func begin(after delay: Double, _ found: @escaping @Sendable () -> Void) {
        let generation = lock.withLock {
            onFind = found
            self.generation += 1
            return self.generation
        }
        search(generation, patience: .infinity, after: delay)
    }

    private func search(_ generation: Int, patience: Double = OutputRecovery.patience, after delay: Double = 0) {
        let now = Double(monotonicNanoseconds()) / 1e9
        let recovery = OutputRecovery(lostAt: now, patience: patience, delay: delay)
        Self.queue.async { [weak engine = graph.engine] in engine?.outputSearch.recover(generation, recovery) }
    }

    /// Ends the search of `begin(after:_:)`, if it is under way.
    func end() { lock.withLock { onFind = nil } }

    private func isWanted(_ generation: Int) -> Bool {
        lock.withLock { (output.isRecovering || onFind != nil) && self.generation == generation }
    }

    private func recover(_ generation: Int, _ recovery: OutputRecovery) {
        var recovery = recovery
        guard isWanted(generation) else { return }
        switch recovery.next(at: Double(monotonicNanoseconds()) / 1e9) {
        case .giveUp:
            run.end()
            graph.engine?.postConfigurationChange()
        case .attempt(let delay):
            let next = recovery
            Self.queue.asyncAfter(deadline: .now() + delay) { [weak engine = graph.engine] in
                guard let engine, engine.outputSearch.isWanted(generation) else { return }
                do {
                    try engine.outputSearch.attempt(generation)
                } catch {
                    // No output yet. `start()` throws the reason after the search has failed.
                    engine.outputSearch.recover(generation, next)
                }
            }
        }
    }

    private func attempt(_ generation: Int) throws {
        if lock.withLock({ onFind }) == nil {
            if try goOn(generation) { graph.engine?.postConfigurationChange() }
        } else {
            try settle(generation)?()
        }
    }

    /// Opens an output for an engine that is stopped.
    /// - Returns: The function to call then; `nil` if the search was ended meanwhile.
    private func settle(_ generation: Int) throws -> (@Sendable () -> Void)? {
        let (known, isChosen, wish) = lock.withLock { () -> ((any OutputDevice)?, Bool, DeviceFormat?) in
            // If the device takes the former format, a recording continues in one format.
            let former = output.openFormat.map {
                DeviceFormat(sampleRate: $0.sampleRate, channelCount: Int($0.channelCount))
            }
            return (output.chosenDevice ?? output.device, output.chosenDevice != nil, output.preferredFormat ?? former)
        }
        let (device, settled) = try reopen(known, isChosen: isChosen, wish)
        return try lock.withLock {
            guard self.generation == generation, let found = onFind else { return nil }
            let format = try settled.audioFormat(of: device.name)
            onFind = nil
            // The program has started the engine meanwhile.
            guard run.renderer == nil else { return nil }
            (output.openFormat, output.device) = (format, device)
            return found
        }
    }

    /// Opens an output, and has it play from the next frame of the graph on.
    /// - Returns: `false` if the engine was stopped meanwhile.
    private func goOn(_ generation: Int) throws -> Bool {
        let (known, isChosen, root) = lock.withLock {
            (output.chosenDevice ?? output.device, output.chosenDevice != nil, output.renderFormat)
        }
        guard let root else { return false }
        let wish = DeviceFormat(sampleRate: root.sampleRate, channelCount: Int(root.channelCount))
        let (device, settled) = try reopen(known, isChosen: isChosen, wish)
        return try lock.withLock {
            guard output.isRecovering, self.generation == generation, let renderer = run.renderer else { return false }
            let taken = try settled.audioFormat(of: device.name)
            let adapter = settled == wish ? nil : OutputAdapter(renderer, from: root, to: taken)
            try device.start(adapter?.callback ?? renderer.callback)
            if case .paused(deviceRests: true) = run.phase { device.pause() }
            output.device = device
            output.openFormat = taken
            output.adapter = adapter
            output.isRecovering = false
            run.noteActivity()
            return true
        }
    }

    /// Opens the device that was lost, or else, if none has been chosen, the system's current default.
    ///
    /// Without the engine's lock: a server that does not answer takes two seconds, and `stop()` may not.
    private func reopen(
        _ known: (any OutputDevice)?,
        isChosen: Bool,
        _ wish: DeviceFormat?
    ) throws -> (any OutputDevice, DeviceFormat) {
        try output.deviceLock.withLock {
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
            output.watch(other)
            return (other, try other.open(preferred: wish))
        }
    }
}
