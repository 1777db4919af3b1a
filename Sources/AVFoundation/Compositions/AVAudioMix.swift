internal import AVFAudio
public import CoreMedia
public import Foundation
internal import Synchronization

/// The volumes of tracks over time.
///
/// ```swift
/// let fade = AVMutableAudioMixInputParameters(track: track)
/// let start = CMTime(seconds: 57, preferredTimescale: 600)
/// let lastSeconds = CMTimeRange(start: start, duration: CMTime(value: 3, timescale: 1))
/// fade.setVolumeRamp(fromStartVolume: 1, toEndVolume: 0, timeRange: lastSeconds)
/// let mix = AVMutableAudioMix()
/// mix.inputParameters = [fade]
/// item.audioMix = mix
/// ```
open class AVAudioMix: NSObject, @unchecked Sendable {
    // Unchecked: a lock guards the mutable state.
    fileprivate let parameters = Mutex<[AVAudioMixInputParameters]>([])

    override init() {}

    /// The volume parameters, one object for each track.
    open var inputParameters: [AVAudioMixInputParameters] { parameters.withLock { $0 } }

    /// Returns the volume envelope of a track.
    func envelope(of trackID: CMPersistentTrackID) -> VolumeEnvelope {
        inputParameters.first { $0.trackID == trackID }?.envelope ?? VolumeEnvelope()
    }
}

/// A mutable audio mix.
open class AVMutableAudioMix: AVAudioMix, @unchecked Sendable {
    /// Creates a mix in which all tracks have volume 1.
    public override init() {
        super.init()
    }

    /// The volume parameters, one object for each track.
    open override var inputParameters: [AVAudioMixInputParameters] {
        get { super.inputParameters }
        set { parameters.withLock { $0 = newValue } }
    }
}

/// The volume of a track over time.
open class AVAudioMixInputParameters: NSObject, @unchecked Sendable {
    // Unchecked: a lock guards the mutable state.
    fileprivate struct State {
        var trackID = kCMPersistentTrackID_Invalid
        var envelope = VolumeEnvelope()
    }
    fileprivate let state = Mutex(State())

    override init() {}

    /// The ID of the track.
    open var trackID: CMPersistentTrackID { state.withLock { $0.trackID } }
    var envelope: VolumeEnvelope { state.withLock { $0.envelope } }

    /// Retrieves the ramp at `time`, or the first ramp after it.
    /// - Parameters:
    ///   - time: The time in the track.
    ///   - startVolume: Receives the volume at the start of the ramp.
    ///   - endVolume: Receives the volume at the end of the ramp.
    ///   - timeRange: Receives the range of the ramp, which ends at the start of the next ramp.
    /// - Returns: False if `time` is after all ramps, or if there are no ramps.
    open func getVolumeRamp(
        for time: CMTime,
        startVolume: UnsafeMutablePointer<Float>?,
        endVolume: UnsafeMutablePointer<Float>?,
        timeRange: UnsafeMutablePointer<CMTimeRange>?
    ) -> Bool {
        guard time.isNumeric, let ramp = envelope.ramp(at: time) else { return false }
        startVolume?.pointee = ramp.from
        endVolume?.pointee = ramp.to
        timeRange?.pointee = ramp.range
        return true
    }
}

/// Mutable volume parameters of a track.
open class AVMutableAudioMixInputParameters: AVAudioMixInputParameters, @unchecked Sendable {
    /// Creates parameters with volume 1, without a track.
    public override init() {
        super.init()
    }

    /// Creates parameters with volume 1 for `track`.
    public convenience init(track: AVAssetTrack?) {
        self.init()
        trackID = track?.trackID ?? kCMPersistentTrackID_Invalid
    }

    /// The ID of the track.
    open override var trackID: CMPersistentTrackID {
        get { super.trackID }
        set { state.withLock { $0.trackID = newValue } }
    }

    /// Sets the volume at `time`; it holds until the next ramp or volume.
    open func setVolume(_ volume: Float, at time: CMTime) {
        setVolumeRamp(
            fromStartVolume: volume,
            toEndVolume: volume,
            timeRange: CMTimeRange(start: time, duration: .zero)
        )
    }

    /// Adds a linear volume ramp; the end volume holds after it.
    open func setVolumeRamp(fromStartVolume startVolume: Float, toEndVolume endVolume: Float, timeRange: CMTimeRange) {
        guard timeRange.isValid, timeRange.start.isNumeric, startVolume.isFinite, endVolume.isFinite else { return }
        let ramp = VolumeEnvelope.Ramp(range: timeRange, from: startVolume, to: endVolume)
        state.withLock { $0.envelope.add(ramp) }
    }
}
