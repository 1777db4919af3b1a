public import Foundation
import Synchronization

/// A graph of audio nodes and the device, or the caller, that it renders for.
///
/// Attach nodes, connect them, start. The graph may be changed while it runs: what the change does not touch sounds on.
/// All methods may be called from any thread but the render thread; `stop()` from there too.
open class AVAudioEngine: NSObject, @unchecked Sendable {
    // Unchecked: everything that changes is in the parts below, which share `lock`.
    //
    // What Apple's class lets a subclass override stands in this body, because Swift lets nothing else be overridden. The
    // work is done by the parts, which never call these methods.

    package let lock: NSRecursiveLock
    let graph: EngineGraph
    let output: EngineOutput
    let input: EngineInput
    package let run: EngineRun
    let outputSearch: OutputSearch
    private let knownDeviceUnit = Mutex<OutputUnit?>(nil)

    /// The queue on which completion handlers are called.
    static let callbackQueue = DispatchQueue(label: "syrinx.engine.callbacks")

    /// An engine with an empty graph, stopped, on the system's own output.
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

    /// The unit of the engine's device, made when first asked for.
    var deviceUnit: OutputUnit {
        knownDeviceUnit.withLock { known in
            if let known { return known }
            let new = OutputUnit(of: self)
            known = new
            return new
        }
    }

    /// Makes a change of the graph heard, and sees to the input device, which it may have come to need or ceased to.
    func changeGraph(_ change: () -> Void) {
        lock.withLock {
            change()
            run.graphHasChanged()
        }
        input.settleOrRecover()
    }

    /// Opens the input device if `node` is its own, whose connections and taps have the format of the device.
    func prepareInput(for node: AVAudioNode) {
        if node is AVAudioInputNode { input.prepare() }
    }

    // MARK: Nodes

    /// The node that the graph ends in.
    open var outputNode: AVAudioOutputNode { graph.outputNode }

    /// The node that gives what the input device hears, made and attached when first asked for.
    open var inputNode: AVAudioInputNode { graph.makeInput() }

    /// The mixer in front of the output, made when first asked for, or by `start()` if no node is connected to the output.
    ///
    /// The engine connects the new mixer to the output, unless another node is connected there. If the program has detached the
    /// mixer, the engine makes another one. Without a main mixer the engine renders the node that is connected to `outputNode`.
    open var mainMixerNode: AVAudioMixerNode { graph.makeMixer() }

    /// The nodes of the engine.
    open var attachedNodes: Set<AVAudioNode> { lock.withLock { Set(graph.nodes.nodes.values) } }

    /// Makes `node` part of this engine.
    ///
    /// It may not be part of another.
    open func attach(_ node: AVAudioNode) {
        lock.withLock {
            graph.attach(node)
            // A node that has taps is rendered without being connected.
            if node.hasTaps { run.graphHasChanged() }
        }
    }

    /// Takes `node` out of the graph, with its connections.
    open func detach(_ node: AVAudioNode) { changeGraph { graph.detach(node) } }

    // MARK: Connections

    /// Connects the first output of `node1` to the first free input of `node2`.
    ///
    /// What the output was connected to before is disconnected from it.
    /// - Parameters:
    ///   - node1: The node whose output is connected.
    ///   - node2: The node whose input is connected.
    ///   - format: Of what goes over the connection, 32-bit float; `nil`, or one of 0 Hz or 0 channels, is the source's
    ///     own, else that of what lies behind.
    open func connect(_ node1: AVAudioNode, to node2: AVAudioNode, format: AVAudioFormat?) {
        prepareInput(for: node1)
        changeGraph { graph.connect(node1, toFreeInputOf: node2, format: format) }
    }

    /// Connects an output of `node1` to an input of `node2`, in place of what was connected to either.
    ///
    /// Stops the program, with a sentence, if a node is not attached, a bus does not exist, the format cannot be carried,
    /// or the connection would close a circle.
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

    /// Connects an output of `sourceNode` to several inputs, in place of what was connected to it and to them.
    ///
    /// The ways may have different rates, for instance with a time effect in one of them: then each takes the frames as it
    /// needs them from a buffer of at least one second. A way that falls further behind than that leaves out what is gone.
    ///
    /// Stops the program, with a sentence, as the other ways to connect do.
    open func connect(
        _ sourceNode: AVAudioNode,
        to destNodes: [AVAudioConnectionPoint],
        fromBus sourceBus: AVAudioNodeBus,
        format: AVAudioFormat?
    ) {
        prepareInput(for: sourceNode)
        changeGraph { graph.connect(sourceNode, to: destNodes, fromBus: sourceBus, format: format) }
    }

    /// Takes away what is connected to the inputs of `node`.
    open func disconnectNodeInput(_ node: AVAudioNode) {
        changeGraph { graph.disconnectInputs(of: node) }
    }

    /// Takes away what is connected to an input of `node`.
    open func disconnectNodeInput(_ node: AVAudioNode, bus: AVAudioNodeBus) {
        changeGraph { graph.disconnectInput(of: node, bus: bus) }
    }

    /// Takes away what the outputs of `node` are connected to.
    open func disconnectNodeOutput(_ node: AVAudioNode) {
        changeGraph { graph.disconnectOutputs(of: node) }
    }

    /// Takes away what an output of `node` is connected to.
    open func disconnectNodeOutput(_ node: AVAudioNode, bus: AVAudioNodeBus) {
        changeGraph { graph.disconnectOutputs(of: node, bus: bus) }
    }

    /// Returns what is connected to an input of `node`; `nil` if nothing is.
    open func inputConnectionPoint(for node: AVAudioNode, inputBus bus: AVAudioNodeBus) -> AVAudioConnectionPoint? {
        lock.withLock {
            graph.nodes.input(of: node, bus: bus).map { AVAudioConnectionPoint(node: $0.source, bus: $0.sourceBus) }
        }
    }

    /// Returns what an output of `node` is connected to, in the order in which it was connected.
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

    /// Whether the engine renders.
    open var isRunning: Bool { run.renders }

    /// Finds the device, so that `start()` takes no longer than it must.
    open func prepare() {
        _ = output.rootFormat
    }

    /// Renders from now on: for the device, or in manual mode whenever it is called.
    ///
    /// After `pause()` goes on where it was, after a fade of 5 ms. After `stop()` the players stand still until their
    /// `play()`. A player whose `play()` came before the first start plays from the start on.
    /// - Throws: `DeviceError` if there is no device or it fails, `AVAudioEngineError` for a graph that cannot be rendered.
    ///   As an `NSError` both have the domain `com.apple.coreaudio.avfaudio`. Without any sound device the code is −10875
    ///   (`kAudioUnitErr_FailedInitialization`), as on a Mac that has none.
    open func start() throws { try run.start() }

    /// Stands still, after a fade of 5 ms, so that `start()` goes on with the very next frame.
    open func pause() { run.pause() }

    /// Ends rendering and lets the device go.
    ///
    /// What the device has not yet played is dropped. Players stand still from now on, and keep what is scheduled; Apple's
    /// documentation does not say whether theirs do.
    ///
    /// On the render thread, for instance in an input block, the render that calls it still ends as it would have, and
    /// another thread lets the device go soon after.
    open func stop() { run.stop() }

    /// Clears what all nodes hold of their input, and what is scheduled on players.
    ///
    /// In manual rendering the timeline begins at 0 again, that of the nodes as well.
    open func reset() { run.reset() }

    /// Whether the device rests while the engine runs and has nothing to play; default false.
    ///
    /// After five seconds in which no player plays and no other source is connected, the device is paused, and with it the
    /// engine's time. It goes on when `play()` of a player is called, the graph changes, or `start()` is called; `isRunning` stays
    /// true. Devices that do not keep time never rest.
    open var isAutoShutdownEnabled: Bool {
        get { lock.withLock { run.idleWatch.isEnabled } }
        set { run.setAutoShutdown(newValue) }
    }

    // MARK: Manual rendering

    /// Has the engine render when it is called instead of for a device.
    ///
    /// The engine has to be stopped.
    /// - Parameters:
    ///   - mode: Whether renders may wait.
    ///   - pcmFormat: What renders fill: uncompressed, of any common sample type.
    ///   - maximumFrameCount: The most that one render is asked for.
    /// - Throws: `AVAudioEngineError` if the engine runs (`.initialized`) or the format cannot be rendered.
    open func enableManualRenderingMode(
        _ mode: AVAudioEngineManualRenderingMode,
        format pcmFormat: AVAudioFormat,
        maximumFrameCount: AVAudioFrameCount
    ) throws {
        try run.enableManualRendering(mode, pcmFormat, maximumFrameCount)
    }

    /// Has the engine render for its device again.
    ///
    /// Stops it.
    open func disableManualRenderingMode() { run.disableManualRendering() }

    /// Whether the engine renders when it is called.
    open var isInManualRenderingMode: Bool { lock.withLock { output.manual != nil } }

    /// The mode set last, or `.offline`.
    open var manualRenderingMode: AVAudioEngineManualRenderingMode { lock.withLock { output.manual?.mode ?? .offline } }

    /// The format that renders fill; one of 0 Hz and 0 channels if the engine does not render manually.
    open var manualRenderingFormat: AVAudioFormat { lock.withLock { output.manual?.format ?? AVAudioFormat() } }

    /// The most that one render may be asked for; 0 if the engine does not render manually.
    open var manualRenderingMaximumFrameCount: AVAudioFrameCount {
        lock.withLock { output.manual?.maximumFrameCount ?? 0 }
    }

    /// Frames rendered since the start or the last `reset()`; 0 if the engine does not render manually.
    ///
    /// Apple's documentation names `reset()` alone as what takes it back to 0, and says nothing of `stop()`, after which this one
    /// begins at 0 too.
    open var manualRenderingSampleTime: AVAudioFramePosition {
        lock.withLock { output.manual == nil ? 0 : run.renderer?.sampleTime ?? 0 }
    }

    /// Renders the next `numberOfFrames` frames into `buffer`, and sets its length.
    ///
    /// Two renders of the same graph give the same samples, bit for bit. One thread at a time. For offline mode;
    /// `manualRenderingBlock` is for both.
    /// - Returns: `.success`, `.insufficientDataFromInputNode` if the input's block had too little (what was missing is
    ///   silence), or `.cannotDoInCurrentContext` if another thread is rendering.
    /// - Throws: `AVAudioEngineError`: `.invalidMode` outside of offline manual mode, `.notRunning` before `start()`,
    ///   `.badBuffer` for another format, too little room, or more frames than the maximum.
    @discardableResult
    open func renderOffline(
        _ numberOfFrames: AVAudioFrameCount,
        to buffer: AVAudioPCMBuffer
    ) throws -> AVAudioEngineManualRenderingStatus {
        try run.render(numberOfFrames, into: buffer)
    }

    /// Renders, on whatever thread calls it: it takes no lock and allocates nothing.
    ///
    /// Given the frames that are wanted and buffers of the manual rendering format: their sizes say how much room there is;
    /// those without memory are given the engine's own, which is valid until the next render. It keeps the engine alive no
    /// longer than the engine's owner does, and says `.error` with `notRunning` when that is stopped or gone, and
    /// `.cannotDoInCurrentContext` while another thread renders.
    open var manualRenderingBlock: AVAudioEngineManualRenderingBlock { run.bridge.block }
}
