internal import Synchronization
public import SyrinxByteStream
internal import SyrinxMediaCodec

extension RecordingAnalyzer {
    /// Builds the waveform of a recording whose bytes arrive in any order, as after seeks in a stream.
    ///
    /// Everything that has arrived is analyzed. The part near the time passed to `prefer(time:)` comes first; initially
    /// that time is 0. Updates are sent up to ten times a second. Blocks that have not arrived are unknown:
    /// `WaveformPyramid.knownRanges` contains the known ones. If the recording is not seekable, or its length is
    /// unknown, the waveform grows from the start.
    ///
    /// ```swift
    /// import SyrinxStreaming
    ///
    /// let analyzer = RecordingAnalyzer()
    /// guard let arrived = streamer.makeArrivedStream() else { return }
    /// var pyramid: WaveformPyramid?
    /// for try await update in analyzer.waveform(arrivingIn: arrived) {
    ///     guard case .blocks(let blocks, let index, let last) = update else { continue }
    ///     pyramid = pyramid ?? WaveformPyramid(
    ///         sampleRate: blocks.sampleRate,
    ///         samplesPerPixel: blocks.samplesPerPixel,
    ///         channelCount: blocks.channelCount
    ///     )
    ///     pyramid?.insert(blocks, at: index, lastFrameCount: last)
    /// }
    /// ```
    /// - Parameters:
    ///   - stream: The bytes; `firstHeld(from:)` and `firstMissing(from:)` report which have arrived. The stream must
    ///     throw `.interrupted` when bytes that have not arrived are read, as that of `makeArrivedStream()` does. The
    ///     analyzer cancels `stream` when the sequence ends, so pass a stream that nothing else reads.
    ///   - samplesPerPixel: The number of frames in a block; 256 by default. Values below 1 count as 1.
    ///   - mixesChannels: Whether all channels are mixed into one; true by default.
    /// - Throws: In the sequence: `SyrinxError` if the recording cannot be opened, `CancellationError` if another
    ///   request started.
    public func waveform(
        arrivingIn stream: any ByteStream,
        samplesPerPixel: Int = 256,
        mixesChannels: Bool = true
    ) -> AsyncThrowingStream<WaveformUpdate, any Error> {
        let attentive = AttentiveStream(stream)
        return run(attentive, roundsIntegersDown: true) { reader, request, tell in
            tell(.opened(reader.info))
            let settings = PeakBuilder.Settings(
                sampleRate: Int(clamped: reader.info.sampleRate),
                channelCount: reader.info.channelCount,
                samplesPerPixel: max(samplesPerPixel, 1),
                mixesChannels: mixesChannels,
                rounding: SampleRounding(codec: reader.info.codec)
            )
            // The closure does not outlive the sink or this call.
            withoutActuallyEscaping(tell) { tell in
                let sink = WaveformSink(settings) { tell($0) }
                tell(.ended(ArrivalScan(reader, attentive, to: sink, for: request).run()))
            }
        }
    }

    /// Moves the analysis of an arriving recording to the playback position.
    /// - Parameter time: The playback position in seconds; values that are not finite are ignored.
    public func prefer(time: Double) {
        current.withLock { $0 }?.prefer(time: time)
    }
}
