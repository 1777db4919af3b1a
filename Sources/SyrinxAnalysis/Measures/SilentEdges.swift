/// Measures the true silence at the start and at the end of a recording.
///
/// A frame is silent if every sample would be 0 in 16 bits. In a 16-bit recording, this is digital silence. In
/// recordings with more bits, or from a lossy codec, noise below −96 dBFS is silent too.
///
/// The result is exact to the frame, for any lengths of the buffers. A value; use it on one thread at a time.
public struct SilentEdges: Sendable {
    /// The minimum magnitude of audible samples: half a step of 16 bits, where 1 is full scale.
    public static let threshold: Float = 1 / 65536

    /// The number of frames added so far.
    public private(set) var frameCount: Int64 = 0
    private var firstSound: Int64?
    private var soundEnd: Int64 = 0

    /// Creates a measurement.
    public init() {}

    /// The number of silent frames before the first audible frame; all frames if none is audible.
    public var startFrameCount: Int64 { firstSound ?? frameCount }

    /// The number of silent frames after the last audible frame; all frames if none is audible.
    public var endFrameCount: Int64 { frameCount - soundEnd }

    /// Adds samples, one pointer for each channel.
    public mutating func append(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        channelCount: Int,
        frameCount count: Int
    ) {
        var done = 0
        while done < count {
            let end = min(done + PeakKernel.blockFrames, count)
            if let sounding = PeakKernel.sounding(
                channels,
                channelCount: channelCount,
                done..<end,
                threshold: Self.threshold
            ) {
                if firstSound == nil { firstSound = frameCount + Int64(sounding.lowerBound) }
                soundEnd = frameCount + Int64(sounding.upperBound)
            }
            done = end
        }
        frameCount += Int64(count)
    }
}
