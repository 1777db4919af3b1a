public import Foundation

/// The stereo position of a source.
public protocol AVAudioStereoMixing: AnyObject {
    /// From −1, left, to 1, right; default 0. A change is ramped over 10 ms.
    var pan: Float { get set }
}

/// The settings of a source node at the mixers that it feeds.
///
/// A value that you set on the node applies to all its mixers. A value that you set on `destination(forMixer:bus:)`
/// applies to that mixer only, until you set the node's value again.
public protocol AVAudioMixing: AVAudioStereoMixing, AVAudio3DMixing {
    /// Linear gain, 0…1, default 1. A change is ramped over 10 ms.
    var volume: Float { get set }

    /// Returns the settings for one input of a mixer; `nil` if the node does not feed that input.
    func destination(forMixer mixer: AVAudioNode, bus: AVAudioNodeBus) -> AVAudioMixingDestination?
}

/// The values that mixing takes.
enum MixingValue {
    static func volume(_ value: Float) -> Float { value.isFinite ? max(0, value) : 0 }

    static func pan(_ value: Float) -> Float { value.isFinite ? min(1, max(-1, value)) : 0 }
}

/// The volume, pan and 3D position of a node: for all mixers that it feeds, and for each of them.
final class SourceMixing: @unchecked Sendable {
    // Unchecked: `lock` guards `places`.
    private let everywhere = MixingParameters()
    private let lock = NSLock()
    private var places: [Graph.Port: MixingParameters] = [:]

    var volume: Float { everywhere.volume.value }
    var pan: Float { everywhere.pan.value }

    func setVolume(_ value: Float, frames: UInt32? = nil) {
        forEach { $0.volume.set(MixingValue.volume(value), frames: frames) }
    }

    func setPan(_ value: Float, frames: UInt32? = nil) {
        forEach { $0.pan.set(MixingValue.pan(value), frames: frames) }
    }

    func spatialValue(_ index: Int) -> Float { everywhere.spatial.values.value(index) }

    func setSpatialValues(_ first: Int, _ values: [Float]) { forEach { $0.spatial.values.set(first, values) } }

    var rate: Float { everywhere.spatial.sourceRate }

    /// Sets the speed, and returns whether the way to an environment has to change for it.
    func setRate(_ value: Float) -> Bool {
        var changes = false
        forEach { if $0.spatial.setRate(value) { changes = true } }
        return changes
    }

    private func forEach(_ body: (MixingParameters) -> Void) {
        body(everywhere)
        lock.withLock { places.values.forEach(body) }
    }

    /// Returns the parameters that apply at `port`.
    func parameters(at port: Graph.Port) -> MixingParameters { lock.withLock { places[port] } ?? everywhere }

    /// Returns the parameters of `port` alone, which are separate from the others from now on.
    func separateParameters(at port: Graph.Port) -> (parameters: MixingParameters, isNew: Bool) {
        lock.withLock {
            if let known = places[port] { return (known, false) }
            let new = MixingParameters()
            new.volume.set(volume)
            new.pan.set(pan)
            new.spatial.values.set(0, everywhere.spatial.values.all)
            _ = new.spatial.setRate(rate)
            places[port] = new
            return (new, true)
        }
    }
}

/// Volume and pan of a node at one input of one mixer.
///
/// Callable from any thread except the render thread.
open class AVAudioMixingDestination: NSObject, AVAudioMixing, @unchecked Sendable {
    // Unchecked: constants, and parameters that are atomic.

    /// The mixer and its input.
    public let connectionPoint: AVAudioConnectionPoint
    let parameters: MixingParameters

    init(connectionPoint: AVAudioConnectionPoint, parameters: MixingParameters) {
        self.connectionPoint = connectionPoint
        self.parameters = parameters
    }

    /// The linear gain at this input, 0…1.
    ///
    /// A change is ramped over 10 ms.
    public var volume: Float {
        get { parameters.volume.value }
        set { parameters.volume.set(MixingValue.volume(newValue)) }
    }

    /// The pan at this input, from −1 (left) to 1 (right).
    ///
    /// A change is ramped over 10 ms.
    public var pan: Float {
        get { parameters.pan.value }
        set { parameters.pan.set(MixingValue.pan(newValue)) }
    }

    /// Ramps `volume` linearly to a value within `frameCount` frames of the mixer's output.
    ///
    /// An addition to Apple's interface.
    public func rampVolume(to volume: Float, over frameCount: AVAudioFrameCount) {
        parameters.volume.set(MixingValue.volume(volume), frames: frameCount)
    }

    /// Ramps `pan` linearly to a value within `frameCount` frames of the mixer's output.
    ///
    /// An addition to Apple's interface.
    public func rampPan(to pan: Float, over frameCount: AVAudioFrameCount) {
        parameters.pan.set(MixingValue.pan(pan), frames: frameCount)
    }

    /// Returns this destination if it belongs to the given input; else `nil`.
    public func destination(forMixer mixer: AVAudioNode, bus: AVAudioNodeBus) -> AVAudioMixingDestination? {
        connectionPoint.node === mixer && connectionPoint.bus == bus ? self : nil
    }
}

extension AVAudioMixing where Self: AVAudioNode {
    /// The linear gain at every mixer that the node feeds, 0…1, default 1.
    ///
    /// A change starts with the next block and is ramped over 10 ms.
    public var volume: Float {
        get { mixing.volume }
        set { mixing.setVolume(newValue) }
    }

    /// The stereo balance at all mixers that the node feeds, from −1 (left) to 1 (right); default 0.
    ///
    /// At 0 both channels keep their level. A change starts with the next block and is ramped over 10 ms.
    public var pan: Float {
        get { mixing.pan }
        set { mixing.setPan(newValue) }
    }

    /// Ramps `volume` linearly to a value within `frameCount` frames of the mixer's output.
    ///
    /// The ramp begins with the next block. An addition to Apple's interface.
    public func rampVolume(to volume: Float, over frameCount: AVAudioFrameCount) {
        mixing.setVolume(volume, frames: frameCount)
    }

    /// Ramps `pan` linearly to a value within `frameCount` frames of the mixer's output.
    ///
    /// The ramp begins with the next block. An addition to Apple's interface.
    public func rampPan(to pan: Float, over frameCount: AVAudioFrameCount) {
        mixing.setPan(pan, frames: frameCount)
    }

    /// Returns the settings for one input of a mixer; `nil` if the node does not lead there, directly or through
    /// units.
    public func destination(forMixer mixer: AVAudioNode, bus: AVAudioNodeBus) -> AVAudioMixingDestination? {
        engine?.mixingDestination(of: self, mixer: mixer, bus: bus)
    }
}
