import Synchronization

/// Turns a graph into a plan.
///
/// It walks back from the ends. Steps that work on the same number of frames form a segment; what lies before a change of
/// rate is a segment of its own, which the step that changes the rate runs as often as it needs.
struct PlanCompiler {
    let graph: Graph
    let engine: AVAudioEngine
    let maximumFrameCount: Int
    /// The processors of the plan before, of which those that still fit are kept.
    let old: ProcessorCache
    private(set) var processors = ProcessorCache()
    private let memory: RenderMemory
    private var kernels: [AnyObject] = []
    private var segments: SegmentMap
    private var formats: [ObjectIdentifier: AVAudioFormat] = [:]
    private var shared: [ObjectIdentifier: Shared] = [:]
    private let output: AVAudioNode
    private let format: AVAudioFormat

    /// Steps in the making, and the slots that they may fill.
    private final class Draft {
        var steps: [DraftStep] = []
        let pool: SlotPool
        /// Whether the steps run at the rate of the output.
        let isRoot: Bool
        /// What nodes with several readers have left, and how many of these are still to come.
        var results: [ObjectIdentifier: (slot: RenderSlot, readers: Int)] = [:]

        init(pool: SlotPool, isRoot: Bool = false) {
            self.pool = pool
            self.isRoot = isRoot
        }
    }

    private struct DraftStep {
        let operation: RenderOperation
        var input: RenderSlot?
        let output: RenderSlot
        var upstream: (draft: Draft, result: RenderSlot)?
    }

    private struct Shared {
        let tee: TeeProcessor
        let draft: Draft
        let result: RenderSlot
    }

    /// - Parameters:
    ///   - output: Where the graph ends.
    ///   - format: What comes out there.
    init(
        graph: Graph,
        engine: AVAudioEngine,
        output: AVAudioNode,
        format: AVAudioFormat,
        maximumFrameCount: Int,
        keeping old: ProcessorCache
    ) {
        self.graph = graph
        self.engine = engine
        self.output = output
        self.format = format
        self.maximumFrameCount = maximumFrameCount
        self.old = old
        memory = RenderMemory(maximumFrameCount: maximumFrameCount)
        segments = SegmentMap(graph: graph, ends: [output]) { connection in
            if connection.destination is AVAudioUnitTimeEffect { return true }
            let rate = engine.resolvedOutputFormat(of: connection.source, in: graph).sampleRate
            if connection.destination === output { return rate != format.sampleRate }
            return rate != engine.resolvedOutputFormat(of: connection.destination, in: graph).sampleRate
        }
    }

    /// The plan of all that leads to the output.
    mutating func compile() throws(AVAudioEngineError) -> RenderPlan {
        let draft = Draft(pool: SlotPool(memory: memory), isRoot: true)
        let result: RenderSlot
        if let connection = graph.input(of: output, bus: 0) {
            result = try adapted(connection, to: format, in: draft)
        } else {
            result = memory.slot(channelCount: Int(format.channelCount))
        }
        tap(output, result, format, in: draft)
        var flat: [RenderStep] = []
        var laid: [ObjectIdentifier: RenderSegment] = [:]
        let root = flatten(draft, result, into: &flat, &laid)
        return RenderPlan(
            steps: flat,
            root: root,
            maximumFrameCount: maximumFrameCount,
            memory: memory,
            kernels: kernels
        )
    }

    // MARK: Nodes

    /// What comes through `connection`, as its source gives it.
    ///
    /// Whoever reads the slot hands it back with `release`.
    private mutating func emit(_ connection: Graph.Connection, in draft: Draft) throws(AVAudioEngineError) -> RenderSlot
    {
        let node = connection.source
        let key = ObjectIdentifier(node)
        if case .shared = segments.segment(of: node) { return try tee(connection, in: draft) }
        if let known = draft.results[key] { return known.slot }
        let slot = try emit(node, in: draft)
        let readers = segments.outputs(of: node).count
        if readers > 1 { draft.results[key] = (slot, readers) }
        return slot
    }

    /// Says that one of the readers of what `connection` carries is done with it.
    private func release(_ slot: RenderSlot, of connection: Graph.Connection, in draft: Draft) {
        let key = ObjectIdentifier(connection.source)
        if let known = draft.results[key], known.slot.info == slot.info {
            draft.results[key] = (slot, known.readers - 1)
            if known.readers > 1 { return }
        }
        draft.pool.give(slot)
    }

    private mutating func emit(_ node: AVAudioNode, in draft: Draft) throws(AVAudioEngineError) -> RenderSlot {
        let format = resolvedFormat(of: node)
        let output = draft.pool.take(channelCount: Int(format.channelCount))
        switch node {
        case let player as AVAudioPlayerNode:
            // The node owns the buffers that its kernel reads.
            kernels.append(player)
            player.kernel.configure(sampleRate: format.sampleRate, channelCount: output.channelCount)
            draft.steps.append(DraftStep(operation: .player(keep(player.kernel)), output: output))
        case let source as AVAudioSourceNode:
            let kernel = source.kernel(channelCount: output.channelCount)
            draft.steps.append(DraftStep(operation: .source(keep(kernel)), output: output))
        case let mixer as AVAudioMixerNode:
            try mix(into: mixer, output, format, in: draft)
        case let unit as AVAudioUnitTimeEffect:
            try stretch(unit, output, format, in: draft)
        default:
            throw AVAudioEngineError(.formatMismatch, "\(type(of: node)) cannot be rendered.")
        }
        tap(node, output, format, in: draft)
        return output
    }

    /// Lets the taps of `node` have what it leaves.
    private mutating func tap(_ node: AVAudioNode, _ slot: RenderSlot, _ format: AVAudioFormat, in draft: Draft) {
        let taps = node.taps.withLock { $0.all }
        guard !taps.isEmpty else { return }
        let clock: TapClock
        if let player = node as? AVAudioPlayerNode {
            clock = .player(Unmanaged.passUnretained(player.kernel))
        } else {
            clock = draft.isRoot ? .engine : .own(ratio: format.sampleRate / self.format.sampleRate)
        }
        for tap in taps {
            let longest = max(maximumFrameCount, Int(engine.manual?.maximumFrameCount ?? 0))
            let recorder = tap.recorder(for: format, maximumFrameCount: longest)
            kernels.append(tap)
            draft.steps.append(DraftStep(operation: .tap(keep(recorder), clock), input: slot, output: slot))
        }
    }

    private mutating func mix(
        into mixer: AVAudioMixerNode,
        _ output: RenderSlot,
        _ format: AVAudioFormat,
        in draft: Draft
    ) throws(AVAudioEngineError) {
        let kernel = keep(mixer.kernel)
        let rampFrames = RampTime.parameter(format.sampleRate)
        let connections = graph.inputs(of: mixer)
        mixer.forgetInputs(except: connections)
        draft.steps.append(DraftStep(operation: .mixBegin(kernel), output: output))
        for connection in connections {
            let slot = try resampled(connection, to: format.sampleRate, in: draft)
            let input = mixer.input(
                on: connection.destinationBus,
                from: connection.source,
                parameters: engine.mixingNode(of: connection, in: graph).mixing.parameters(at: connection.port)
            )
            let matrix = ChannelMatrix(from: resolvedFormat(of: connection.source), to: format)
            let routes = memory.routes(matrix.routes, rampFrames: rampFrames)
            draft.steps.append(
                DraftStep(operation: .mixAdd(kernel, keep(input), routes), input: slot, output: output)
            )
            release(slot, of: connection, in: draft)
        }
        draft.steps.append(DraftStep(operation: .mixEnd(kernel, rampFrames: rampFrames), output: output))
    }

    private mutating func stretch(
        _ unit: AVAudioUnitTimeEffect,
        _ output: RenderSlot,
        _ format: AVAudioFormat,
        in draft: Draft
    ) throws(AVAudioEngineError) {
        let operation = try rateOperation(of: unit, format)
        let upstream = Draft(pool: draft.pool)
        let result: RenderSlot
        if let connection = graph.input(of: unit, bus: 0) {
            try check(connection, meets: format)
            result = try emit(connection, in: upstream)
            release(result, of: connection, in: upstream)
        } else {
            result = memory.slot(channelCount: output.channelCount)
        }
        draft.steps.append(DraftStep(operation: operation, output: output, upstream: (upstream, result)))
    }

    private mutating func rateOperation(
        of unit: AVAudioUnitTimeEffect,
        _ format: AVAudioFormat
    ) throws(AVAudioEngineError) -> RenderOperation {
        switch unit {
        case let unit as AVAudioUnitVarispeed:
            let processor = unit.processor(
                sampleRate: format.sampleRate,
                channelCount: Int(format.channelCount),
                maximumFrameCount: maximumFrameCount
            )
            return .resample(keep(processor))
        case let unit as AVAudioUnitTimePitch:
            let processor = unit.processor(
                sampleRate: format.sampleRate,
                channelCount: Int(format.channelCount),
                maximumFrameCount: maximumFrameCount
            )
            return .timePitch(keep(processor))
        default:
            throw AVAudioEngineError(.formatMismatch, "\(type(of: unit)) cannot be rendered.")
        }
    }

    private func check(_ connection: Graph.Connection, meets format: AVAudioFormat) throws(AVAudioEngineError) {
        let incoming = engine.resolvedOutputFormat(of: connection.source, in: graph)
        guard incoming.sampleRate == format.sampleRate, incoming.channelCount == format.channelCount else {
            throw AVAudioEngineError(
                .formatMismatch,
                "\(type(of: connection.destination)) takes \(incoming) and would give \(format): only a mixer converts."
            )
        }
    }

    // MARK: Conversions

    /// What comes through `connection`, at `sampleRate`.
    private mutating func resampled(
        _ connection: Graph.Connection,
        to sampleRate: Double,
        in draft: Draft
    ) throws(AVAudioEngineError) -> RenderSlot {
        let format = resolvedFormat(of: connection.source)
        guard format.sampleRate != sampleRate else { return try emit(connection, in: draft) }
        let output = draft.pool.take(channelCount: Int(format.channelCount))
        let upstream = Draft(pool: draft.pool)
        let result = try emit(connection, in: upstream)
        release(result, of: connection, in: upstream)
        let processor = processors.resampler(
            for: connection,
            from: format.sampleRate,
            to: sampleRate,
            channelCount: output.channelCount,
            maximumFrameCount: maximumFrameCount,
            keeping: old
        )
        draft.steps.append(
            DraftStep(operation: .resample(keep(processor)), output: output, upstream: (upstream, result))
        )
        return output
    }

    /// What comes through `connection`, at the rate and with the channels of `format`.
    private mutating func adapted(
        _ connection: Graph.Connection,
        to format: AVAudioFormat,
        in draft: Draft
    ) throws(AVAudioEngineError) -> RenderSlot {
        let slot = try resampled(connection, to: format.sampleRate, in: draft)
        let matrix = ChannelMatrix(from: resolvedFormat(of: connection.source), to: format)
        if matrix.isIdentity { return slot }
        let output = draft.pool.take(channelCount: Int(format.channelCount))
        let routes = memory.routes(matrix.routes, rampFrames: 0)
        draft.steps.append(DraftStep(operation: .remap(routes), input: slot, output: output))
        release(slot, of: connection, in: draft)
        return output
    }

    /// A way's turn at a node that several segments read.
    private mutating func tee(_ connection: Graph.Connection, in draft: Draft) throws(AVAudioEngineError) -> RenderSlot
    {
        let node = connection.source
        let format = resolvedFormat(of: node)
        let output = draft.pool.take(channelCount: Int(format.channelCount))
        let source: Shared
        if let known = shared[ObjectIdentifier(node)] {
            source = known
        } else {
            // It runs from several places, so that nothing else may use its slots.
            let upstream = Draft(pool: SlotPool(memory: memory))
            let result = try emit(node, in: upstream)
            let tee = processors.tee(
                of: node,
                sampleRate: format.sampleRate,
                channelCount: output.channelCount,
                maximumFrameCount: maximumFrameCount,
                keeping: old
            )
            kernels.append(tee)
            source = Shared(tee: tee, draft: upstream, result: result)
            shared[ObjectIdentifier(node)] = source
        }
        let reader = processors.reader(of: source.tee, for: connection, keeping: old)
        draft.steps.append(
            DraftStep(operation: .tee(keep(reader)), output: output, upstream: (source.draft, source.result))
        )
        return output
    }

    private mutating func resolvedFormat(of node: AVAudioNode) -> AVAudioFormat {
        let key = ObjectIdentifier(node)
        if let known = formats[key] { return known }
        let format = engine.resolvedOutputFormat(of: node, in: graph)
        formats[key] = format
        return format
    }

    // MARK: Layout

    private mutating func keep<Kernel: AnyObject>(_ kernel: Kernel) -> Unmanaged<Kernel> {
        kernels.append(kernel)
        return Unmanaged.passUnretained(kernel)
    }

    /// Lays the steps of `draft` side by side, those of its upstream segments behind them, each segment once.
    private func flatten(
        _ draft: Draft,
        _ result: RenderSlot,
        into flat: inout [RenderStep],
        _ laid: inout [ObjectIdentifier: RenderSegment]
    ) -> RenderSegment {
        if let known = laid[ObjectIdentifier(draft)] { return known }
        let segment = RenderSegment(first: flat.count, count: draft.steps.count, result: result)
        laid[ObjectIdentifier(draft)] = segment
        for step in draft.steps { flat.append(renderStep(step, upstream: nil)) }
        for (index, step) in draft.steps.enumerated() {
            guard let upstream = step.upstream else { continue }
            let inner = flatten(upstream.draft, upstream.result, into: &flat, &laid)
            flat[segment.first + index] = renderStep(step, upstream: inner)
        }
        return segment
    }

    private func renderStep(_ step: DraftStep, upstream: RenderSegment?) -> RenderStep {
        RenderStep(
            operation: step.operation,
            input: step.input ?? step.output,
            output: step.output,
            upstream: upstream
        )
    }
}
