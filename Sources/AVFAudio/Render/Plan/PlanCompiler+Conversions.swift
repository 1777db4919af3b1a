/// Steps that convert between nodes with different formats.
extension PlanCompiler {
    /// Returns the output of `connection` at `sampleRate`.
    mutating func resampled(
        _ connection: Graph.Connection,
        to sampleRate: Double,
        in draft: PlanDraft
    ) throws(AVAudioEngineError) -> RenderSlot {
        let format = resolvedFormat(of: connection.source)
        guard format.sampleRate != sampleRate else { return try emit(connection, in: draft) }
        let output = draft.pool.take(channelCount: Int(format.channelCount))
        let upstream = PlanDraft(pool: draft.pool)
        let result = try emit(connection, in: upstream)
        release(result, of: connection, in: upstream)
        appendResampler(
            connection.port,
            connection.source,
            format,
            to: sampleRate,
            output,
            (upstream, result),
            in: draft
        )
        return output
    }

    mutating func appendResampler(
        _ port: Graph.Port,
        _ source: AVAudioNode,
        _ format: AVAudioFormat,
        to sampleRate: Double,
        _ output: RenderSlot,
        _ upstream: (draft: PlanDraft, result: RenderSlot),
        in draft: PlanDraft
    ) {
        let processor = processors.resampler(
            at: port,
            of: source,
            from: format.sampleRate,
            to: sampleRate,
            channelCount: output.channelCount,
            maximumFrameCount: maximumFrameCount,
            keeping: old
        )
        draft.steps.append(DraftStep(operation: .resample(keep(processor)), output: output, upstream: upstream))
    }

    /// Returns the output of `connection` at the rate and with the channels of `format`.
    mutating func adapted(
        _ connection: Graph.Connection,
        to format: AVAudioFormat,
        in draft: PlanDraft
    ) throws(AVAudioEngineError) -> RenderSlot {
        let slot = try resampled(connection, to: format.sampleRate, in: draft)
        let matrix = ChannelMatrix(from: resolvedFormat(of: connection.source), to: format)
        if matrix.isIdentity { return slot }
        let output = draft.pool.take(channelCount: Int(format.channelCount))
        let routes = memory.routes(matrix.routes, rampFrames: 0, begins: true)
        draft.steps.append(DraftStep(operation: .remap(routes), input: slot, output: output))
        release(slot, of: connection, in: draft)
        return output
    }
}
