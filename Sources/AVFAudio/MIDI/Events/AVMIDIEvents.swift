public import Foundation

/// A note with its duration.
open class AVMIDINoteEvent: AVMusicEvent {
    /// The channel: 0…15.
    open var channel: UInt32
    /// The key: 0…127; 60 is the middle C.
    open var key: UInt32
    /// The velocity: 1…127.
    open var velocity: UInt32
    /// The length in beats.
    open var duration: AVMusicTimeStamp

    /// Creates a note event.
    public init(channel: UInt32, key: UInt32, velocity: UInt32, duration: AVMusicTimeStamp) {
        (self.channel, self.key, self.velocity, self.duration) = (channel, key, velocity, duration)
    }

    override var sequenceEvent: SequenceEvent? {
        .note(channel: channel.asChannel, key: key.asData, velocity: velocity.asData, duration: duration.asBeats)
    }
}

/// A channel message: the base class of control, program, pressure and pitch bend events.
open class AVMIDIChannelEvent: AVMusicEvent {
    /// The channel: 0…15.
    open var channel: UInt32

    init(_ channel: UInt32) { self.channel = channel }

    /// Creates the event object for a channel message other than a note.
    static func make(_ status: UInt8, _ channel: UInt32, _ first: UInt32, _ second: UInt32) -> AVMusicEvent {
        switch status {
        case 0xA0: AVMIDIPolyPressureEvent(channel: channel, key: first, pressure: second)
        case 0xB0:
            AVMIDIControlChangeEvent(channel: channel, messageType: .init(rawValue: Int(first)), value: second)
        case 0xC0: AVMIDIProgramChangeEvent(channel: channel, programNumber: first)
        case 0xD0: AVMIDIChannelPressureEvent(channel: channel, pressure: first)
        default: AVMIDIPitchBendEvent(channel: channel, value: second << 7 | first)
        }
    }

    /// Returns a message with a status and two data bytes.
    func message(_ status: UInt8, _ first: UInt32, _ second: UInt32 = 0) -> SequenceEvent {
        .channel(status: status | channel.asChannel, first.asData, second.asData)
    }
}

/// A control change event.
open class AVMIDIControlChangeEvent: AVMIDIChannelEvent {
    /// The number of a controller: 0…127.
    ///
    /// A structure, unlike Apple's enumeration, so that it can represent unnamed controllers.
    public struct MessageType: RawRepresentable, Hashable, Sendable {
        /// The number.
        public let rawValue: Int

        /// Creates a controller number.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Bank select, the coarse part.
        public static let bankSelect = MessageType(rawValue: 0)
        /// Modulation wheel.
        public static let modWheel = MessageType(rawValue: 1)
        /// Breath.
        public static let breath = MessageType(rawValue: 2)
        /// Foot pedal.
        public static let foot = MessageType(rawValue: 4)
        /// Portamento time.
        public static let portamentoTime = MessageType(rawValue: 5)
        /// Data entry, the coarse part.
        public static let dataEntry = MessageType(rawValue: 6)
        /// Volume.
        public static let volume = MessageType(rawValue: 7)
        /// Balance.
        public static let balance = MessageType(rawValue: 8)
        /// Pan.
        public static let pan = MessageType(rawValue: 10)
        /// Expression.
        public static let expression = MessageType(rawValue: 11)
        /// Sustain pedal.
        public static let sustain = MessageType(rawValue: 64)
        /// Portamento pedal.
        public static let portamento = MessageType(rawValue: 65)
        /// Sostenuto pedal.
        public static let sostenuto = MessageType(rawValue: 66)
        /// Soft pedal.
        public static let soft = MessageType(rawValue: 67)
        /// Legato pedal.
        public static let legatoPedal = MessageType(rawValue: 68)
        /// The second hold pedal.
        public static let hold2Pedal = MessageType(rawValue: 69)
        /// Filter resonance.
        public static let filterResonance = MessageType(rawValue: 71)
        /// Release time.
        public static let releaseTime = MessageType(rawValue: 72)
        /// Attack time.
        public static let attackTime = MessageType(rawValue: 73)
        /// Brightness.
        public static let brightness = MessageType(rawValue: 74)
        /// Decay time.
        public static let decayTime = MessageType(rawValue: 75)
        /// Vibrato rate.
        public static let vibratoRate = MessageType(rawValue: 76)
        /// Vibrato depth.
        public static let vibratoDepth = MessageType(rawValue: 77)
        /// Vibrato delay.
        public static let vibratoDelay = MessageType(rawValue: 78)
        /// Reverb level.
        public static let reverbLevel = MessageType(rawValue: 91)
        /// Chorus level.
        public static let chorusLevel = MessageType(rawValue: 93)
        /// Registered parameter, the fine part.
        public static let RPN_LSB = MessageType(rawValue: 100)
        /// Registered parameter, the coarse part.
        public static let RPN_MSB = MessageType(rawValue: 101)
        /// All sound off.
        public static let allSoundOff = MessageType(rawValue: 120)
        /// Reset all controllers.
        public static let resetAllControllers = MessageType(rawValue: 121)
        /// All notes off.
        public static let allNotesOff = MessageType(rawValue: 123)
        /// Omni mode off.
        public static let omniModeOff = MessageType(rawValue: 124)
        /// Omni mode on.
        public static let omniModeOn = MessageType(rawValue: 125)
        /// Mono mode on.
        public static let monoModeOn = MessageType(rawValue: 126)
        /// Mono mode off.
        public static let monoModeOff = MessageType(rawValue: 127)
    }

    /// The controller.
    public let messageType: MessageType
    /// The value: 0…127.
    public let value: UInt32

    /// A control change event.
    public init(channel: UInt32, messageType: MessageType, value: UInt32) {
        (self.messageType, self.value) = (messageType, value)
        super.init(channel)
    }

    override var sequenceEvent: SequenceEvent? { message(0xB0, UInt32(clamping: messageType.rawValue), value) }
}

/// A polyphonic pressure event: the pressure on one key.
open class AVMIDIPolyPressureEvent: AVMIDIChannelEvent {
    /// The key: 0…127.
    open var key: UInt32
    /// The pressure: 0…127.
    open var pressure: UInt32

    /// Creates a polyphonic pressure event.
    public init(channel: UInt32, key: UInt32, pressure: UInt32) {
        (self.key, self.pressure) = (key, pressure)
        super.init(channel)
    }

    override var sequenceEvent: SequenceEvent? { message(0xA0, key, pressure) }
}

/// A program change event.
open class AVMIDIProgramChangeEvent: AVMIDIChannelEvent {
    /// The program: 0…127.
    ///
    /// Higher values are sent as 127.
    open var programNumber: UInt32

    /// Creates a program change event.
    public init(channel: UInt32, programNumber: UInt32) {
        self.programNumber = programNumber
        super.init(channel)
    }

    override var sequenceEvent: SequenceEvent? { message(0xC0, programNumber) }
}

/// A channel pressure event: the pressure on all keys of a channel.
open class AVMIDIChannelPressureEvent: AVMIDIChannelEvent {
    /// The pressure: 0…127.
    ///
    /// Higher values are sent as 127.
    open var pressure: UInt32

    /// Creates a channel pressure event.
    public init(channel: UInt32, pressure: UInt32) {
        self.pressure = pressure
        super.init(channel)
    }

    override var sequenceEvent: SequenceEvent? { message(0xD0, pressure) }
}

/// A pitch bend event.
open class AVMIDIPitchBendEvent: AVMIDIChannelEvent {
    /// The position of the pitch wheel: 0…16,383; 8,192 is the center.
    open var value: UInt32

    /// Creates a pitch bend event.
    public init(channel: UInt32, value: UInt32) {
        self.value = value
        super.init(channel)
    }

    override var sequenceEvent: SequenceEvent? {
        let value = min(value, 16_383)
        return message(0xE0, value & 0x7F, value >> 7)
    }
}

/// A system-exclusive message.
open class AVMIDISysexEvent: AVMusicEvent {
    /// The bytes, from 0xF0 to 0xF7.
    public let data: Data
    /// The number of bytes.
    open var sizeInBytes: UInt32 { UInt32(clamping: data.count) }

    /// Creates a system-exclusive message from its bytes.
    public init(data: Data) { self.data = data }

    override var sequenceEvent: SequenceEvent? { .systemExclusive(data) }
}

/// A meta event of a MIDI file, such as a text.
open class AVMIDIMetaEvent: AVMusicEvent {
    /// The number of a kind of meta event: 0…127.
    ///
    /// A structure, unlike Apple's enumeration, so that it can represent unnamed kinds.
    public struct EventType: RawRepresentable, Hashable, Sendable {
        /// The number.
        public let rawValue: Int

        /// Creates a kind from its number.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The number of the sequence.
        public static let sequenceNumber = EventType(rawValue: 0x00)
        /// A text.
        public static let text = EventType(rawValue: 0x01)
        /// A copyright notice.
        public static let copyright = EventType(rawValue: 0x02)
        /// The name of the track.
        public static let trackName = EventType(rawValue: 0x03)
        /// The name of the instrument.
        public static let instrument = EventType(rawValue: 0x04)
        /// A lyric.
        public static let lyric = EventType(rawValue: 0x05)
        /// A marker.
        public static let marker = EventType(rawValue: 0x06)
        /// A cue point.
        public static let cuePoint = EventType(rawValue: 0x07)
        /// The channel of the following meta events.
        public static let midiChannel = EventType(rawValue: 0x20)
        /// The port of the following events.
        public static let midiPort = EventType(rawValue: 0x21)
        /// The end of the track.
        public static let endOfTrack = EventType(rawValue: 0x2F)
        /// The tempo.
        public static let tempo = EventType(rawValue: 0x51)
        /// The SMPTE time of the start.
        public static let smpteOffset = EventType(rawValue: 0x54)
        /// The time signature.
        public static let timeSignature = EventType(rawValue: 0x58)
        /// The key signature.
        public static let keySignature = EventType(rawValue: 0x59)
        /// An event of a manufacturer.
        public static let proprietaryEvent = EventType(rawValue: 0x7F)
    }

    /// The kind.
    public let type: EventType
    /// The contents.
    let data: Data

    /// Creates a meta event.
    public init(type: EventType, data: Data) { (self.type, self.data) = (type, data) }

    override var sequenceEvent: SequenceEvent? { .meta(type: UInt8(clamping: min(type.rawValue, 0x7F)), data) }
}

extension UInt32 {
    /// The value as a channel.
    fileprivate var asChannel: UInt8 { UInt8(Swift.min(self, 15)) }
    /// The value as a byte of data.
    fileprivate var asData: UInt8 { UInt8(Swift.min(self, 127)) }
}
