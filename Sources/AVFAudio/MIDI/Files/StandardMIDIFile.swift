import Foundation

/// The contents of a Standard MIDI File: tracks of events at their ticks.
struct StandardMIDIFile: Equatable {
    /// The unit of a tick.
    enum Division: Equatable {
        /// Ticks in a beat: 1…32,767.
        case beats(Int)
        /// Frames a second, and ticks in a frame.
        case frames(perSecond: Double, ticks: Int)

        /// The beats of a number of ticks, where frames are counted at the default tempo.
        func beats(ofTicks ticks: Int64) -> Double {
            switch self {
            case .beats(let resolution): Double(ticks) / Double(resolution)
            case .frames(let rate, let count): Double(ticks) / (rate * Double(count)) * TempoMap.defaultTempo / 60
            }
        }
    }

    /// A message, a meta event, or a system-exclusive message.
    enum Event: Equatable {
        case channel(status: UInt8, UInt8, UInt8)
        case systemExclusive(Data)
        case meta(type: UInt8, Data)
    }

    /// An event at its tick from the start.
    struct Item: Equatable {
        var tick: Int64
        var event: Event
    }

    /// 0 for one track, 1 for tracks that play together.
    var format: Int
    var division: Division
    var tracks: [[Item]]
}

/// The numbers of meta events that are looked at.
enum MetaType {
    static let trackName: UInt8 = 0x03
    static let endOfTrack: UInt8 = 0x2F
    static let tempo: UInt8 = 0x51
    static let smpteOffset: UInt8 = 0x54
    static let timeSignature: UInt8 = 0x58
    static let keySignature: UInt8 = 0x59
}
