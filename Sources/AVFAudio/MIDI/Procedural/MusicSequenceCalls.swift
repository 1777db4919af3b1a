public import CoreAudioTypes
public import Foundation
import SyrinxMediaCodec

// Sequences of the procedural API are the tracks of an `AVAudioSequencer`. A handle is valid until it is disposed of.
// Passing an invalid handle is a programming error, as on Apple's systems.

/// Creates a sequence with only a tempo track.
///
/// A `MusicPlayer` plays it through a private engine and sampler, with the sound bank that `AVMIDIPlayer` finds. To
/// play through instruments of your own, create an `AVAudioSequencer` and use its `musicSequence`.
/// - Parameter outSequence: Receives the sequence. Free it with `DisposeMusicSequence`.
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

/// Appends an empty track to a sequence.
@discardableResult
public func MusicSequenceNewTrack(
    _ inSequence: MusicSequence,
    _ outTrack: UnsafeMutablePointer<MusicTrack?>
) -> OSStatus {
    let sequence = MusicSequenceObject.of(inSequence)
    outTrack.pointee = sequence.object(sequence.sequencer.createAndAppendTrack()).handle
    return noErr
}

/// Removes a track and invalidates its handle.
/// - Returns: `noErr`, or `kAudioToolboxErr_TrackNotFound` for the tempo track and for a track of another sequence.
@discardableResult
public func MusicSequenceDisposeTrack(_ inSequence: MusicSequence, _ inTrack: MusicTrack) -> OSStatus {
    MusicSequenceObject.of(inSequence).remove(.of(inTrack)) ? noErr : kAudioToolboxErr_TrackNotFound
}

/// Gets the number of tracks, without the tempo track.
@discardableResult
public func MusicSequenceGetTrackCount(
    _ inSequence: MusicSequence,
    _ outNumberOfTracks: UnsafeMutablePointer<UInt32>
) -> OSStatus {
    outNumberOfTracks.pointee = UInt32(clamping: MusicSequenceObject.of(inSequence).sequencer.tracks.count)
    return noErr
}

/// Gets the track at an index, beginning with 0.
/// - Returns: `noErr`, or `kAudioToolboxErr_TrackIndexError` if the index is out of range.
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
/// - Returns: `noErr`, or `kAudioToolboxErr_TrackNotFound` for the tempo track and for a track of another sequence.
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

/// Gets the track with the tempos, and with meta events that apply to all tracks.
@discardableResult
public func MusicSequenceGetTempoTrack(
    _ inSequence: MusicSequence,
    _ outTrack: UnsafeMutablePointer<MusicTrack?>
) -> OSStatus {
    outTrack.pointee = MusicSequenceObject.of(inSequence).tempoTrack.handle
    return noErr
}

// MARK: Files

/// Appends the tracks of a Standard MIDI File of format 0 or 1 to the sequence.
///
/// The file's tempos, and its meta events for all tracks, are added to the tempo track.
/// - Parameters:
///   - inSequence: The sequence.
///   - inFileRef: A `file:` URL.
///   - inFileTypeHint: `.midiType` or `.anyType`.
///   - inFlags: Whether to split each track into one track per channel.
/// - Returns: `noErr`; `kAudio_FileNotFoundError`; `kAudio_BadFilePathError`; `kAudio_FilePermissionError` if the file
///   cannot be read; `kAudioUnitErr_InvalidFile` if it is damaged or not a MIDI file; `kAudio_ParamError` for another
///   type, or a file that is too large.
@discardableResult
public func MusicSequenceFileLoad(
    _ inSequence: MusicSequence,
    _ inFileRef: URL,
    _ inFileTypeHint: MusicSequenceFileTypeID,
    _ inFlags: MusicSequenceLoadFlags
) -> OSStatus {
    load(inSequence, inFileTypeHint, inFlags) { () throws(AVMIDIError) in try MIDIFileAccess.read(inFileRef) }
}

/// Appends the tracks of a Standard MIDI File in memory to the sequence.
///
/// As `MusicSequenceFileLoad`, with `Data` instead of `CFData`.
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
/// The format has no user events, parameter events or fractional keys, so these are omitted. The file appears only
/// when it is complete.
/// - Parameters:
///   - inSequence: The sequence.
///   - inFileRef: A `file:` URL.
///   - inFileType: `.midiType`.
///   - inFlags: `.eraseFile` replaces an existing file.
///   - inResolution: Ticks per beat; 0 selects 480. If negative, a SMPTE time as in
///     `AVAudioSequencer.write(to:smpteResolution:replaceExisting:)`.
/// - Returns: `noErr`; `kAudio_FilePermissionError` for a file that exists or cannot be written;
///   `kAudio_BadFilePathError`; `kAudio_ParamError` for another type or an invalid resolution.
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

/// Gets the bytes of a Standard MIDI File, in the form that `MusicSequenceFileCreate` writes.
/// - Parameters:
///   - inSequence: The sequence.
///   - inFileType: `.midiType`.
///   - inFlags: Ignored.
///   - inResolution: Ticks per quarter note; 0 selects 480.
///   - outData: Receives an object that the caller has to release.
/// - Returns: As `MusicSequenceFileCreate`, without errors of the file system.
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

/// Gets the time in seconds of a beat, according to the tempo track.
@discardableResult
public func MusicSequenceGetSecondsForBeats(
    _ inSequence: MusicSequence,
    _ inBeats: MusicTimeStamp,
    _ outSeconds: UnsafeMutablePointer<Float64>
) -> OSStatus {
    outSeconds.pointee = MusicSequenceObject.of(inSequence).sequencer.seconds(forBeats: inBeats)
    return noErr
}

/// Gets the beat at a time in seconds, according to the tempo track.
@discardableResult
public func MusicSequenceGetBeatsForSeconds(
    _ inSequence: MusicSequence,
    _ inSeconds: Float64,
    _ outBeats: UnsafeMutablePointer<MusicTimeStamp>
) -> OSStatus {
    outBeats.pointee = MusicSequenceObject.of(inSequence).sequencer.beats(forSeconds: inSeconds)
    return noErr
}
