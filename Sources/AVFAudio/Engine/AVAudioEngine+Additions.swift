import CoreAudioTypes
public import Foundation
public import SyrinxDevice
import SyrinxMediaCodec

extension NSNotification.Name {
    /// Posted, with the engine as its object, when the output changes while the engine runs.
    ///
    /// The output changes when the sound server moves the stream or restarts, or when the device switches to another
    /// format. The notification is posted on a private queue of the engine. Unlike Apple's engine, this engine keeps
    /// running: see `AVAudioEngine.followsOutputChanges`.
    public static let AVAudioEngineConfigurationChange = NSNotification.Name(
        "AVAudioEngineConfigurationChangeNotification"
    )
}

/// The additions to Apple's interface, and the questions of nodes to their engine.
extension AVAudioEngine {
    /// The device that the engine plays on.
    ///
    /// Set it while the engine is stopped.
    ///
    /// `nil`, the default, is the system's own output.
    ///
    /// An addition to Apple's interface, which has one device only.
    public var outputDevice: (any OutputDevice)? {
        get { lock.withLock { output.chosenDevice } }
        set {
            lock.withLock {
                require(run.renderer == nil, "Stop the engine before giving it another device.")
                output.chosenDevice = newValue
            }
        }
    }

    /// The format to request from the device; set it while the engine is stopped.
    ///
    /// `nil`, the default, requests the device's own format.
    ///
    /// An addition to Apple's interface.
    public var preferredOutputFormat: DeviceFormat? {
        get { lock.withLock { output.preferredFormat } }
        set { lock.withLock { output.preferredFormat = newValue } }
    }

    /// The device that the input node listens to.
    ///
    /// Set it while the engine is stopped.
    ///
    /// `nil`, the default, is the sound server's default source.
    ///
    /// An addition to Apple's interface, which has one device only.
    public var inputDevice: (any InputDevice)? {
        get { lock.withLock { input.chosenDevice } }
        set {
            lock.withLock {
                require(run.renderer == nil, "Stop the engine before giving it another input device.")
                input.chosenDevice = newValue
            }
        }
    }

    /// Whether the engine switches to another output when the current one is lost; default `true`.
    ///
    /// The engine looks for an output for 10 seconds. During the search it renders nothing, and its time stops. When
    /// it finds an output, it continues with the next frame and posts `AVAudioEngineConfigurationChange`.
    ///
    /// The graph keeps its format until the engine is restarted: if the new output has another format, the engine
    /// converts the sound before the device. If no output is found, or if the value is `false`, the engine stops and
    /// posts the notification, as Apple's does.
    ///
    /// An addition to Apple's interface.
    public var followsOutputChanges: Bool {
        get { lock.withLock { outputSearch.isEnabled } }
        set { lock.withLock { outputSearch.isEnabled = newValue } }
    }

    /// Reports a change of the output.
    func postConfigurationChange() {
        NotificationCenter.default.post(name: .AVAudioEngineConfigurationChange, object: self)
    }

    /// Returns a function that renders a number of frames into memory allocated beforehand, as a device's thread would.
    ///
    /// For tests that watch the render path. `nil` unless the engine renders manually and runs.
    package func renderCrank() -> ((Int) -> Void)? {
        lock.withLock {
            guard let manual = output.manual, let renderer = run.renderer else { return nil }
            let planes = FloatPlanes<Float>(
                channelCount: Int(manual.format.channelCount),
                capacity: Int(manual.maximumFrameCount)
            )
            return { count in _ = renderer.render(planes.channels, frames: count, hostTime: nil) }
        }
    }

    /// The host time at which the next rendered frame is audible; `nil` without a clock or while the engine is
    /// stopped.
    var nextHearingTime: UInt64? {
        lock.withLock {
            guard case .running = run.phase, let renderer = run.renderer, output.manual == nil,
                let device = output.device, device.isPaced
            else { return nil }
            let known = UInt64(bitPattern: renderer.time.read().2)
            // The monotonic clock also advances while the device is stopped. The clock of any other device counts
            // frames from 0.
            let now = device.keepsMonotonicTime ? max(known, monotonicNanoseconds()) : known
            return UInt64(clamped: Double(now) + (known > 0 ? 0 : device.latency * 1e9))
        }
    }

    // MARK: For nodes

    /// Updates the plan after a tap of `node` was installed or removed.
    func tapsHaveChanged(on node: AVAudioNode) {
        prepareInput(for: node)
        changeGraph {}
    }

    /// Returns the volume and pan of `node` at an input of `mixer`; `nil` if it does not sound there.
    func mixingDestination(of node: AVAudioNode, mixer: AVAudioNode, bus: AVAudioNodeBus) -> AVAudioMixingDestination? {
        lock.withLock {
            guard mixer.addsInputs, let connection = graph.nodes.input(of: mixer, bus: bus),
                EngineGraph.mixingNode(of: connection, in: graph.nodes) === node
            else { return nil }
            let (parameters, isNew) = node.mixing.separateParameters(at: connection.port)
            if isNew { run.graphHasChanged() }
            let point = AVAudioConnectionPoint(node: mixer, bus: bus)
            return AVAudioMixingDestination(connectionPoint: point, parameters: parameters)
        }
    }

    /// Returns the time of the last render on the clock of `node`; `nil` while the engine does not run.
    func lastRenderTime(of node: AVAudioNode) -> AVAudioTime? {
        lock.withLock {
            guard case .running = run.phase, let renderer = run.renderer else { return nil }
            let rendered = UInt64(bitPattern: renderer.time.read().2)
            // Before the first render: the host time at which the first frame will be audible.
            let hostTime = rendered > 0 ? rendered : nextHearingTime ?? 0
            let rate = node.renderedFrames == nil ? renderer.sampleRate : node.outputFormat(forBus: 0).sampleRate
            // Right after a reset the nodes' own counts are still the old ones.
            let sampleTime = renderer.isTimeBehind ? 0 : node.renderedFrames ?? renderer.sampleTime
            return hostTime == 0
                ? AVAudioTime(sampleTime: sampleTime, atRate: rate)
                : AVAudioTime(hostTime: hostTime, sampleTime: sampleTime, atRate: rate)
        }
    }
}
