/// The steps of each kind of node.
extension PlanCompiler {
    /// Compiles a node with a format of its own, followed by a conversion if its connection has another format.
    mutating func begin(
        at node: AVAudioNode,
        _ output: RenderSlot,
        _ format: AVAudioFormat,
        in draft: PlanDraft
    ) throws(AVAudioEngineError) {
        let own = node.ownFormat ?? format
        let matrix = ChannelMatrix(from: own, to: format)
        if own.sampleRate == format.sampleRate, matrix.isIdentity {
            draft.steps.append(try beginning(of: node, output, own))
            return
        }
        let converted = draft.pool.take(channelCount: Int(own.channelCount))
        if own.sampleRate == format.sampleRate {
            draft.steps.append(try beginning(of: node, converted, own))
        } else if let connection = graph.outputs(of: node).first {
            let upstream = PlanDraft(pool: draft.pool)
            let slot = draft.pool.take(channelCount: Int(own.channelCount))
            upstream.steps.append(try beginning(of: node, slot, own))
            draft.pool.give(slot)
            appendResampler(connection.port, node, own, to: format.sampleRate, converted, (upstream, slot), in: draft)
        }
        let routes = memory.routes(matrix.routes, rampFrames: 0, begins: true)
        draft.steps.append(DraftStep(operation: .remap(routes), input: converted, output: output))
        draft.pool.give(converted)
    }

    mutating func beginning(
        of node: AVAudioNode,
        _ output: RenderSlot,
        _ format: AVAudioFormat
    ) throws(AVAudioEngineError) -> DraftStep {
        if let input = node as? AVAudioInputNode {
            usesInput = true
            return DraftStep(operation: .input(keep(input.kernel)), output: output)
        }
        if let unit = node as? AVAudioUnit, let source = unit.hostedSource {
            let kernel = try source.kernel(unit.auAudioUnit, format: format, maximumFrameCount: maximumFrameCount)
            return DraftStep(operation: .source(keep(kernel)), output: output)
        }
        guard let source = node as? AVAudioSourceNode else {
            fatalError("\(type(of: node)) is no beginning of a graph.")
        }
        return DraftStep(operation: .source(keep(source.kernel(channelCount: output.channelCount))), output: output)
    }

    mutating func process(
        _ unit: AVAudioUnitEffect,
        _ output: RenderSlot,
        _ format: AVAudioFormat,
        in draft: PlanDraft
    ) throws(AVAudioEngineError) {
        let processor = keep(try unit.processor(format: format, maximumFrameCount: maximumFrameCount))
        guard let connection = graph.input(of: unit, bus: 0) else {
            let silence = memory.slot(channelCount: output.channelCount)
            draft.steps.append(DraftStep(operation: .unit(processor), input: silence, output: output))
            return
        }
        try check(connection, meets: format)
        let input = try emit(connection, in: draft)
        draft.steps.append(DraftStep(operation: .unit(processor), input: input, output: output))
        release(input, of: connection, in: draft)
    }

    mutating func mix(
        into mixer: AVAudioMixerNode,
        _ output: RenderSlot,
        _ format: AVAudioFormat,
        in draft: PlanDraft
    ) throws(AVAudioEngineError) {
        let kernel = keep(mixer.kernel)
        let rampFrames = RampTime.parameter(format.sampleRate)
        let connections = graph.inputs(of: mixer)
        mixer.forgetInputs(except: connections)
        draft.steps.append(DraftStep(operation: .mixBegin(kernel, clears: connections.isEmpty), output: output))
        for (index, connection) in connections.enumerated() {
            let slot = try resampled(connection, to: format.sampleRate, in: draft)
            let input = mixer.input(
                on: connection.destinationBus,
                from: connection.source,
                parameters: EngineGraph.mixingNode(of: connection, in: graph).mixing.parameters(at: connection.port)
            )
            let matrix = ChannelMatrix(from: resolvedFormat(of: connection.source), to: format)
            let routes = memory.routes(matrix.routes, rampFrames: rampFrames, begins: index == 0)
            draft.steps.append(
                DraftStep(operation: .mixAdd(kernel, keep(input), routes), input: slot, output: output)
            )
            release(slot, of: connection, in: draft)
        }
        draft.steps.append(DraftStep(operation: .mixEnd(kernel, rampFrames: rampFrames), output: output))
    }

    mutating func stretch(
        _ unit: AVAudioUnitTimeEffect,
        _ output: RenderSlot,
        _ format: AVAudioFormat,
        in draft: PlanDraft
    ) throws(AVAudioEngineError) {
        let operation = try rateOperation(of: unit, format)
        let upstream = PlanDraft(pool: draft.pool)
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
}
