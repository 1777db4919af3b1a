/// The state of connections that outlives a plan, so that a change of the graph does not interrupt unaffected parts.
struct ProcessorCache {
    struct ResamplerKey: Hashable {
        let port: Graph.Port
        let source: ObjectIdentifier
        let inputRate: Double
        let outputRate: Double
        let channelCount: Int
    }

    struct ReaderKey: Hashable {
        let port: Graph.Port
        let source: ObjectIdentifier
    }

    private var resamplers: [ResamplerKey: ResampleProcessor] = [:]
    private var tees: [ObjectIdentifier: FanOutProcessor] = [:]
    private var readers: [ReaderKey: TeeReader] = [:]

    /// The resampler of the way from `source` to `port`, from `old` if it was in use there.
    mutating func resampler(
        at port: Graph.Port,
        of source: AVAudioNode,
        from inputRate: Double,
        to outputRate: Double,
        channelCount: Int,
        maximumFrameCount: Int,
        keeping old: ProcessorCache
    ) -> ResampleProcessor {
        let key = ResamplerKey(
            port: port,
            source: ObjectIdentifier(source),
            inputRate: inputRate,
            outputRate: outputRate,
            channelCount: channelCount
        )
        let processor =
            old.resamplers[key]
            ?? ResampleProcessor(
                inputRate: inputRate,
                outputRate: outputRate,
                channelCount: channelCount,
                maximumFrameCount: maximumFrameCount
            )
        resamplers[key] = processor
        return processor
    }

    /// The resamplers at the inputs of `node`.
    func resamplers(into node: AVAudioNode) -> [ResampleProcessor] {
        resamplers.filter { $0.key.port.node == ObjectIdentifier(node) }.map(\.value)
    }

    /// Returns the step that keeps the frames of `node` for several readers.
    mutating func tee(
        of node: AVAudioNode,
        sampleRate: Double,
        channelCount: Int,
        maximumFrameCount: Int,
        keeping old: ProcessorCache
    ) -> FanOutProcessor {
        let key = ObjectIdentifier(node)
        if let known = tees[key] { return known }
        let kept = old.tees[key].flatMap { $0.sampleRate == sampleRate && $0.channelCount == channelCount ? $0 : nil }
        let tee =
            kept
            ?? FanOutProcessor(sampleRate: sampleRate, channelCount: channelCount, maximumFrameCount: maximumFrameCount)
        tees[key] = tee
        return tee
    }

    /// Returns the read position of one branch of a node's output.
    mutating func reader(
        of tee: FanOutProcessor,
        for connection: Graph.Connection,
        keeping old: ProcessorCache
    ) -> TeeReader {
        let source = ObjectIdentifier(connection.source)
        let key = ReaderKey(port: connection.port, source: source)
        // A reader belongs to its tee: a new tee has new ones.
        let isKept = old.tees[source] === tee
        let reader = (isKept ? old.readers[key] : nil) ?? TeeReader(tee, fromStart: !isKept)
        readers[key] = reader
        return reader
    }
}
