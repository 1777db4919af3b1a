/// Measures the true silence at the start and at the end of a recording.
///
/// Sound is truly silent while every sample of every channel would be 0 in 16 bits. In a recording of 16 bits this is digital silence;
/// in one of more bits, or from a lossy codec, noise below −96 dB of full scale is silent, too.
///
/// Exact to the frame, however the samples are cut into buffers. A value; one thread at a time.
public struct SilentEdges: Sendable {
    /// The smallest magnitude that is not silent: half a step of 16 bits, where 1 is full scale.
    public static let threshold: Float = 1 / 65536

    /// The number of frames so far.
    public private(set) var frameCount: Int64 = 0
    private var firstSound: Int64?
    private var soundEnd: Int64 = 0

    /// Creates a measurement.
    public init() {}

    /// The number of silent frames before the first sound; all frames if there is none.
    public var startFrameCount: Int64 { firstSound ?? frameCount }

    /// The number of silent frames behind the last sound; all frames if there is none.
    public var endFrameCount: Int64 { frameCount - soundEnd }

    /// Takes the next samples, one pointer for each channel.
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
