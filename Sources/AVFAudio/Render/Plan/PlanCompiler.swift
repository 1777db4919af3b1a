import Synchronization

/// Compiles a graph to a plan.
///
/// It follows the connections from the outputs to the sources. Steps with the same frame count form a segment. The
/// steps upstream of a rate change form a separate segment, which the rate-changing step runs as often as necessary.
struct PlanCompiler {
    let graph: Graph
    let engine: EngineGraph
    let maximumFrameCount: Int
    /// The maximum number of frames per manual render, or 0.
    private let manualFrameCount: Int
    /// The processors of the previous plan; those that still fit are reused.
    let old: ProcessorCache
    var processors = ProcessorCache()
    let memory: RenderMemory
    var kernels: [AnyObject] = []
    var usesInput = false
    private var segments: SegmentMap
    private var formats: [ObjectIdentifier: AVAudioFormat] = [:]
    private var shared: [ObjectIdentifier: SharedDraft] = [:]
    /// Other ends of the graph than the output: sinks, and nodes that are tapped and lead nowhere.
    private let otherEnds: [AVAudioNode]
    let output: AVAudioNode
    let format: AVAudioFormat
    /// The sequencers of the engine.
    var sequences: [SequenceKernel] = []

    /// Creates a compiler.
    /// - Parameters:
    ///   - format: The output format of the graph.
    ///   - manualFrameCount: The maximum number of frames per manual render, or 0.
    init(
        _ engine: EngineGraph,
        format: AVAudioFormat,
        maximumFrameCount: Int,
        manualFrameCount: Int,
        keeping old: ProcessorCache
    ) {
        let (graph, output) = (engine.nodes, engine.outputNode)
        self.graph = graph
        self.engine = engine
        self.output = output
        self.manualFrameCount = manualFrameCount
        self.format = format
        self.maximumFrameCount = maximumFrameCount
        self.old = old
        memory = RenderMemory(maximumFrameCount: maximumFrameCount)
        otherEnds = graph.endsBeside(output)
        let ends = otherEnds.map { end in
            let rate = engine.resolvedOutputFormat(of: end, in: graph).sampleRate
            return (node: end, isAtRate: end is AVAudioSinkNode || rate == format.sampleRate)
        }
        segments = SegmentMap(graph: graph, ends: [(output, true)] + ends) { connection in
            if connection.destination is AVAudioUnitTimeEffect { return true }
            if EngineGraph.hasSourceRate(connection, in: graph) { return true }
            let rate = engine.resolvedOutputFormat(of: connection.source, in: graph).sampleRate
            if connection.destination === output || connection.destination is AVAudioSinkNode {
                return rate != format.sampleRate
            }
            return rate != engine.resolvedOutputFormat(of: connection.destination, in: graph).sampleRate
        }
    }

    /// The plan of all that leads to the output.
    mutating func compile() throws(AVAudioEngineError) -> RenderPlan {
        let draft = PlanDraft(pool: SlotPool(memory: memory), isRoot: true)
        let result: RenderSlot
        if let connection = graph.input(of: output, bus: 0) {
            result = try adapted(connection, to: format, in: draft)
        } else {
            result = memory.slot(channelCount: Int(format.channelCount))
        }
        tap(output, result, format, in: draft)
        for end in otherEnds { try lead(to: end, in: draft) }
        var layout = PlanLayout()
        let root = layout.lay(draft, result)
        return RenderPlan(
            steps: layout.steps,
            root: root,
            maximumFrameCount: maximumFrameCount,
            memory: memory,
            kernels: kernels,
            usesInput: usesInput,
            hasOtherEnds: !otherEnds.isEmpty,
            sequences: sequences
        )
    }

    /// Compiles the branch to an end node that does not lead to the output.
    ///
    /// The branch runs at its own sample rate. If that differs, a resampler determines only how often the branch runs.
    private mutating func lead(to end: AVAudioNode, in draft: PlanDraft) throws(AVAudioEngineError) {
        let connection = end is AVAudioSinkNode ? graph.input(of: end, bus: 0) : nil
        let own = resolvedFormat(of: connection?.source ?? end)
        let isAtRate = own.sampleRate == format.sampleRate
        let upstream = isAtRate ? draft : PlanDraft(pool: draft.pool)
        let slot: RenderSlot
        if let sink = end as? AVAudioSinkNode, let connection {
            slot = try emit(connection, in: upstream)
            let kernel = keep(sink.kernel(channelCount: slot.channelCount))
            upstream.steps.append(DraftStep(operation: .sink(kernel), input: slot, output: slot))
            release(slot, of: connection, in: upstream)
        } else {
            slot = try emit(end, in: upstream)
            draft.pool.give(slot)
        }
        guard !isAtRate else { return }
        let output = draft.pool.take(channelCount: slot.channelCount)
        // No node has an input with this number, so it is a unique key for each end node.
        let port = connection?.port ?? Graph.Port(node: ObjectIdentifier(end), bus: -1)
        let source = connection?.source ?? end
        appendResampler(port, source, own, to: format.sampleRate, output, (upstream, slot), in: draft)
        draft.pool.give(output)
    }

    // MARK: Nodes

    /// Returns the output of `connection` in its source's format.
    ///
    /// The reader of the slot returns it with `release`.
    mutating func emit(_ connection: Graph.Connection, in draft: PlanDraft) throws(AVAudioEngineError) -> RenderSlot {
        let node = connection.source
        let key = ObjectIdentifier(node)
        if case .shared = segments.segment(of: node) { return try tee(connection, in: draft) }
        if let known = draft.results[key] { return known.slot }
        let slot = try emit(node, in: draft)
        let readers = segments.outputs(of: node).count
        if readers > 1 { draft.results[key] = (slot, readers) }
        return slot
    }

    /// Records that one reader of the audio of `connection` has finished.
    func release(_ slot: RenderSlot, of connection: Graph.Connection, in draft: PlanDraft) {
        let key = ObjectIdentifier(connection.source)
        if let known = draft.results[key], known.slot.info == slot.info {
            draft.results[key] = (slot, known.readers - 1)
            if known.readers > 1 { return }
        }
        draft.pool.give(slot)
    }

    mutating func emit(_ node: AVAudioNode, in draft: PlanDraft) throws(AVAudioEngineError) -> RenderSlot {
        let format = resolvedFormat(of: node)
        var output = draft.pool.take(channelCount: Int(format.channelCount))
        switch node {
        case let player as AVAudioPlayerNode:
            // The node owns the buffers that its kernel reads.
            kernels.append(player)
            player.kernel.configure(sampleRate: format.sampleRate, channelCount: output.channelCount)
            output = lendable(from: player) ? memory.lending(output) : output
            draft.steps.append(DraftStep(operation: .player(keep(player.kernel)), output: output))
        case is AVAudioSourceNode, is AVAudioInputNode:
            try begin(at: node, output, format, in: draft)
        case let unit as AVAudioUnit where unit.hostedSource != nil:
            try begin(at: node, output, format, in: draft)
        case let unit as AVAudioUnitEffect:
            try process(unit, output, format, in: draft)
        case let mixer as AVAudioMixerNode:
            try mix(into: mixer, output, format, in: draft)
        case let environment as AVAudioEnvironmentNode:
            try place(into: environment, output, format, in: draft)
        case let unit as AVAudioUnitTimeEffect:
            try stretch(unit, output, format, in: draft)
        default:
            throw AVAudioEngineError(.formatMismatch, "\(type(of: node)) cannot be rendered.")
        }
        tap(node, output, format, in: draft)
        return output
    }

    /// Whether no reader of `node` modifies its input.
    ///
    /// Custom code may write to memory that it should only read.
    private func lendable(from node: AVAudioNode) -> Bool {
        graph.outputs(of: node).allSatisfy {
            !($0.destination is AVAudioUnitEffect || $0.destination is AVAudioSinkNode)
        }
    }

    /// Adds a step that passes the output of `node` to its taps.
    private mutating func tap(_ node: AVAudioNode, _ slot: RenderSlot, _ format: AVAudioFormat, in draft: PlanDraft) {
        let taps = node.taps.withLock { $0.all }
        guard !taps.isEmpty else { return }
        let clock: TapClock
        if let player = node as? AVAudioPlayerNode {
            clock = .player(Unmanaged.passUnretained(player.kernel))
        } else {
            clock = draft.isRoot ? .engine : .own(ratio: format.sampleRate / self.format.sampleRate)
        }
        for tap in taps {
            let longest = max(maximumFrameCount, manualFrameCount)
            let recorder = tap.recorder(for: format, maximumFrameCount: longest)
            kernels.append(tap)
            draft.steps.append(DraftStep(operation: .tap(keep(recorder), clock), input: slot, output: slot))
        }
    }

    /// A way's turn at a node that several segments read.
    private mutating func tee(_ connection: Graph.Connection, in draft: PlanDraft) throws(AVAudioEngineError)
        -> RenderSlot
    {
        let node = connection.source
        let format = resolvedFormat(of: node)
        let output = draft.pool.take(channelCount: Int(format.channelCount))
        let source: SharedDraft
        if let known = shared[ObjectIdentifier(node)] {
            source = known
        } else {
            // This segment runs from several steps, so no other steps may share its slots.
            let upstream = PlanDraft(pool: SlotPool(memory: memory))
            let result = try emit(node, in: upstream)
            let tee = processors.tee(
                of: node,
                sampleRate: format.sampleRate,
                channelCount: output.channelCount,
                maximumFrameCount: maximumFrameCount,
                keeping: old
            )
            kernels.append(tee)
            source = SharedDraft(tee: tee, draft: upstream, result: result)
            shared[ObjectIdentifier(node)] = source
        }
        let reader = processors.reader(of: source.tee, for: connection, keeping: old)
        draft.steps.append(
            DraftStep(operation: .tee(keep(reader)), output: output, upstream: (source.draft, source.result))
        )
        return output
    }

    mutating func resolvedFormat(of node: AVAudioNode) -> AVAudioFormat {
        let key = ObjectIdentifier(node)
        if let known = formats[key] { return known }
        let format = engine.resolvedOutputFormat(of: node, in: graph)
        formats[key] = format
        return format
    }

    // MARK: Layout

    mutating func keep<Kernel: AnyObject>(_ kernel: Kernel) -> Unmanaged<Kernel> {
        kernels.append(kernel)
        return Unmanaged.passUnretained(kernel)
    }
}
