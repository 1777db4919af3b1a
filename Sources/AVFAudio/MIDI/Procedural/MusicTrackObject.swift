import CoreAudioTypes
import Foundation
import Synchronization

/// The object behind a `MusicTrack` handle of the procedural API.
final class MusicTrackObject: @unchecked Sendable {
    // Unchecked: the lock guards all mutable state.

    /// The C structures of events that were returned to callers.
    private struct State {
        var encoded: [SequenceEvent: (type: MusicEventType, bytes: UnsafeMutableRawBufferPointer)] = [:]
        var loop = MusicTrackLoopInfo(loopDuration: 0, numberOfLoops: 1)
    }

    let track: AVMusicTrack
    weak var sequence: MusicSequenceObject?
    private let state = Mutex(State())

    init(_ track: AVMusicTrack, in sequence: MusicSequenceObject) { (self.track, self.sequence) = (track, sequence) }

    deinit { state.withLock { $0.encoded.values.forEach { $0.bytes.deallocate() } } }

    /// The handle for the program.
    var handle: MusicTrack { OpaquePointer(Unmanaged.passUnretained(self).toOpaque()) }

    /// Returns the track of a handle.
    static func of(_ handle: MusicTrack) -> MusicTrackObject {
        Unmanaged<MusicTrackObject>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
    }

    // MARK: Events

    func add(_ event: SequenceEvent?, at beat: MusicTimeStamp) -> OSStatus {
        guard let event, track.takes(event) else { return kAudioToolboxErr_InvalidEventType }
        track.change { $0.events.add(event, at: beat.asBeats) }
        return noErr
    }

    /// Returns the C structure of an event.
    ///
    /// Its address stays valid as long as the event is in the track.
    func encoded(_ event: SequenceEvent) -> (type: MusicEventType, bytes: UnsafeRawBufferPointer) {
        let events = track.snapshot.events.events
        return state.withLock { state in
            if let known = state.encoded[event] { return (known.type, UnsafeRawBufferPointer(known.bytes)) }
            if state.encoded.count > 2 * events.count + 16 { Self.prune(&state, to: events) }
            let new = EncodedMusicEvent(event)
            let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: new.bytes.count, alignment: 8)
            bytes.copyBytes(from: new.bytes)
            state.encoded[event] = (new.type, bytes)
            return (new.type, UnsafeRawBufferPointer(bytes))
        }
    }

    /// Frees the structures of events that the track no longer has.
    private static func prune(_ state: inout State, to events: [TimedEvent]) {
        let kept = Set(events.map(\.event))
        for (event, value) in state.encoded where !kept.contains(event) {
            value.bytes.deallocate()
            state.encoded[event] = nil
        }
    }

    // MARK: Loops

    /// The part that loops, and how often.
    var loop: MusicTrackLoopInfo {
        get { state.withLock { $0.loop } }
        set {
            state.withLock { $0.loop = newValue }
            placeLoop()
        }
    }

    /// Puts the loop at the end of the track, as long as that is now.
    func placeLoop() {
        let loop = self.loop
        guard loop.loopDuration > 0 else {
            if track.isLoopingEnabled { track.isLoopingEnabled = false }
            return
        }
        let duration = loop.loopDuration.asBeats
        let range = AVBeatRange(start: max(0, track.lengthInBeats - duration), length: duration)
        let count = loop.numberOfLoops < 1 ? AVMusicTrackLoopCount.forever.rawValue : Int(loop.numberOfLoops)
        let isInPlace = track.isLoopingEnabled && track.loopRange == range && track.numberOfLoops == count
        guard !isInPlace else { return }
        track.change { state in
            (state.loopRange, state.loops, state.isLooping) = (range, count, true)
        }
    }
}
