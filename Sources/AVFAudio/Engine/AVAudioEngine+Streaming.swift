import Foundation
import Synchronization
package import SyrinxDevice

/// The part of the engine's interface that a streamer needs beyond Apple's.
extension AVAudioEngine {
    /// Called on the engine's own thread after renders, and when it stops.
    ///
    /// Not from the render thread.
    package func observeRenders(_ body: (@Sendable () -> Void)?) {
        lock.withLock { run.renderObserver = body }
    }

    /// Sets the function that is called when the running device is lost, after which the engine is silent.
    ///
    /// The call arrives on the engine's callback queue. While an observer is set, the engine does not look for another
    /// output by itself.
    package func observeLoss(_ body: (@Sendable (DeviceError) -> Void)?) {
        lock.withLock { outputSearch.lossObserver = body }
    }

    /// Looks for an output for a stopped engine, until one is found or `endOutputSearch()` is called.
    ///
    /// The next `start()` uses the output in its own format.
    /// - Parameters:
    ///   - delay: Seconds before the first attempt.
    ///   - found: Called on a queue of the engine after an output was opened.
    package func searchOutput(after delay: Double, _ found: @escaping @Sendable () -> Void) {
        outputSearch.begin(after: delay, found)
    }

    /// Ends the search for an output.
    package func endOutputSearch() { outputSearch.end() }

    /// Opens the device, and starts it with a held graph if that shortens the delay before the next sound.
    ///
    /// Call `release(fades:dropsUnheard:)` to start the graph. Does nothing while the engine runs or is paused.
    /// - Returns: Whether the device was started.
    /// - Throws: As `start()`.
    package func startHeld() throws -> Bool {
        try lock.withLock {
            guard isStopped, output.manual == nil else { return false }
            _ = try output.open()
            guard output.device?.takesBackSilence == true else { return false }
            try run.start(isHeld: true)
            return true
        }
    }

    /// Fades out and holds the graph at its position, while the device plays silence.
    package func hold() {
        lock.withLock {
            breakOffWaits()
            run.renderer?.shut()
        }
    }

    /// Fades out and holds the graph.
    ///
    /// Later requests to its nodes take effect at once, without being audible.
    package func holdForChange() {
        lock.withLock {
            breakOffWaits()
            run.renderer?.shutForChange()
        }
    }

    /// Unblocks a render that waits for data, after the graph was asked to hold.
    private func breakOffWaits() {
        for player in run.plans.players {
            player.holdCount.wrappingAdd(1, ordering: .releasing)
            player.nudge()
        }
    }

    /// Resumes a held graph, so that its sound is audible as soon as the device allows.
    /// - Parameters:
    ///   - fades: Whether the sound fades in.
    ///   - dropsUnheard: Whether the device fades out and drops all frames that it has not played. If `false`, it
    ///     drops only silence.
    package func release(fades: Bool, dropsUnheard: Bool) {
        lock.withLock {
            guard let renderer = run.renderer else { return }
            output.resume(renderer, fades: fades, dropsUnheard: dropsUnheard)
        }
    }

    /// Whether the graph is held and has faded out, or is not rendering at all.
    package var isHeld: Bool { lock.withLock { run.renderer?.isShut ?? true } }

    /// Seconds of fade-out that are still to be rendered before the graph is held.
    package var fadeAhead: Double {
        lock.withLock {
            // A fade that only precedes dropping data consumes no new input, so it moves no position.
            guard let renderer = run.renderer, !renderer.isOpen, !renderer.isShut, !renderer.owesBottom else {
                return 0
            }
            return Double(RampTime.fade(renderer.sampleRate)) / renderer.sampleRate
        }
    }

    /// Whether the engine has no device running: neither rendering nor paused.
    package var isStopped: Bool { lock.withLock { run.renderer == nil } }

    /// The number of frames sent to the output so far, and the number of those that were content.
    package var outputFrames: (all: Int64, content: Int64) {
        lock.withLock {
            guard let renderer = run.renderer else { return (0, 0) }
            let (all, content, _) = renderer.time.read()
            return (all, content)
        }
    }

    /// The number of content frames that the output had received when the engine last stopped.
    package var contentOfLastRun: Int64 { lock.withLock { run.lastRunContent } }

    /// Returns the result of `body`, which reads the state of the graph between two renders.
    ///
    /// If a render waits for data for more than a few milliseconds, `body` runs without waiting for that render. A
    /// waiting render has not yet changed any readable state.
    package func betweenRenders<Value>(_ body: () -> Value) -> Value {
        guard let renderer = lock.withLock({ run.renderer }) else { return body() }
        for _ in 0..<50 {
            let serial = renderer.renderSerial.load(ordering: .sequentiallyConsistent)
            if serial % 2 == 0 {
                let value = body()
                if renderer.renderSerial.load(ordering: .sequentiallyConsistent) == serial { return value }
            } else {
                usleep(100)
            }
        }
        return body()
    }

    /// Connects `source` through `nodes`, which are attached, to the main mixer's first bus.
    package func connect(_ source: AVAudioNode, through nodes: [AVAudioNode], format: AVAudioFormat) {
        prepareInput(for: source)
        let mixer = mainMixerNode
        // One change, so that a running engine renders no part of it.
        changeGraph {
            var last = source
            for node in nodes {
                graph.connect(last, toFreeInputOf: node, format: format)
                last = node
            }
            let point = AVAudioConnectionPoint(node: mixer, bus: 0)
            graph.connect(last, to: [point], fromBus: 0, format: format)
        }
    }

    /// The delay of the effects in seconds.
    ///
    /// An output without a clock, such as a file, skips this duration at the start and after each seek.
    package var effectLatency: Double {
        get { lock.withLock { run.effectLatency } }
        set { lock.withLock { run.effectLatency = newValue } }
    }

    /// Whether the end of the sound has been rendered.
    package var hasOutputEnded: Bool { lock.withLock { run.renderer?.hasReachedEnd ?? false } }

    /// The time in monotonic nanoseconds at which the last rendered content is audible; `nil` if the device reports no
    /// time.
    package var contentHeardTime: UInt64? {
        lock.withLock {
            guard output.manual == nil, output.device?.keepsMonotonicTime == true, let renderer = run.renderer else {
                return nil
            }
            let time = renderer.contentHeardTime.load(ordering: .acquiring)
            return time > 0 ? time : nil
        }
    }

    /// Seconds from the render of a frame until the frame is audible.
    package var presentationLatency: Double { output.latency }

    /// The number of times that the device has run dry since the start.
    package var deviceUnderrunCount: Int { lock.withLock { output.device?.underrunCount ?? 0 } }

    /// The device in use; `nil` before one is opened.
    package var openedDevice: (any OutputDevice)? { lock.withLock { output.device } }

    /// Opens another device for a later `takeOutput(_:isChosen:format:)`, without the engine's lock.
    ///
    /// May take two seconds, during which the present device continues.
    /// - Returns: The format of the device.
    /// - Throws: `DeviceError` if the device cannot be opened, or if the engine cannot render in its format.
    package func openAhead(_ device: any OutputDevice) throws(DeviceError) -> AVAudioFormat {
        try device.open(preferred: preferredOutputFormat).audioFormat(of: device.name)
    }

    /// Has the next start of the stopped engine use a device that `openAhead(_:)` has opened.
    /// - Parameters:
    ///   - device: The device.
    ///   - isChosen: Whether the program has chosen the device; otherwise it is the system's own output.
    ///   - format: The format of the device.
    package func takeOutput(_ device: any OutputDevice, isChosen: Bool, format: AVAudioFormat) {
        lock.withLock {
            outputDevice = isChosen ? device : nil
            output.watch(device)
            (output.device, output.openFormat) = (device, format)
        }
    }

    /// Opens the device and returns its format.
    package func openOutput() throws -> AVAudioFormat { try lock.withLock { try output.open() } }
}
