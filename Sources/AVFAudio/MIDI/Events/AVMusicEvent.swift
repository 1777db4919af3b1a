public import Foundation

/// A position or a length in a sequence, in beats, which are quarter notes.
public typealias AVMusicTimeStamp = Float64

/// The time stamp after all events of a track.
public let AVMusicTimeStampEndOfTrack: AVMusicTimeStamp = .greatestFiniteMagnitude

/// A range of beats.
public struct AVBeatRange: Equatable, Sendable {
    /// The first beat.
    public var start: AVMusicTimeStamp
    /// The number of beats; `AVMusicTimeStampEndOfTrack` extends to the end of the track.
    public var length: AVMusicTimeStamp

    /// Creates an empty range at beat 0.
    public init() { (start, length) = (0, 0) }

    /// Creates a range of `length` beats from `start`.
    public init(start: AVMusicTimeStamp, length: AVMusicTimeStamp) { (self.start, self.length) = (start, length) }

    /// The end of the range, which is not part of it.
    var end: AVMusicTimeStamp { start + length }
}

/// Returns the range of `length` beats from `startBeat`.
public func AVMakeBeatRange(_ startBeat: AVMusicTimeStamp, _ lengthInBeats: AVMusicTimeStamp) -> AVBeatRange {
    AVBeatRange(start: startBeat, length: lengthInBeats)
}

/// An event of a track: the base class of all kinds of events.
///
/// A track copies the events that it receives, so later changes of the object do not affect the track. Use an event
/// from one thread at a time.
open class AVMusicEvent: NSObject {
    /// The event as a value; `nil` for a class of the program's own.
    var sequenceEvent: SequenceEvent? { nil }

    /// Creates the event object for an internal event.
    static func make(_ event: SequenceEvent) -> AVMusicEvent {
        switch event {
        case .note(let channel, let key, let velocity, let duration):
            AVMIDINoteEvent(channel: UInt32(channel), key: UInt32(key), velocity: UInt32(velocity), duration: duration)
        case .channel(let status, let first, let second):
            AVMIDIChannelEvent.make(status & 0xF0, UInt32(status & 0x0F), UInt32(first), UInt32(second))
        case .systemExclusive(let data): AVMIDISysexEvent(data: data)
        case .meta(let type, let data):
            AVMIDIMetaEvent(type: AVMIDIMetaEvent.EventType(rawValue: Int(type)), data: data)
        case .tempo(let tempo): AVExtendedTempoEvent(tempo: tempo)
        case .extendedNote(let note, let velocity, let instrument, let group, let duration):
            AVExtendedNoteOnEvent(
                midiNote: note,
                velocity: velocity,
                instrumentID: instrument,
                groupID: group,
                duration: duration
            )
        case .parameter(let id, let scope, let element, let value):
            AVParameterEvent(parameterID: id, scope: scope, element: element, value: value)
        case .user(let data): AVMusicUserEvent(data: data)
        }
    }
}

/// A custom event of the program, for which the sequencer calls its user callback.
open class AVMusicUserEvent: AVMusicEvent {
    /// The contents.
    let data: Data

    /// Creates a user event with the given contents.
    public init(data: Data) { self.data = data }

    override var sequenceEvent: SequenceEvent? { .user(data) }
}

/// A tempo change, for the tempo track.
open class AVExtendedTempoEvent: AVMusicEvent {
    /// The tempo in beats per minute: more than 0.
    open var tempo: Double

    /// Creates a tempo event from a tempo in beats per minute.
    public init(tempo: Double) { self.tempo = tempo }

    override var sequenceEvent: SequenceEvent? { .tempo(tempo) }
}

/// A change of a parameter of the track's unit.
open class AVParameterEvent: AVMusicEvent {
    /// The address of the parameter.
    open var parameterID: UInt32
    /// The scope; ignored by the units of this library.
    open var scope: UInt32
    /// The element; ignored by the units of this library.
    open var element: UInt32
    /// The new value.
    open var value: Float

    /// Creates a parameter event.
    public init(parameterID: UInt32, scope: UInt32, element: UInt32, value: Float) {
        (self.parameterID, self.scope, self.element, self.value) = (parameterID, scope, element, value)
    }

    override var sequenceEvent: SequenceEvent? {
        .parameter(id: parameterID, scope: scope, element: element, value: value)
    }
}

/// The default instrument of an `AVExtendedNoteOnEvent`.
public let AVExtendedNoteOnEventDefaultInstrument: UInt32 = 0xFFFF_FFFF

/// A note with fractional pitch and velocity.
///
/// The instruments of this library play the nearest key and velocity.
open class AVExtendedNoteOnEvent: AVMusicEvent {
    /// The MIDI key, which may be fractional: 0…127.
    open var midiNote: Float
    /// The velocity: 0…127.
    open var velocity: Float
    /// The instrument; ignored.
    open var instrumentID: UInt32
    /// The channel: 0…15.
    open var groupID: UInt32
    /// The length in beats.
    open var duration: AVMusicTimeStamp

    /// Creates a note of the default instrument.
    public convenience init(midiNote: Float, velocity: Float, groupID: UInt32, duration: AVMusicTimeStamp) {
        self.init(
            midiNote: midiNote,
            velocity: velocity,
            instrumentID: AVExtendedNoteOnEventDefaultInstrument,
            groupID: groupID,
            duration: duration
        )
    }

    /// Creates a note of an instrument.
    public init(
        midiNote: Float,
        velocity: Float,
        instrumentID: UInt32,
        groupID: UInt32,
        duration: AVMusicTimeStamp
    ) {
        (self.midiNote, self.velocity, self.instrumentID) = (midiNote, velocity, instrumentID)
        (self.groupID, self.duration) = (groupID, duration)
    }

    override var sequenceEvent: SequenceEvent? {
        .extendedNote(
            note: midiNote,
            velocity: velocity,
            instrument: instrumentID,
            group: groupID,
            duration: duration.asBeats
        )
    }
}

extension AVMusicTimeStamp {
    /// The beats: at least 0, and a number that sums of may be formed of.
    var asBeats: Double { isFinite ? min(max(self, 0), 1e12) : self > 0 ? 1e12 : 0 }
}
