/// A point in meters: x points right, y up and z backward.
public struct AVAudio3DPoint: Equatable, Sendable, BitwiseCopyable {
    /// The coordinate in meters; positive to the right.
    public var x: Float
    /// The coordinate in meters; positive upward.
    public var y: Float
    /// The coordinate in meters; positive backward.
    public var z: Float

    /// Creates a point at the origin.
    public init() { (x, y, z) = (0, 0, 0) }

    /// Creates a point from its coordinates in meters.
    public init(x: Float, y: Float, z: Float) { (self.x, self.y, self.z) = (x, y, z) }
}

/// A direction: x points right, y up and z backward.
///
/// Its length does not matter.
public typealias AVAudio3DVector = AVAudio3DPoint

/// The orientation of a head as two vectors.
public struct AVAudio3DVectorOrientation: Equatable, Sendable, BitwiseCopyable {
    /// The viewing direction of the listener.
    public var forward: AVAudio3DVector
    /// The direction of the crown of the head.
    public var up: AVAudio3DVector

    /// Creates the default orientation: looking along −z, with y upward.
    public init() { self.init(forward: AVAudio3DPoint(x: 0, y: 0, z: -1), up: AVAudio3DPoint(x: 0, y: 1, z: 0)) }

    /// Creates an orientation from two vectors.
    public init(forward: AVAudio3DVector, up: AVAudio3DVector) { (self.forward, self.up) = (forward, up) }
}

/// The orientation of a head as three angles in degrees.
public struct AVAudio3DAngularOrientation: Equatable, Sendable, BitwiseCopyable {
    /// The rotation around the vertical axis in degrees; positive to the right.
    public var yaw: Float
    /// The rotation around the left-right axis in degrees; positive upward.
    public var pitch: Float
    /// The rotation around the front-back axis in degrees; positive to the right.
    public var roll: Float

    /// Creates the default orientation: looking along −z, with y upward.
    public init() { (yaw, pitch, roll) = (0, 0, 0) }

    /// Creates an orientation from three angles in degrees.
    public init(yaw: Float, pitch: Float, roll: Float) { (self.yaw, self.pitch, self.roll) = (yaw, pitch, roll) }
}

/// Returns a point.
public func AVAudioMake3DPoint(_ x: Float, _ y: Float, _ z: Float) -> AVAudio3DPoint {
    AVAudio3DPoint(x: x, y: y, z: z)
}

/// Returns a vector.
public func AVAudioMake3DVector(_ x: Float, _ y: Float, _ z: Float) -> AVAudio3DVector {
    AVAudio3DVector(x: x, y: y, z: z)
}

/// Returns an orientation with two vectors.
public func AVAudioMake3DVectorOrientation(
    _ forward: AVAudio3DVector,
    _ up: AVAudio3DVector
) -> AVAudio3DVectorOrientation {
    AVAudio3DVectorOrientation(forward: forward, up: up)
}

/// Returns an orientation with three angles in degrees.
public func AVAudioMake3DAngularOrientation(_ yaw: Float, _ pitch: Float, _ roll: Float) -> AVAudio3DAngularOrientation
{
    AVAudio3DAngularOrientation(yaw: yaw, pitch: pitch, roll: roll)
}

/// The method by which a source is placed in space.
///
/// Names and raw values are AVFAudio's.
public enum AVAudio3DMixingRenderingAlgorithm: Int, Sendable {
    /// Panning with two gains of equal power. Directions behind the listener are mirrored to the front.
    case equalPowerPanning = 0
    /// The interaural delays and the shadow of a rigid sphere with a radius of 8.75 cm.
    case sphericalHead = 1
    /// Head-related transfer functions of a measured head.
    case HRTF = 2
    /// Rendered as `equalPowerPanning`: Syrinx has no sound field renderer.
    case soundField = 3
    /// No spatialization: equal level on both sides, with distance attenuation only.
    case stereoPassThrough = 5
    /// The same as `HRTF`.
    case HRTFHQ = 6
    /// `HRTFHQ` unless the node's `outputType` names loudspeakers, for which it is `equalPowerPanning`.
    case auto = 7
}

/// The spatialization of a source's channels.
public enum AVAudio3DMixingSourceMode: Int, Sendable {
    /// Mono sources are spatialized; others are mixed by volume and pan.
    case spatializeIfMono = 0
    /// The source is mixed by volume and pan.
    case bypass = 1
    /// The mean of all channels is one point source.
    case pointSource = 2
    /// Each channel is heard from the direction of its loudspeaker, without distance. The listener's orientation
    /// rotates the bed.
    case ambienceBed = 3
}

/// The rendering of a point source inside the listener's head: closer than 1 cm.
public enum AVAudio3DMixingPointSourceInHeadMode: Int, Sendable {
    /// The mean of all channels, at equal level on both sides.
    case mono = 0
    /// The channels are mixed by volume and pan.
    case bypass = 1
}

/// The formula for the attenuation with distance (OpenAL 1.1, section 3.4).
public enum AVAudioEnvironmentDistanceAttenuationModel: Int, Sendable {
    /// (d/reference) ^ −rolloff
    case exponential = 1
    /// reference / (reference + rolloff · (d − reference))
    case inverse = 2
    /// 1 − rolloff · (d − reference) / (maximum − reference)
    case linear = 3
}

/// The kind of device on which the listener hears an environment.
public enum AVAudioEnvironmentOutputType: Int, Sendable {
    /// Treated as headphones.
    case auto = 0
    case headphones = 1
    case builtInSpeakers = 2
    case externalSpeakers = 3
}
