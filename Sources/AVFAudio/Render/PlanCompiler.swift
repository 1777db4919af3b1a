/// Turns a graph into a plan.
///
/// It walks back from the end. Steps that work on the same number of frames form a segment; what lies before a change of
/// rate is a segment of its own, which the step that changes the rate runs as often as it needs.
struct PlanCompiler {
    let graph: Graph
    let engine: AVAudioEngine
    let maximumFrameCount: Int
    private let memory: RenderMemory
    private var kernels: [AnyObject] = []

    private final class Draft {
        var steps: [DraftStep] = []
        var slots: [ObjectIdentifier: RenderSlot] = [:]
    }

    private struct DraftStep {
        let operation: RenderOperation
        let output: RenderSlot
        var sources: [MixerSource] = []
        var upstream: (draft: Draft, result: RenderSlot)?
    }

    init(graph: Graph, engine: AVAudioEngine, maximumFrameCount: Int) {
        self.graph = graph
        self.engine = engine
        self.maximumFrameCount = maximumFrameCount
        memory = RenderMemory(maximumFrameCount: maximumFrameCount)
    }

    /// The plan of all that leads to `output`, which takes `format`.
    mutating func compile(to output: AVAudioNode, format: AVAudioFormat) throws(AVAudioEngineError) -> RenderPlan {
        let draft = Draft()
        let result: RenderSlot
        if let connection = graph.input(of: output, bus: 0) {
            result = try adapted(connection, to: format, in: draft)
        } else {
            result = memory.slot(channelCount: Int(format.channelCount))
        }
        var flat: [RenderStep] = []
        let root = flatten(draft, result, into: &flat)
        return RenderPlan(
            steps: flat,
            root: root,
            maximumFrameCount: maximumFrameCount,
            memory: memory,
            kernels: kernels
        )
    }

    // MARK: Nodes

    private mutating func emit(_ node: AVAudioNode, in draft: Draft) throws(AVAudioEngineError) -> RenderSlot {
        if let known = draft.slots[ObjectIdentifier(node)] { return known }
        guard graph.outputs(of: node).count <= 1 || !isBehindRateChange(node) else {
            throw AVAudioEngineError(
                .splitBeforeRateChange,
                "\(type(of: node)) feeds two inputs, one of them through a change of rate: split behind it instead."
            )
        }
        let format = engine.resolvedOutputFormat(of: node, in: graph)
        let step = try step(of: node, format: format)
        draft.steps.append(contentsOf: step.before)
        draft.steps.append(step.step)
        draft.slots[ObjectIdentifier(node)] = step.step.output
        return step.step.output

        func step(
            of node: AVAudioNode,
            format: AVAudioFormat
        ) throws(AVAudioEngineError) -> (before: [DraftStep], step: DraftStep) {
            let output = memory.slot(channelCount: Int(format.channelCount))
            switch node {
            case let player as AVAudioPlayerNode:
                // The node owns the buffers that its kernel reads.
                kernels.append(player)
                player.kernel.setSampleRate(format.sampleRate)
                return ([], DraftStep(operation: .player(keep(player.kernel)), output: output))
            case let source as AVAudioSourceNode:
                let kernel = source.kernel(channelCount: output.channelCount)
                return ([], DraftStep(operation: .source(keep(kernel)), output: output))
            case let mixer as AVAudioMixerNode:
                return ([], try mix(into: mixer, output, format, in: draft))
            case let unit as AVAudioUnitTimePitch:
                return ([], try stretch(unit, output, format))
            default:
                throw AVAudioEngineError(.formatMismatch, "\(type(of: node)) cannot be rendered.")
            }
        }
    }

    private mutating func mix(
        into mixer: AVAudioMixerNode,
        _ output: RenderSlot,
        _ format: AVAudioFormat,
        in draft: Draft
    ) throws(AVAudioEngineError) -> DraftStep {
        var step = DraftStep(
            operation: .mixer(keep(mixer.kernel), sampleRate: format.sampleRate),
            output: output
        )
        for connection in graph.inputs(of: mixer) {
            let slot = try resampled(connection, to: format.sampleRate, in: draft)
            let input = mixer.input(
                on: connection.destinationBus,
                from: connection.source,
                parameters: mixing(of: connection.source)
            )
            step.sources.append(MixerSource(slot: slot, input: keep(input)))
        }
        return step
    }

    private mutating func stretch(
        _ unit: AVAudioUnitTimePitch,
        _ output: RenderSlot,
        _ format: AVAudioFormat
    ) throws(AVAudioEngineError) -> DraftStep {
        let processor = unit.processor(
            sampleRate: format.sampleRate,
            channelCount: output.channelCount,
            maximumFrameCount: maximumFrameCount
        )
        let upstream = Draft()
        let result: RenderSlot
        if let connection = graph.input(of: unit, bus: 0) {
            let incoming = engine.resolvedOutputFormat(of: connection.source, in: graph)
            guard incoming.sampleRate == format.sampleRate, incoming.channelCount == format.channelCount else {
                throw AVAudioEngineError(
                    .formatMismatch,
                    "\(type(of: unit)) takes \(incoming) and would give \(format): only a mixer converts."
                )
            }
            result = try emit(connection.source, in: upstream)
        } else {
            result = memory.slot(channelCount: output.channelCount)
        }
        return DraftStep(
            operation: .timePitch(keep(processor)),
            output: output,
            upstream: (upstream, result)
        )
    }

    /// The volume and pan that hold for what comes from `node`: those of the nearest node upstream that has them.
    private func mixing(of node: AVAudioNode) -> MixingParameters {
        var node = node
        while !(node is any AVAudioMixing), let connection = graph.input(of: node, bus: 0) { node = connection.source }
        return node.mixing
    }

    // MARK: Conversions

    private mutating func resampled(
        _ connection: Graph.Connection,
        to sampleRate: Double,
        in draft: Draft
    ) throws(AVAudioEngineError) -> RenderSlot {
        let format = engine.resolvedOutputFormat(of: connection.source, in: graph)
        guard format.sampleRate != sampleRate else { return try emit(connection.source, in: draft) }
        let upstream = Draft()
        let result = try emit(connection.source, in: upstream)
        let processor = engine.resampler(for: connection, from: format, to: sampleRate, maximumFrameCount)
        let output = memory.slot(channelCount: result.channelCount)
        draft.steps.append(
            DraftStep(operation: .resample(keep(processor)), output: output, upstream: (upstream, result))
        )
        return output
    }

    /// What comes through `connection` at the rate and with the channels of `format`.
    private mutating func adapted(
        _ connection: Graph.Connection,
        to format: AVAudioFormat,
        in draft: Draft
    ) throws(AVAudioEngineError) -> RenderSlot {
        let slot = try resampled(connection, to: format.sampleRate, in: draft)
        guard slot.channelCount != Int(format.channelCount) else { return slot }
        let output = memory.slot(channelCount: Int(format.channelCount))
        let input = MixerInput(parameters: MixingParameters())
        draft.steps.append(
            DraftStep(
                operation: .mixer(keep(MixerKernel()), sampleRate: format.sampleRate),
                output: output,
                sources: [MixerSource(slot: slot, input: keep(input))]
            )
        )
        return output
    }

    private func isBehindRateChange(_ node: AVAudioNode) -> Bool {
        let rate = engine.resolvedOutputFormat(of: node, in: graph).sampleRate
        return graph.outputs(of: node).contains { connection in
            if connection.destination is AVAudioUnitTimeEffect { return true }
            return connection.destination is AVAudioMixerNode
                && engine.resolvedOutputFormat(of: connection.destination, in: graph).sampleRate != rate
        }
    }

    // MARK: Layout

    private mutating func keep<Kernel: AnyObject>(_ kernel: Kernel) -> Unmanaged<Kernel> {
        kernels.append(kernel)
        return Unmanaged.passUnretained(kernel)
    }

    /// Lays the steps of `draft` side by side, those of its upstream segments behind them.
    private func flatten(_ draft: Draft, _ result: RenderSlot, into flat: inout [RenderStep]) -> RenderSegment {
        let segment = RenderSegment(first: flat.count, count: draft.steps.count, result: result)
        for step in draft.steps { flat.append(renderStep(step, upstream: nil)) }
        for (index, step) in draft.steps.enumerated() {
            guard let upstream = step.upstream else { continue }
            let inner = flatten(upstream.draft, upstream.result, into: &flat)
            flat[segment.first + index] = renderStep(step, upstream: inner)
        }
        return segment
    }

    private func renderStep(_ step: DraftStep, upstream: RenderSegment?) -> RenderStep {
        RenderStep(
            operation: step.operation,
            output: step.output,
            sources: memory.sources(step.sources),
            sourceCount: step.sources.count,
            upstream: upstream
        )
    }
}
