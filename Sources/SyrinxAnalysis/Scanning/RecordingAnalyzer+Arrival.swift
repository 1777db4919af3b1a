internal import Synchronization
public import SyrinxByteStream
internal import SyrinxMediaCodec

extension RecordingAnalyzer {
    /// Makes the waveform of a recording whose bytes arrive in any order, as after seeks in a stream.
    ///
    /// All that has arrived is analysed, first the part that contains the time of `prefer(time:)` or follows it. Updates come up to ten
    /// times a second. Blocks that have not come are not known: `WaveformPyramid.knownRanges` has those that are. Of a recording that
    /// cannot go back, or whose length nothing tells, the waveform grows from the start.
    /// - Parameters:
    ///   - stream: The bytes; `firstHeld(from:)` and `firstMissing(from:)` tell which have arrived, and a read of others throws
    ///     `.interrupted`.
    ///   - samplesPerPixel: The frames of a block; 256 by default.
    ///   - mixesChannels: Whether all channels become one; true by default.
    /// - Throws: In the sequence: `SyrinxError` if it cannot be opened, `CancellationError` if another request came.
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
            // The closure outlives neither the sink nor this call.
            withoutActuallyEscaping(tell) { tell in
                let sink = WaveformSink(settings) { tell($0) }
                tell(.ended(ArrivalScan(reader, attentive, to: sink, for: request).run()))
            }
        }
    }

    /// Has what is heard from a time on be analysed first, of a recording that arrives.
    /// - Parameter time: Seconds from the start of the recording; what is infinite or no number is left out.
    public func prefer(time: Double) {
        current.withLock { $0 }?.prefer(time: time)
    }
}
