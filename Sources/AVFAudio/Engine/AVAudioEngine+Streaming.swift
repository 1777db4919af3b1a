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

    /// Called if the device is lost while it runs, on the engine's callback queue: nothing is heard from then on.
    ///
    /// While somebody observes, the engine does not look for another output by itself.
    package func observeLoss(_ body: (@Sendable (DeviceError) -> Void)?) {
        lock.withLock { outputSearch.lossObserver = body }
    }

    /// Looks for an output for an engine that is stopped, until there is one or `endOutputSearch()` is called.
    ///
    /// The next `start()` plays on it, in the format that it has.
    /// - Parameters:
    ///   - delay: Seconds before the first look.
    ///   - found: Called on a queue of the engine's, once an output has been opened.
    package func searchOutput(after delay: Double, _ found: @escaping @Sendable () -> Void) {
        outputSearch.begin(after: delay, found)
    }

    /// Ends the search for an output.
    package func endOutputSearch() { outputSearch.end() }

    /// Opens the device, and starts it with the graph held where that brings the next sound forward.
    ///
    /// `release(fades:dropsUnheard:)` lets the graph go on. Does nothing while the engine runs or is paused.
    /// - Returns: Whether the device has been started.
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

    /// Holds the graph where it is, after a fade, while the device plays silence.
    package func hold() {
        lock.withLock {
            breakOffWaits()
            run.renderer?.shut()
        }
    }

    /// Holds the graph, after a fade, and has its nodes take up what they are asked after this call, unheard.
    package func holdForChange() {
        lock.withLock {
            breakOffWaits()
            run.renderer?.shutForChange()
        }
    }

    /// Ends the wait of a render for data that it would take after the graph has been asked to stand still.
    private func breakOffWaits() {
        for player in run.plans.players {
            player.holdCount.wrappingAdd(1, ordering: .releasing)
            player.nudge()
        }
    }

    /// Lets a held graph go on, so that it is heard as soon as the device can.
    ///
    /// With `dropsUnheard` all that the device has been given before is dropped, under a fade; else silence alone.
    package func release(fades: Bool, dropsUnheard: Bool) {
        lock.withLock {
            guard let renderer = run.renderer else { return }
            output.resume(renderer, fades: fades, dropsUnheard: dropsUnheard)
        }
    }

    /// Whether the graph stands still: held and faded, or not rendering at all.
    package var isHeld: Bool { lock.withLock { run.renderer?.isShut ?? true } }

    /// Seconds that are rendered yet, under a fade, before a graph that is held stands still.
    package var fadeAhead: Double {
        lock.withLock {
            // A fade before nodes drop their data is of what is left, and moves nothing.
            guard let renderer = run.renderer, !renderer.isOpen, !renderer.isShut, !renderer.owesBottom else {
                return 0
            }
            return Double(RampTime.fade(renderer.sampleRate)) / renderer.sampleRate
        }
    }

    /// Whether the engine has no device running: neither rendering nor paused.
    package var isStopped: Bool { lock.withLock { run.renderer == nil } }

    /// Frames given to the output so far, and how many of them were content.
    package var outputFrames: (all: Int64, content: Int64) {
        lock.withLock {
            guard let renderer = run.renderer else { return (0, 0) }
            let (all, content, _) = renderer.time.read()
            return (all, content)
        }
    }

    /// Frames of content that the output had been given in all when the engine stopped last.
    package var contentOfLastRun: Int64 { lock.withLock { run.lastRunContent } }

    /// Returns what `body` reads of the graph at a moment between two renders.
    ///
    /// A render that takes longer than some milliseconds, because it waits for data, is not waited for: it has changed nothing
    /// that can be read yet.
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
        var last = source
        for node in nodes {
            connect(last, to: node, format: format)
            last = node
        }
        connect(last, to: mainMixerNode, fromBus: 0, toBus: 0, format: format)
    }

    /// The seconds by which effects delay the sound.
    ///
    /// An output that does not keep time, such as a file, leaves out that much sound at the start and after each seek.
    package var effectLatency: Double {
        get { lock.withLock { run.effectLatency } }
        set { lock.withLock { run.effectLatency = newValue } }
    }

    /// Whether the end of the sound has been rendered.
    package var hasOutputEnded: Bool { lock.withLock { run.renderer?.hasReachedEnd ?? false } }

    /// The time at which the content rendered so far has been heard, in monotonic nanoseconds; `nil` where no device tells.
    package var contentHeardTime: UInt64? {
        lock.withLock {
            guard output.manual == nil, output.device?.keepsMonotonicTime == true, let renderer = run.renderer else {
                return nil
            }
            let time = renderer.contentHeardTime.load(ordering: .acquiring)
            return time > 0 ? time : nil
        }
    }

    /// Seconds between the render of a frame and its being heard.
    package var presentationLatency: Double { output.latency }

    /// The number of times that the device has run dry since the start.
    package var deviceUnderrunCount: Int { lock.withLock { output.device?.underrunCount ?? 0 } }

    /// The device in use, if one has been found.
    package var openedDevice: (any OutputDevice)? { lock.withLock { output.device } }

    /// Finds the device and settles its format, or says why it cannot.
    package func openOutput() throws -> AVAudioFormat { try lock.withLock { try output.open() } }
}
