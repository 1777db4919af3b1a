import CoreAudioTypes
import Foundation

/// An event as the structure that the procedural API has for it.
struct EncodedMusicEvent {
    let type: MusicEventType
    let bytes: [UInt8]

    init(_ event: SequenceEvent) {
        switch event {
        case .note(let channel, let key, let velocity, let duration):
            type = kMusicEventType_MIDINoteMessage
            bytes = Self.bytes(
                MIDINoteMessage(
                    channel: channel,
                    note: key,
                    velocity: velocity,
                    releaseVelocity: 0,
                    duration: Float(duration)
                )
            )
        case .channel(let status, let first, let second):
            type = kMusicEventType_MIDIChannelMessage
            bytes = Self.bytes(MIDIChannelMessage(status: status, data1: first, data2: second, reserved: 0))
        case .systemExclusive(let data):
            type = kMusicEventType_MIDIRawData
            bytes = Self.bytes(MIDIRawData(length: UInt32(clamping: data.count), data: 0), data, at: 4)
        case .user(let data):
            type = kMusicEventType_User
            bytes = Self.bytes(MusicEventUserData(length: UInt32(clamping: data.count), data: 0), data, at: 4)
        case .meta(let kind, let data):
            type = kMusicEventType_Meta
            let event = MIDIMetaEvent(
                metaEventType: kind,
                unused1: 0,
                unused2: 0,
                unused3: 0,
                dataLength: UInt32(clamping: data.count),
                data: 0
            )
            bytes = Self.bytes(event, data, at: 8)
        case .tempo(let tempo):
            type = kMusicEventType_ExtendedTempo
            bytes = Self.bytes(ExtendedTempoEvent(bpm: tempo))
        case .extendedNote(let note, let velocity, let instrument, let group, let duration):
            type = kMusicEventType_ExtendedNote
            let controls = NoteParamsControlValue(mID: 0, mValue: 0)
            bytes = Self.bytes(
                ExtendedNoteOnEvent(
                    instrumentID: instrument,
                    groupID: group,
                    duration: Float(duration),
                    extendedParams: MusicDeviceNoteParams(
                        argCount: 2,
                        mPitch: note,
                        mVelocity: velocity,
                        mControls: controls
                    )
                )
            )
        case .parameter(let id, let scope, let element, let value):
            type = kMusicEventType_Parameter
            bytes = Self.bytes(ParameterEvent(parameterID: id, scope: scope, element: element, value: value))
        }
    }

    private static func bytes<Event: BitwiseCopyable>(_ event: Event) -> [UInt8] {
        withUnsafeBytes(of: event) { Array($0) }
    }

    /// The bytes of a structure with data from an offset on, and at least all of the structure.
    private static func bytes<Event: BitwiseCopyable>(_ event: Event, _ data: Data, at offset: Int) -> [UInt8] {
        let structure = bytes(event)
        let bytes = structure[..<offset] + data
        return Array(bytes) + structure.dropFirst(bytes.count)
    }
}

extension SequenceEvent {
    /// The event of a structure of the procedural API.
    /// - Returns: `nil` for a type that tracks do not keep, and for a message that is none of a channel.
    init?(_ type: MusicEventType, _ pointer: UnsafeRawPointer) {
        switch type {
        case kMusicEventType_MIDINoteMessage:
            let note = pointer.loadUnaligned(as: MIDINoteMessage.self)
            self = .note(
                channel: note.channel & 0x0F,
                key: note.note & 0x7F,
                velocity: note.velocity & 0x7F,
                duration: Double(note.duration).asBeats
            )
        case kMusicEventType_MIDIChannelMessage:
            let message = pointer.loadUnaligned(as: MIDIChannelMessage.self)
            // Notes have an event of their own, and messages of the system have no channel.
            guard (0xA0..<0xF0).contains(message.status) else { return nil }
            self = .channel(status: message.status, message.data1 & 0x7F, message.data2 & 0x7F)
        case kMusicEventType_MIDIRawData:
            self = .systemExclusive(Self.data(pointer, pointer.loadUnaligned(as: UInt32.self), at: 4))
        case kMusicEventType_User:
            self = .user(Self.data(pointer, pointer.loadUnaligned(as: UInt32.self), at: 4))
        case kMusicEventType_Meta:
            let count = pointer.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
            self = .meta(type: pointer.loadUnaligned(as: UInt8.self) & 0x7F, Self.data(pointer, count, at: 8))
        case kMusicEventType_ExtendedTempo:
            self = .tempo(pointer.loadUnaligned(as: ExtendedTempoEvent.self).bpm)
        case kMusicEventType_ExtendedNote:
            // Up to the velocity: the controls that follow are as many as the caller has.
            let pitch = pointer.loadUnaligned(fromByteOffset: 16, as: Float.self)
            let velocity = pointer.loadUnaligned(fromByteOffset: 20, as: Float.self)
            guard pitch.isFinite, velocity.isFinite else { return nil }
            self = .extendedNote(
                note: pitch,
                velocity: velocity,
                instrument: pointer.loadUnaligned(as: UInt32.self),
                group: pointer.loadUnaligned(fromByteOffset: 4, as: UInt32.self),
                duration: Double(pointer.loadUnaligned(fromByteOffset: 8, as: Float.self)).asBeats
            )
        case kMusicEventType_Parameter:
            let event = pointer.loadUnaligned(as: ParameterEvent.self)
            self = .parameter(id: event.parameterID, scope: event.scope, element: event.element, value: event.value)
        default: return nil
        }
    }

    private static func data(_ pointer: UnsafeRawPointer, _ count: UInt32, at offset: Int) -> Data {
        Data(bytes: pointer + offset, count: Int(count))
    }
}
