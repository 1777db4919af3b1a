public import CoreAudioTypes
public import Foundation
import SyrinxMediaCodec

// Sequences of the procedural API: the tracks of an `AVAudioSequencer`. A handle is valid until it is disposed of; a call with one
// that is not is an error of the program, as on Apple's systems.

/// Makes a sequence, which has a tempo track and no others.
///
/// A `MusicPlayer` plays it through an engine and a sampler of its own, with the sound bank that `AVMIDIPlayer` finds. To play it
/// through instruments of the program, make an `AVAudioSequencer`, and use its `musicSequence`.
/// - Parameter outSequence: Gets the sequence, for `DisposeMusicSequence`.
/// - Returns: `noErr`.
@discardableResult
public func NewMusicSequence(_ outSequence: UnsafeMutablePointer<MusicSequence?>) -> OSStatus {
    outSequence.pointee = OpaquePointer(Unmanaged.passRetained(MusicSequenceObject()).toOpaque())
    return noErr
}

/// Ends a sequence of `NewMusicSequence`, with its tracks.
/// - Returns: `noErr`; `kAudio_ParamError` for the sequence of an `AVAudioSequencer`, which lives as long as that.
@discardableResult
public func DisposeMusicSequence(_ inSequence: MusicSequence) -> OSStatus {
    let sequence = MusicSequenceObject.of(inSequence)
    guard sequence.isOwned else { return kAudio_ParamError }
    sequence.sequencer.stop()
    Unmanaged.passUnretained(sequence).release()
    return noErr
}

// MARK: Tracks

/// Adds an empty track at the end.
/// - Returns: `noErr`.
@discardableResult
public func MusicSequenceNewTrack(
    _ inSequence: MusicSequence,
    _ outTrack: UnsafeMutablePointer<MusicTrack?>
) -> OSStatus {
    let sequence = MusicSequenceObject.of(inSequence)
    outTrack.pointee = sequence.object(sequence.sequencer.createAndAppendTrack()).handle
    return noErr
}

/// Removes a track, whose handle is no longer valid then.
/// - Returns: `noErr`; `kAudioToolboxErr_TrackNotFound` for a track of another sequence, and for the tempo track.
@discardableResult
public func MusicSequenceDisposeTrack(_ inSequence: MusicSequence, _ inTrack: MusicTrack) -> OSStatus {
    MusicSequenceObject.of(inSequence).remove(.of(inTrack)) ? noErr : kAudioToolboxErr_TrackNotFound
}

/// Gets the number of tracks, without the tempo track.
/// - Returns: `noErr`.
@discardableResult
public func MusicSequenceGetTrackCount(
    _ inSequence: MusicSequence,
    _ outNumberOfTracks: UnsafeMutablePointer<UInt32>
) -> OSStatus {
    outNumberOfTracks.pointee = UInt32(clamping: MusicSequenceObject.of(inSequence).sequencer.tracks.count)
    return noErr
}

/// Gets the track of an index, from 0 on.
/// - Returns: `noErr`; `kAudioToolboxErr_TrackIndexError` for an index that no track has.
@discardableResult
public func MusicSequenceGetIndTrack(
    _ inSequence: MusicSequence,
    _ inTrackIndex: UInt32,
    _ outTrack: UnsafeMutablePointer<MusicTrack?>
) -> OSStatus {
    let tracks = MusicSequenceObject.of(inSequence).tracks
    guard Int(inTrackIndex) < tracks.count else { return kAudioToolboxErr_TrackIndexError }
    outTrack.pointee = tracks[Int(inTrackIndex)].handle
    return noErr
}

/// Gets the index of a track.
/// - Returns: `noErr`; `kAudioToolboxErr_TrackNotFound` for a track of another sequence, and for the tempo track.
@discardableResult
public func MusicSequenceGetTrackIndex(
    _ inSequence: MusicSequence,
    _ inTrack: MusicTrack,
    _ outTrackIndex: UnsafeMutablePointer<UInt32>
) -> OSStatus {
    let track = MusicTrackObject.of(inTrack).track
    guard let index = MusicSequenceObject.of(inSequence).sequencer.tracks.firstIndex(where: { $0 === track }) else {
        return kAudioToolboxErr_TrackNotFound
    }
    outTrackIndex.pointee = UInt32(clamping: index)
    return noErr
}

/// Gets the track of tempos and of meta events that hold for all tracks.
/// - Returns: `noErr`.
@discardableResult
public func MusicSequenceGetTempoTrack(
    _ inSequence: MusicSequence,
    _ outTrack: UnsafeMutablePointer<MusicTrack?>
) -> OSStatus {
    outTrack.pointee = MusicSequenceObject.of(inSequence).tempoTrack.handle
    return noErr
}

// MARK: Files

/// Adds the tracks of a Standard MIDI File of format 0 or 1 behind those that are there.
///
/// Its tempos, and the meta events for all tracks, are added to the tempo track.
/// - Parameters:
///   - inSequence: The sequence.
///   - inFileRef: A `file:` URL.
///   - inFileTypeHint: `.midiType`, or `.anyType`.
///   - inFlags: Whether each channel becomes a track of its own.
/// - Returns: `noErr`; `kAudio_FileNotFoundError`; `kAudio_BadFilePathError`; `kAudio_FilePermissionError` for a file that cannot be
///   read; `kAudioUnitErr_InvalidFile` for one that is damaged or none of MIDI; `kAudio_ParamError` for another type, or one that is
///   too large.
@discardableResult
public func MusicSequenceFileLoad(
    _ inSequence: MusicSequence,
    _ inFileRef: URL,
    _ inFileTypeHint: MusicSequenceFileTypeID,
    _ inFlags: MusicSequenceLoadFlags
) -> OSStatus {
    load(inSequence, inFileTypeHint, inFlags) { () throws(AVMIDIError) in try MIDIFileAccess.read(inFileRef) }
}

/// Adds the tracks of the bytes of a Standard MIDI File behind those that are there.
///
/// As `MusicSequenceFileLoad`, with `Data` in the place of Core Foundation's.
@discardableResult
public func MusicSequenceFileLoadData(
    _ inSequence: MusicSequence,
    _ inData: Data,
    _ inFileTypeHint: MusicSequenceFileTypeID,
    _ inFlags: MusicSequenceLoadFlags
) -> OSStatus {
    load(inSequence, inFileTypeHint, inFlags) { inData }
}

private func load(
    _ sequence: MusicSequence,
    _ type: MusicSequenceFileTypeID,
    _ flags: MusicSequenceLoadFlags,
    _ read: () throws(AVMIDIError) -> Data
) -> OSStatus {
    guard type == .midiType || type == .anyType else { return kAudio_ParamError }
    do {
        let file = try StandardMIDIFileReader.read(try read())
        let options: AVMusicSequenceLoadOptions = flags.contains(.smf_ChannelsToTracks) ? .smfChannelsToTracks : []
        MusicSequenceObject.of(sequence).sequencer.append(file, options)
        return noErr
    } catch {
        return error.status
    }
}

/// Writes a Standard MIDI File of format 1.
///
/// User events, parameters, and the fractions of keys are left out, which such files do not have. The file appears when it is complete.
/// - Parameters:
///   - inSequence: The sequence.
///   - inFileRef: A `file:` URL.
///   - inFileType: `.midiType`.
///   - inFlags: `.eraseFile` to replace a file that is there.
///   - inResolution: Ticks in a beat; 0 is 480. Below 0, a SMPTE time, as in `AVAudioSequencer.write(to:smpteResolution:replaceExisting:)`.
/// - Returns: `noErr`; else `kAudio_FilePermissionError` for a file that exists or cannot be written, `kAudio_BadFilePathError`,
///   `kAudio_ParamError` for another type or resolution.
@discardableResult
public func MusicSequenceFileCreate(
    _ inSequence: MusicSequence,
    _ inFileRef: URL,
    _ inFileType: MusicSequenceFileTypeID,
    _ inFlags: MusicSequenceFileFlags,
    _ inResolution: Int16
) -> OSStatus {
    guard inFileType == .midiType else { return kAudio_ParamError }
    do {
        let data = try MusicSequenceObject.of(inSequence).sequencer.data(Int(inResolution))
        try MIDIFileAccess.write(data, to: inFileRef, replaces: inFlags.contains(.eraseFile))
        return noErr
    } catch {
        return error.status
    }
}

/// Gets the bytes of a Standard MIDI File, as `MusicSequenceFileCreate` writes it.
/// - Parameters:
///   - inSequence: The sequence.
///   - inFileType: `.midiType`.
///   - inFlags: Not used.
///   - inResolution: Ticks in a quarter note; 0 is 480.
///   - outData: Gets an object that the caller releases.
/// - Returns: As `MusicSequenceFileCreate`, but for errors of files.
@discardableResult
public func MusicSequenceFileCreateData(
    _ inSequence: MusicSequence,
    _ inFileType: MusicSequenceFileTypeID,
    _ inFlags: MusicSequenceFileFlags,
    _ inResolution: Int16,
    _ outData: UnsafeMutablePointer<Unmanaged<NSData>?>
) -> OSStatus {
    guard inFileType == .midiType else { return kAudio_ParamError }
    do {
        let data = try MusicSequenceObject.of(inSequence).sequencer.data(Int(inResolution))
        outData.pointee = Unmanaged.passRetained(NSData(data: data))
        return noErr
    } catch {
        return error.status
    }
}

extension AVMIDIError {
    /// The number that the procedural API has for it.
    var status: OSStatus {
        switch code {
        case .fileNotFound: kAudio_FileNotFoundError
        case .badURL: kAudio_BadFilePathError
        case .fileReadFailed, .fileWriteFailed, .fileExists: kAudio_FilePermissionError
        case .unsupported: kAudio_ParamError
        case .soundBankMissing, .synthesizerMissing: kAudioToolboxError_NoTrackDestination
        default: kAudioUnitErr_InvalidFile
        }
    }
}

// MARK: Time

/// Gets the seconds from the start to a beat, as the tempo track has it.
/// - Returns: `noErr`.
@discardableResult
public func MusicSequenceGetSecondsForBeats(
    _ inSequence: MusicSequence,
    _ inBeats: MusicTimeStamp,
    _ outSeconds: UnsafeMutablePointer<Float64>
) -> OSStatus {
    outSeconds.pointee = MusicSequenceObject.of(inSequence).sequencer.seconds(forBeats: inBeats)
    return noErr
}

/// Gets the beat at a number of seconds from the start, as the tempo track has it.
/// - Returns: `noErr`.
@discardableResult
public func MusicSequenceGetBeatsForSeconds(
    _ inSequence: MusicSequence,
    _ inSeconds: Float64,
    _ outBeats: UnsafeMutablePointer<MusicTimeStamp>
) -> OSStatus {
    outBeats.pointee = MusicSequenceObject.of(inSequence).sequencer.beats(forSeconds: inSeconds)
    return noErr
}
