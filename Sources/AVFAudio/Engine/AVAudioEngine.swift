public import Foundation
import Synchronization

/// A graph of audio nodes that renders for an output device, or on request of the program.
///
/// Attach nodes, connect them, and start the engine. You may change the graph while it runs; parts that the change
/// does not affect continue without interruption. Call any method from any thread except the render thread; only
/// `stop()` is allowed there too.
///
/// ```swift
/// let engine = AVAudioEngine()
/// let player = AVAudioPlayerNode()
/// let file = try AVAudioFile(forReading: URL(fileURLWithPath: "song.flac"))
/// engine.attach(player)
/// engine.connect(player, to: engine.mainMixerNode, format: file.processingFormat)
/// try engine.start()
/// player.scheduleFile(file, at: nil, completionHandler: nil)
/// player.play()
/// ```
///
/// Two players play at once when both are connected to the main mixer:
///
/// ```swift
/// let music = AVAudioPlayerNode(), voice = AVAudioPlayerNode()
/// for player in [music, voice] {
///     engine.attach(player)
///     engine.connect(player, to: engine.mainMixerNode, format: nil)
/// }
/// music.volume = 0.3
/// voice.pan = -0.2
/// ```
open class AVAudioEngine: NSObject, @unchecked Sendable {
    // Unchecked: all mutable state is in the parts below, which share `lock`.
    //
    // Overridable methods are declared in the class body, because Swift does not allow overriding methods of an
    // extension. The parts do the work and never call these methods.

    package let lock: NSRecursiveLock
    let graph: EngineGraph
    let output: EngineOutput
    let input: EngineInput
    package let run: EngineRun
    let outputSearch: OutputSearch
    private let knownDeviceUnit = Mutex<OutputUnit?>(nil)

    /// The queue on which completion handlers are called.
    static let callbackQueue = DispatchQueue(label: "syrinx.engine.callbacks")

    /// Creates a stopped engine with an empty graph, for the system's default output.
    public override init() {
        lock = NSRecursiveLock()
        output = EngineOutput(lock: lock)
        graph = EngineGraph(output, lock: lock)
        run = EngineRun(graph, output, lock: lock)
        input = EngineInput(graph, output, run, lock: lock)
        outputSearch = OutputSearch(graph, output, run, lock: lock)
        super.init()
        run.input = input
        graph.engine = self
        graph.attach(graph.outputNode)
        // On the device's own thread, which the holder of the lock may be waiting for.
        output.onLoss = { [weak self] error in
            Self.callbackQueue.async { [weak self] in self?.outputSearch.lost(error) }
        }
        output.onMove = { [weak self] in
            Self.callbackQueue.async { [weak self] in self?.postConfigurationChange() }
        }
    }

    deinit { run.endWithOwner() }

    /// The unit of the engine's device, created on first access.
    var deviceUnit: OutputUnit {
        knownDeviceUnit.withLock { known in
            if let known { return known }
            let new = OutputUnit(of: self)
            known = new
            return new
        }
    }

    /// Applies a change of the graph to the running render plan, and opens or closes the input device if the change
    /// requires it.
    func changeGraph(_ change: () -> Void) {
        lock.withLock {
            change()
            run.graphHasChanged()
        }
        input.settleOrRecover()
    }

    /// Opens the input device if `node` is the engine's input node, whose connections and taps use the format of the
    /// device.
    func prepareInput(for node: AVAudioNode) {
        if node is AVAudioInputNode { input.prepare() }
    }

    // MARK: Nodes

    /// The node for the audio that the device plays, or that a manual render returns.
    open var outputNode: AVAudioOutputNode { graph.outputNode }

    /// The node that supplies the audio of the input device, created and attached on first access.
    open var inputNode: AVAudioInputNode { graph.makeInput() }

    /// The mixer before the output, created on first access, or by `start()` if no node is connected to the output.
    ///
    /// The engine connects the new mixer to the output, unless another node is connected there. If the program has
    /// detached the mixer, the engine creates another one. Without a main mixer the engine renders the node that is
    /// connected to `outputNode`.
    open var mainMixerNode: AVAudioMixerNode { graph.makeMixer() }

    /// The nodes attached to the engine.
    open var attachedNodes: Set<AVAudioNode> { lock.withLock { Set(graph.nodes.nodes.values) } }

    /// Adds `node` to this engine.
    ///
    /// The node must not belong to another engine.
    open func attach(_ node: AVAudioNode) {
        lock.withLock {
            graph.attach(node)
            // A node that has taps is rendered without being connected.
            if node.hasTaps { run.graphHasChanged() }
        }
    }

    /// Removes `node` and its connections from the graph.
    open func detach(_ node: AVAudioNode) { changeGraph { graph.detach(node) } }

    // MARK: Connections

    /// Connects the first output of `node1` to the first free input of `node2`.
    ///
    /// The output's previous connection is removed.
    /// - Parameters:
    ///   - node1: The source node.
    ///   - node2: The destination node.
    ///   - format: The format of the connection, 32-bit float. If `nil`, or if it has 0 Hz or 0 channels, the
    ///     connection uses the format of the source, or else the format of the nodes downstream.
    open func connect(_ node1: AVAudioNode, to node2: AVAudioNode, format: AVAudioFormat?) {
        prepareInput(for: node1)
        changeGraph { graph.connect(node1, toFreeInputOf: node2, format: format) }
    }

    /// Connects an output of `node1` to an input of `node2`, and removes the previous connections of both buses.
    ///
    /// Stops the program with a message if a node is not attached or a bus does not exist. It also stops the program if
    /// the connection cannot carry the format, or would create a cycle.
    open func connect(
        _ node1: AVAudioNode,
        to node2: AVAudioNode,
        fromBus bus1: AVAudioNodeBus,
        toBus bus2: AVAudioNodeBus,
        format: AVAudioFormat?
    ) {
        prepareInput(for: node1)
        let point = AVAudioConnectionPoint(node: node2, bus: bus2)
        changeGraph { graph.connect(node1, to: [point], fromBus: bus1, format: format) }
    }

    /// Connects an output of `sourceNode` to several inputs, and removes the previous connections of these buses.
    ///
    /// The branches may run at different rates, for instance if one contains a time-stretching effect. Each branch
    /// then reads from a shared buffer of at least one second. A branch that falls further behind skips the frames
    /// that were overwritten.
    ///
    /// Stops the program with a message, like the other methods that connect nodes.
    open func connect(
        _ sourceNode: AVAudioNode,
        to destNodes: [AVAudioConnectionPoint],
        fromBus sourceBus: AVAudioNodeBus,
        format: AVAudioFormat?
    ) {
        prepareInput(for: sourceNode)
        changeGraph { graph.connect(sourceNode, to: destNodes, fromBus: sourceBus, format: format) }
    }

    /// Removes all connections to the inputs of `node`.
    open func disconnectNodeInput(_ node: AVAudioNode) {
        changeGraph { graph.disconnectInputs(of: node) }
    }

    /// Removes the connection to one input of `node`.
    open func disconnectNodeInput(_ node: AVAudioNode, bus: AVAudioNodeBus) {
        changeGraph { graph.disconnectInput(of: node, bus: bus) }
    }

    /// Removes all connections from the outputs of `node`.
    open func disconnectNodeOutput(_ node: AVAudioNode) {
        changeGraph { graph.disconnectOutputs(of: node) }
    }

    /// Removes all connections from one output of `node`.
    open func disconnectNodeOutput(_ node: AVAudioNode, bus: AVAudioNodeBus) {
        changeGraph { graph.disconnectOutputs(of: node, bus: bus) }
    }

    /// Returns the source that is connected to an input of `node`; `nil` without a connection.
    open func inputConnectionPoint(for node: AVAudioNode, inputBus bus: AVAudioNodeBus) -> AVAudioConnectionPoint? {
        lock.withLock {
            graph.nodes.input(of: node, bus: bus).map { AVAudioConnectionPoint(node: $0.source, bus: $0.sourceBus) }
        }
    }

    /// Returns the inputs that are connected to an output of `node`, in the order of their connection.
    open func outputConnectionPoints(
        for node: AVAudioNode,
        outputBus bus: AVAudioNodeBus
    ) -> [AVAudioConnectionPoint] {
        lock.withLock {
            graph.nodes.outputs(of: node).filter { $0.sourceBus == bus }.map {
                AVAudioConnectionPoint(node: $0.destination, bus: $0.destinationBus)
            }
        }
    }

    // MARK: Running

    /// Whether the engine is running: `true` after `start()`, `false` after `pause()` or `stop()`.
    open var isRunning: Bool { run.renders }

    /// Opens the device in advance, which shortens `start()`.
    ///
    /// A failure is not reported here: `start()` tries again and throws. In manual rendering mode, the call has no
    /// effect.
    open func prepare() {
        _ = output.rootFormat
    }

    /// Starts rendering: for the device, or on request in manual rendering mode.
    ///
    /// After `pause()`, rendering continues at the same position with a fade-in of 5 ms. After `stop()`, players stay
    /// paused until their `play()` is called. A player whose `play()` was called before the first start begins with
    /// the engine.
    /// - Throws: `DeviceError` if there is no device or if it fails; `AVAudioEngineError` if the graph cannot be
    ///   rendered. As an `NSError` both have the domain `com.apple.coreaudio.avfaudio`. Without any sound device the
    ///   code is −10875 (`kAudioUnitErr_FailedInitialization`), as on a Mac without one.
    open func start() throws { try run.start() }

    /// Fades out within 5 ms and pauses rendering.
    ///
    /// `start()` continues with the next frame.
    open func pause() { run.pause() }

    /// Stops rendering and closes the device.
    ///
    /// Frames that the device has not yet played are dropped. Players pause and keep their scheduled buffers; Apple's
    /// documentation does not specify this.
    ///
    /// On the render thread, for instance in an input block, the current render finishes normally, and another thread
    /// closes the device soon afterwards.
    open func stop() { run.stop() }

    /// Clears the internal buffers of all nodes and the schedules of all players.
    ///
    /// In manual rendering mode, the sample times of the engine and its nodes restart at 0.
    open func reset() { run.reset() }

    /// Whether the device pauses while the running engine has nothing to play; default `false`.
    ///
    /// The device pauses after five seconds without a playing player or another connected source, and the engine's
    /// time stops with it. It resumes when a player's `play()` or the engine's `start()` is called, or when the graph
    /// changes. `isRunning` stays `true`. Devices without a clock never pause.
    open var isAutoShutdownEnabled: Bool {
        get { lock.withLock { run.idleWatch.isEnabled } }
        set { run.setAutoShutdown(newValue) }
    }

    // MARK: Manual rendering

    /// Switches the stopped engine to manual rendering: it renders when the program calls it, without a device.
    ///
    /// ```swift
    /// let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2)!
    /// try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 4096)
    /// try engine.start()
    /// let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4096)!
    /// let status = try engine.renderOffline(4096, to: buffer)
    /// ```
    /// - Parameters:
    ///   - mode: Whether a render may wait for data (`.offline`) or not (`.realtime`).
    ///   - pcmFormat: The format of the rendered buffers: uncompressed, with any common sample type.
    ///   - maximumFrameCount: The maximum number of frames per render.
    /// - Throws: `AVAudioEngineError` if the engine runs (`.initialized`) or cannot render in the format.
    open func enableManualRenderingMode(
        _ mode: AVAudioEngineManualRenderingMode,
        format pcmFormat: AVAudioFormat,
        maximumFrameCount: AVAudioFrameCount
    ) throws {
        try run.enableManualRendering(mode, pcmFormat, maximumFrameCount)
    }

    /// Returns to rendering for the device, and stops the engine.
    open func disableManualRenderingMode() { run.disableManualRendering() }

    /// Whether the engine renders on request of the program instead of for a device.
    open var isInManualRenderingMode: Bool { lock.withLock { output.manual != nil } }

    /// The most recently enabled manual rendering mode; `.offline` if none was enabled.
    open var manualRenderingMode: AVAudioEngineManualRenderingMode { lock.withLock { output.manual?.mode ?? .offline } }

    /// The format of manually rendered buffers; 0 Hz and 0 channels if the engine does not render manually.
    open var manualRenderingFormat: AVAudioFormat { lock.withLock { output.manual?.format ?? AVAudioFormat() } }

    /// The maximum number of frames per manual render; 0 if the engine does not render manually.
    open var manualRenderingMaximumFrameCount: AVAudioFrameCount {
        lock.withLock { output.manual?.maximumFrameCount ?? 0 }
    }

    /// The number of frames rendered since the start or the last `reset()`; 0 outside manual rendering mode.
    ///
    /// Apple documents only `reset()` as setting the value to 0. This engine also sets it to 0 at `stop()`.
    open var manualRenderingSampleTime: AVAudioFramePosition {
        lock.withLock { output.manual == nil ? 0 : run.renderer?.sampleTime ?? 0 }
    }

    /// Renders the next `numberOfFrames` frames into `buffer`, and sets its `frameLength`.
    ///
    /// Two renders of the same graph give identical samples. Call from one thread at a time, in offline mode only;
    /// `manualRenderingBlock` works in both modes.
    /// - Returns: `.success`; `.insufficientDataFromInputNode` if the input block supplied too few frames, in which
    ///   case silence replaces them; or `.cannotDoInCurrentContext` if another thread is rendering.
    /// - Throws: `AVAudioEngineError`: `.invalidMode` outside offline manual rendering; `.notRunning` before
    ///   `start()`; `.badBuffer` for a different format, too small a buffer, or more frames than the maximum.
    @discardableResult
    open func renderOffline(
        _ numberOfFrames: AVAudioFrameCount,
        to buffer: AVAudioPCMBuffer
    ) throws -> AVAudioEngineManualRenderingStatus {
        try run.render(numberOfFrames, into: buffer)
    }

    /// A block that renders on the calling thread, without locks and allocations.
    ///
    /// Pass the number of frames and a buffer list in the manual rendering format, whose byte sizes state the
    /// capacity. A buffer with a `nil` pointer receives memory of the engine, which is valid until the next render.
    ///
    /// The block does not keep the engine alive. Its status is `.error`, with `notRunning`, after the engine was
    /// stopped or deallocated, and `.cannotDoInCurrentContext` while another thread renders.
    open var manualRenderingBlock: AVAudioEngineManualRenderingBlock { run.bridge.block }
}
