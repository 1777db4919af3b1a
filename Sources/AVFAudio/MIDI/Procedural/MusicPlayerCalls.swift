public import CoreAudioTypes
import Foundation
import Synchronization

/// The target of a `MusicPlayer`.
private final class MusicPlayerObject: Sendable {
    /// The sequence, as a pointer that the program keeps valid.
    private let handle = Mutex<Int>(0)

    static func of(_ handle: MusicPlayer) -> MusicPlayerObject {
        Unmanaged<MusicPlayerObject>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
    }

    var sequence: MusicSequenceObject? {
        get {
            handle.withLock { handle in
                UnsafeRawPointer(bitPattern: handle).map {
                    Unmanaged<MusicSequenceObject>.fromOpaque($0).takeUnretainedValue()
                }
            }
        }
        set { handle.withLock { $0 = newValue.map { Int(bitPattern: Unmanaged.passUnretained($0).toOpaque()) } ?? 0 } }
    }

    /// Calls a function with the sequence.
    func withSequence(_ body: (MusicSequenceObject) throws -> Void) -> OSStatus {
        guard let sequence else { return kAudioToolboxErr_NoSequence }
        do {
            try body(sequence)
            return noErr
        } catch let error as AVMIDIError {
            return error.status
        } catch {
            return OSStatus(clamping: (error as NSError).code)
        }
    }
}

/// Creates a player without a sequence.
/// - Parameter outPlayer: Receives the player. Free it with `DisposeMusicPlayer`.
@discardableResult
public func NewMusicPlayer(_ outPlayer: UnsafeMutablePointer<MusicPlayer?>) -> OSStatus {
    outPlayer.pointee = OpaquePointer(Unmanaged.passRetained(MusicPlayerObject()).toOpaque())
    return noErr
}

/// Stops a player, and ends it.
///
/// Its sequence stays, and has to be there still.
@discardableResult
public func DisposeMusicPlayer(_ inPlayer: MusicPlayer) -> OSStatus {
    let player = MusicPlayerObject.of(inPlayer)
    player.sequence?.sequencer.stop()
    Unmanaged.passUnretained(player).release()
    return noErr
}

/// Sets the sequence to play.
/// - Parameters:
///   - inPlayer: A player that is not playing.
///   - inSequence: A sequence that outlives its use by the player; `nil` for none.
/// - Returns: `noErr`, or `kAudioToolboxErr_InvalidPlayerState` while the player is playing.
@discardableResult
public func MusicPlayerSetSequence(_ inPlayer: MusicPlayer, _ inSequence: MusicSequence?) -> OSStatus {
    let player = MusicPlayerObject.of(inPlayer)
    guard player.sequence?.sequencer.isPlaying != true else { return kAudioToolboxErr_InvalidPlayerState }
    player.sequence = inSequence.map(MusicSequenceObject.of)
    return noErr
}

/// Gets the sequence of the player.
/// - Returns: `noErr`, or `kAudioToolboxErr_NoSequence` if the player has no sequence.
@discardableResult
public func MusicPlayerGetSequence(
    _ inPlayer: MusicPlayer,
    _ outSequence: UnsafeMutablePointer<MusicSequence?>
) -> OSStatus {
    MusicPlayerObject.of(inPlayer).withSequence { outSequence.pointee = $0.handle }
}

// MARK: Playing

/// Finds the device and the instrument, and compiles the tracks, so that `MusicPlayerStart` begins at once.
/// - Returns: `noErr`; `kAudioToolboxErr_NoSequence`, `kAudioToolboxError_NoTrackDestination` without a sound bank or
///   FluidSynth.
@discardableResult
public func MusicPlayerPreroll(_ inPlayer: MusicPlayer) -> OSStatus {
    MusicPlayerObject.of(inPlayer).withSequence { try $0.prepare() }
}

/// Plays from the current time, and starts the engine of the sequence if necessary.
///
/// Playback continues past the last event, until `MusicPlayerStop`.
///
/// ```swift
/// var sequence: MusicSequence?
/// var player: MusicPlayer?
/// NewMusicSequence(&sequence)
/// NewMusicPlayer(&player)
/// if let sequence, let player {
///     MusicSequenceFileLoad(sequence, URL(fileURLWithPath: "song.mid") as CFURL, .midiType, [])
///     MusicPlayerSetSequence(player, sequence)
///     MusicPlayerPreroll(player)
///     MusicPlayerStart(player)
/// }
/// ```
/// - Returns: `noErr`; as `MusicPlayerPreroll`; or the code of the error of `AVAudioEngine.start()`.
@discardableResult
public func MusicPlayerStart(_ inPlayer: MusicPlayer) -> OSStatus {
    MusicPlayerObject.of(inPlayer).withSequence { try $0.start() }
}

/// Stops, and ends the notes that sound; the time stays.
/// - Returns: `noErr`; `kAudioToolboxErr_NoSequence`.
@discardableResult
public func MusicPlayerStop(_ inPlayer: MusicPlayer) -> OSStatus {
    MusicPlayerObject.of(inPlayer).withSequence { $0.sequencer.stop() }
}

/// Gets whether the player is playing.
@discardableResult
public func MusicPlayerIsPlaying(
    _ inPlayer: MusicPlayer,
    _ outIsPlaying: UnsafeMutablePointer<DarwinBoolean>
) -> OSStatus {
    outIsPlaying.pointee = DarwinBoolean(MusicPlayerObject.of(inPlayer).sequence?.sequencer.isPlaying == true)
    return noErr
}

// MARK: Time

/// Sets the time in beats.
///
/// Setting it while it plays ends the notes that sound: see `AVAudioSequencer.currentPositionInBeats`.
/// - Returns: `noErr`; `kAudioToolboxErr_NoSequence`.
@discardableResult
public func MusicPlayerSetTime(_ inPlayer: MusicPlayer, _ inTime: MusicTimeStamp) -> OSStatus {
    MusicPlayerObject.of(inPlayer).withSequence { $0.sequencer.currentPositionInBeats = inTime }
}

/// Gets the time in beats; during playback, the time of the last rendered frame.
/// - Returns: `noErr`, or `kAudioToolboxErr_NoSequence`.
@discardableResult
public func MusicPlayerGetTime(_ inPlayer: MusicPlayer, _ outTime: UnsafeMutablePointer<MusicTimeStamp>) -> OSStatus {
    MusicPlayerObject.of(inPlayer).withSequence { outTime.pointee = $0.sequencer.currentPositionInBeats }
}

/// Gets the host time at which a beat is audible.
/// - Returns: `noErr`; `kAudioToolboxErr_NoSequence`; or `kAudioToolboxErr_InvalidPlayerState` if the player is
///   stopped or its engine has no clock.
@discardableResult
public func MusicPlayerGetHostTimeForBeats(
    _ inPlayer: MusicPlayer,
    _ inBeats: MusicTimeStamp,
    _ outHostTime: UnsafeMutablePointer<UInt64>
) -> OSStatus {
    guard let sequence = MusicPlayerObject.of(inPlayer).sequence else { return kAudioToolboxErr_NoSequence }
    var error: NSError?
    let time = sequence.sequencer.hostTime(forBeats: inBeats, error: &error)
    guard error == nil else { return kAudioToolboxErr_InvalidPlayerState }
    outHostTime.pointee = time
    return noErr
}

/// Gets the beat that is audible at a host time.
/// - Returns: As `MusicPlayerGetHostTimeForBeats`.
@discardableResult
public func MusicPlayerGetBeatsForHostTime(
    _ inPlayer: MusicPlayer,
    _ inHostTime: UInt64,
    _ outBeats: UnsafeMutablePointer<MusicTimeStamp>
) -> OSStatus {
    guard let sequence = MusicPlayerObject.of(inPlayer).sequence else { return kAudioToolboxErr_NoSequence }
    var error: NSError?
    let beats = sequence.sequencer.beats(forHostTime: inHostTime, error: &error)
    guard error == nil else { return kAudioToolboxErr_InvalidPlayerState }
    outBeats.pointee = beats
    return noErr
}

/// Sets the playback rate, as a factor of the tempo, above 0.
/// - Returns: `noErr`; `kAudio_ParamError` for a rate that is not above 0, `kAudioToolboxErr_NoSequence`.
@discardableResult
public func MusicPlayerSetPlayRateScalar(_ inPlayer: MusicPlayer, _ inScaleRate: Float64) -> OSStatus {
    guard inScaleRate > 0, Float(inScaleRate).isFinite else { return kAudio_ParamError }
    return MusicPlayerObject.of(inPlayer).withSequence { $0.sequencer.rate = Float(inScaleRate) }
}

/// Gets the playback rate, as a factor of the tempo.
/// - Returns: `noErr`, or `kAudioToolboxErr_NoSequence`.
@discardableResult
public func MusicPlayerGetPlayRateScalar(
    _ inPlayer: MusicPlayer,
    _ outScaleRate: UnsafeMutablePointer<Float64>
) -> OSStatus {
    MusicPlayerObject.of(inPlayer).withSequence { outScaleRate.pointee = Float64($0.sequencer.rate) }
}
