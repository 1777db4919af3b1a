/// The 3D position and related settings of a source that an `AVAudioEnvironmentNode` renders.
///
/// Other mixers ignore these settings. Callable from any thread except the render thread; a change starts with the
/// next block and is ramped.
public protocol AVAudio3DMixing: AnyObject {
    /// The method of rendering, default `equalPowerPanning`.
    var renderingAlgorithm: AVAudio3DMixingRenderingAlgorithm { get set }

    /// The spatialization of the source's channels; default `spatializeIfMono`.
    ///
    /// A change takes effect immediately.
    var sourceMode: AVAudio3DMixingSourceMode { get set }

    /// The rendering of a point source inside the listener's head; default `mono`.
    var pointSourceInHeadMode: AVAudio3DMixingPointSourceInHeadMode { get set }

    /// The speed of a source, 0.5…2, default 1: its pitch moves with it. Values out of range are clamped.
    var rate: Float { get set }

    /// The share of the reverb, 0…1, default 0. Values out of range are clamped.
    var reverbBlend: Float { get set }

    /// The attenuation of the direct sound at 5 kHz in dB, −100…0, default 0. Values out of range are clamped.
    var obstruction: Float { get set }

    /// The attenuation of the direct sound and of the reverb's input at 5 kHz in dB, −100…0, default 0. Values out of
    /// range are clamped.
    var occlusion: Float { get set }

    /// The position of the source in meters; default: the origin.
    var position: AVAudio3DPoint { get set }
}

/// A node or a mixing destination with a 3D position, stored in `SpatialParameters`.
protocol SpatiallyMixed: AnyObject {
    func spatialValue(_ index: Int) -> Float
    func setSpatialValues(_ first: Int, _ values: [Float])
    var spatialRate: Float { get set }
    /// Notifies the engine that a setting requires other rendering resources.
    func renderingHasChanged()
}

extension AVAudio3DMixing {
    private var place: (any SpatiallyMixed)? { self as? any SpatiallyMixed }

    private func value(_ index: Int) -> Float { place?.spatialValue(index) ?? 0 }

    private func set(_ index: Int, _ value: Float, in range: ClosedRange<Float>) {
        place?.setSpatialValues(index, [min(max(value, range.lowerBound), range.upperBound)])
    }

    /// The method of rendering, default `equalPowerPanning`.
    ///
    /// `HRTF` needs a measured head: see `AVAudioEnvironmentNode.applicableRenderingAlgorithms`.
    public var renderingAlgorithm: AVAudio3DMixingRenderingAlgorithm {
        get {
            AVAudio3DMixingRenderingAlgorithm(rawValue: Int(value(SpatialParameters.algorithm))) ?? .equalPowerPanning
        }
        set {
            place?.setSpatialValues(SpatialParameters.algorithm, [Float(newValue.rawValue)])
            place?.renderingHasChanged()
        }
    }

    /// The spatialization of the source's channels; default `spatializeIfMono`.
    public var sourceMode: AVAudio3DMixingSourceMode {
        get { AVAudio3DMixingSourceMode(rawValue: Int(value(SpatialParameters.sourceMode))) ?? .spatializeIfMono }
        set { place?.setSpatialValues(SpatialParameters.sourceMode, [Float(newValue.rawValue)]) }
    }

    /// The rendering of a point source inside the listener's head; default `mono`.
    public var pointSourceInHeadMode: AVAudio3DMixingPointSourceInHeadMode {
        get { AVAudio3DMixingPointSourceInHeadMode(rawValue: Int(value(SpatialParameters.inHeadMode))) ?? .mono }
        set { place?.setSpatialValues(SpatialParameters.inHeadMode, [Float(newValue.rawValue)]) }
    }

    /// The playback rate of the source: 0.5…2, default 1.
    public var rate: Float {
        get { place?.spatialRate ?? 1 }
        set { place?.spatialRate = newValue }
    }

    /// The level of the source in the reverb: 0…1, default 0.
    public var reverbBlend: Float {
        get { value(SpatialParameters.reverbBlend) }
        set { set(SpatialParameters.reverbBlend, newValue, in: 0...1) }
    }

    /// The attenuation of the direct sound at 5 kHz in dB, −100…0, default 0.
    public var obstruction: Float {
        get { value(SpatialParameters.obstruction) }
        set { set(SpatialParameters.obstruction, newValue, in: -100...0) }
    }

    /// The attenuation of the direct sound and of the reverb's input at 5 kHz in dB, −100…0, default 0.
    public var occlusion: Float {
        get { value(SpatialParameters.occlusion) }
        set { set(SpatialParameters.occlusion, newValue, in: -100...0) }
    }

    /// The position of the source in meters; default: the origin.
    public var position: AVAudio3DPoint {
        get { AVAudio3DPoint(x: value(0), y: value(1), z: value(2)) }
        set { place?.setSpatialValues(0, [newValue.x, newValue.y, newValue.z]) }
    }
}

extension AVAudioNode: SpatiallyMixed {
    func spatialValue(_ index: Int) -> Float { mixing.spatialValue(index) }

    func setSpatialValues(_ first: Int, _ values: [Float]) { mixing.setSpatialValues(first, values) }

    var spatialRate: Float {
        get { mixing.rate }
        set { if mixing.setRate(newValue) { renderingHasChanged() } }
    }

    func renderingHasChanged() { engine?.changeGraph {} }
}

extension AVAudioMixingDestination: SpatiallyMixed {
    func spatialValue(_ index: Int) -> Float { parameters.spatial.values.value(index) }

    func setSpatialValues(_ first: Int, _ values: [Float]) { parameters.spatial.values.set(first, values) }

    var spatialRate: Float {
        get { parameters.spatial.sourceRate }
        set { if parameters.spatial.setRate(newValue) { renderingHasChanged() } }
    }

    func renderingHasChanged() { connectionPoint.node?.engine?.changeGraph {} }
}
