internal import AVFAudio
public import CoreMedia
public import Foundation
internal import Synchronization

/// The volumes of tracks over time.
open class AVAudioMix: NSObject, @unchecked Sendable {
    // Unchecked: what changes is behind a lock.
    fileprivate let parameters = Mutex<[AVAudioMixInputParameters]>([])

    override init() {}

    /// The volumes, each of a track.
    open var inputParameters: [AVAudioMixInputParameters] { parameters.withLock { $0 } }

    /// The volume of a track.
    func envelope(of trackID: CMPersistentTrackID) -> VolumeEnvelope {
        inputParameters.first { $0.trackID == trackID }?.envelope ?? VolumeEnvelope()
    }
}

/// The volumes of tracks over time, which can be changed.
open class AVMutableAudioMix: AVAudioMix, @unchecked Sendable {
    /// A mix in which all tracks have volume 1.
    public override init() {
        super.init()
    }

    /// The volumes, each of a track.
    open override var inputParameters: [AVAudioMixInputParameters] {
        get { super.inputParameters }
        set { parameters.withLock { $0 = newValue } }
    }
}

/// The volume of a track over time.
open class AVAudioMixInputParameters: NSObject, @unchecked Sendable {
    // Unchecked: what changes is behind a lock.
    fileprivate struct State {
        var trackID = kCMPersistentTrackID_Invalid
        var envelope = VolumeEnvelope()
    }
    fileprivate let state = Mutex(State())

    override init() {}

    /// The number of the track.
    open var trackID: CMPersistentTrackID { state.withLock { $0.trackID } }
    var envelope: VolumeEnvelope { state.withLock { $0.envelope } }

    /// Gives the ramp that a time lies in, or else the first that begins later.
    /// - Parameters:
    ///   - time: The time.
    ///   - startVolume: Receives the volume at the start of the ramp.
    ///   - endVolume: Receives the volume at its end.
    ///   - timeRange: Receives its range, which ends where the next ramp begins.
    /// - Returns: False if the time lies behind all ramps, or none was set.
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

/// The volume of a track over time, which can be changed.
open class AVMutableAudioMixInputParameters: AVAudioMixInputParameters, @unchecked Sendable {
    /// Volume 1 of no track.
    public override init() {
        super.init()
    }

    /// Volume 1 of a track.
    public convenience init(track: AVAssetTrack?) {
        self.init()
        trackID = track?.trackID ?? kCMPersistentTrackID_Invalid
    }

    /// The number of the track.
    open override var trackID: CMPersistentTrackID {
        get { super.trackID }
        set { state.withLock { $0.trackID = newValue } }
    }

    /// Sets the volume from `time` on, until the next ramp or volume.
    open func setVolume(_ volume: Float, at time: CMTime) {
        setVolumeRamp(
            fromStartVolume: volume,
            toEndVolume: volume,
            timeRange: CMTimeRange(start: time, duration: .zero)
        )
    }

    /// Lets the volume go from one to another in a straight line over a range, and stay there.
    open func setVolumeRamp(fromStartVolume startVolume: Float, toEndVolume endVolume: Float, timeRange: CMTimeRange) {
        guard timeRange.isValid, timeRange.start.isNumeric, startVolume.isFinite, endVolume.isFinite else { return }
        let ramp = VolumeEnvelope.Ramp(range: timeRange, from: startVolume, to: endVolume)
        state.withLock { $0.envelope.add(ramp) }
    }
}
