import Synchronization

/// The steps of an environment node.
extension PlanCompiler {
    mutating func place(
        into environment: AVAudioEnvironmentNode,
        _ output: RenderSlot,
        _ format: AVAudioFormat,
        in draft: PlanDraft
    ) throws(AVAudioEngineError) {
        kernels.append(environment)
        let kernel = environment.kernel(sampleRate: format.sampleRate, maximumFrameCount: maximumFrameCount)
        let reference = keep(kernel)
        guard let stereo = AVAudioFormat(standardFormatWithSampleRate: format.sampleRate, channels: 2) else {
            throw AVAudioEngineError(.formatMismatch, "The sample rate \(format.sampleRate) Hz is not supported.")
        }
        let matrix = ChannelMatrix(from: stereo, to: format)
        let isStereo = output.channelCount == 2 && matrix.isIdentity
        let sides = isStereo ? output : draft.pool.take(channelCount: 2)
        let rampFrames = RampTime.parameter(format.sampleRate)
        let connections = graph.inputs(of: environment)
        environment.forgetInputs(except: connections)
        draft.steps.append(DraftStep(operation: .environmentBegin(reference), output: sides))
        for connection in connections {
            let parameters = EngineGraph.mixingNode(of: connection, in: graph).mixing.parameters(at: connection.port)
            let source = resolvedFormat(of: connection.source)
            let slot = try atSourceRate(connection, parameters.spatial, to: format.sampleRate, in: draft)
            let input = environment.input(
                on: connection.destinationBus,
                from: connection.source,
                format: source,
                parameters: parameters,
                kernel: kernel
            )
            let routes = memory.routes(
                ChannelMatrix(from: source, to: stereo).routes,
                rampFrames: rampFrames,
                begins: false
            )
            draft.steps.append(
                DraftStep(operation: .environmentAdd(reference, keep(input), routes), input: slot, output: sides)
            )
            release(slot, of: connection, in: draft)
        }
        draft.steps.append(DraftStep(operation: .environmentEnd(reference, rampFrames: rampFrames), output: sides))
        guard !isStereo else { return }
        let routes = memory.routes(matrix.routes, rampFrames: 0, begins: true)
        draft.steps.append(DraftStep(operation: .remap(routes), input: sides, output: output))
        draft.pool.give(sides)
    }

    /// Returns the output of `connection` at a sample rate, and at the speed of its source if that was ever another
    /// than 1.
    private mutating func atSourceRate(
        _ connection: Graph.Connection,
        _ spatial: SpatialParameters,
        to sampleRate: Double,
        in draft: PlanDraft
    ) throws(AVAudioEngineError) -> RenderSlot {
        guard EngineGraph.hasSourceRate(connection, in: graph) else {
            return try resampled(connection, to: sampleRate, in: draft)
        }
        let upstream = PlanDraft(pool: draft.pool)
        let result = try resampled(connection, to: sampleRate, in: upstream)
        release(result, of: connection, in: upstream)
        let output = draft.pool.take(channelCount: result.channelCount)
        let processor = spatial.processor(
            sampleRate: sampleRate,
            channelCount: result.channelCount,
            maximumFrameCount: maximumFrameCount
        )
        draft.steps.append(
            DraftStep(operation: .resample(keep(processor)), output: output, upstream: (upstream, result))
        )
        return output
    }
}

extension EngineGraph {
    /// Whether a connection leads into an environment, and its source has had another speed than 1.
    static func hasSourceRate(_ connection: Graph.Connection, in graph: Graph) -> Bool {
        guard connection.destination is AVAudioEnvironmentNode else { return false }
        let parameters = mixingNode(of: connection, in: graph).mixing.parameters(at: connection.port)
        return parameters.spatial.rate.hasMoved.load(ordering: .relaxed)
    }
}
