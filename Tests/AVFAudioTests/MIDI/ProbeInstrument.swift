import AVFAudio
import CoreAudioTypes
import Foundation
import Synchronization

/// An instrument that shows when it gets notes: an impulse of the key's number at a beginning, its negative at an end.
final class ProbeInstrument: AUAudioUnit, @unchecked Sendable {
    // Unchecked: the busses are made once, under a lock; the rest is atomic.
    private let outputs = Mutex<AUAudioUnitBusArray?>(nil)
    /// The sum of the bytes of the last system-exclusive message, and their number.
    let longSum = Atomic<Int>(0)
    let longCount = Atomic<Int>(0)
    /// The last controller message, as number << 7 | value.
    let controller = Atomic<Int>(-1)

    override var outputBusses: AUAudioUnitBusArray {
        outputs.withLock { array in
            if let array { return array }
            let format = AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1)!
            let bus = try! AUAudioUnitBus(format: format)
            let new = AUAudioUnitBusArray(audioUnit: self, busType: .output, busses: [bus])
            array = new
            return new
        }
    }

    override var internalRenderBlock: AUInternalRenderBlock {
        // Unoptimised code looks conformances up at their first use, and allocates for that: here, and not on the render thread.
        _ = (Float(UInt8.max), Int(UInt8.max), Int(UInt32.max))
        return { [unowned self] _, time, frameCount, _, output, events, _ in
            let list = UnsafeMutableAudioBufferListPointer(output)
            var index = 0
            while index < list.count {
                let samples = list[index].mData!.assumingMemoryBound(to: Float.self)
                samples.update(repeating: 0, count: Int(frameCount))
                var event = events
                while let head = event {
                    let frame = Int(head.pointee.head.eventSampleTime - Int64(time.pointee.mSampleTime))
                    let type = head.pointee.head.eventType.rawValue
                    let data = head.pointee.MIDI.data
                    if type == AURenderEventType.midiSysEx.rawValue {
                        if index == 0 { note(head) }
                    } else if type == AURenderEventType.MIDI.rawValue {
                        if data.0 & 0xF0 == 0x90 { samples[frame] += Float(data.1) }
                        if data.0 & 0xF0 == 0x80 { samples[frame] -= Float(data.1) }
                        if data.0 & 0xF0 == 0xB0 { set(Int(data.1) << 7 | Int(data.2)) }
                    }
                    event = UnsafePointer(head.pointee.head.next)
                }
                index += 1
            }
            return noErr
        }
    }

    private func set(_ value: Int) { controller.store(value, ordering: .relaxed) }

    private func note(_ event: UnsafePointer<AURenderEvent>) {
        let count = Int(event.pointee.MIDI.length)
        let bytes = UnsafeRawPointer(event).advanced(by: 21).assumingMemoryBound(to: UInt8.self)
        var sum = 0
        var index = 0
        while index < count {
            sum += Int(bytes[index])
            index += 1
        }
        longSum.store(sum, ordering: .relaxed)
        longCount.store(count, ordering: .relaxed)
    }

    static let description = AudioComponentDescription(
        componentType: kAudioUnitType_MusicDevice,
        componentSubType: 0x7072_6F62,
        componentManufacturer: 0x5465_7374,
        componentFlags: 0,
        componentFlagsMask: 0
    )

    static let registered: Void = AUAudioUnit.registerSubclass(
        ProbeInstrument.self,
        as: description,
        name: "Tests: Probe",
        version: 1
    )

    /// Returns a node of the instrument.
    static func node() async throws -> AVAudioUnitMIDIInstrument {
        registered
        return try await AVAudioUnit.instantiate(with: description) as! AVAudioUnitMIDIInstrument
    }
}

/// A note that a `ProbeInstrument` has shown: its key, negative for an end, and the frame.
struct ProbedNote: Equatable, CustomStringConvertible {
    var key: Int
    var frame: Int

    init(_ key: Int, _ frame: Int) { (self.key, self.frame) = (key, frame) }

    var description: String { "\(key)@\(frame)" }

    /// The notes in a sound, with at most one a frame.
    static func all(in samples: [Float]) -> [ProbedNote] {
        samples.enumerated().filter { $0.element != 0 }.map { ProbedNote(Int($0.element), $0.offset) }
    }
}

/// An engine with a sequencer and instruments that show their notes.
final class SequencerRig {
    let rig: OfflineRig
    let sequencer: AVAudioSequencer
    let instruments: [AVAudioUnitMIDIInstrument]

    init(instruments count: Int = 1, sampleRate: Double = 48_000) async throws {
        rig = try OfflineRig(sampleRate: sampleRate, channels: 1)
        var made: [AVAudioUnitMIDIInstrument] = []
        for _ in 0..<count {
            let node = try await ProbeInstrument.node()
            rig.engine.attach(node)
            rig.engine.connect(node, to: rig.engine.mainMixerNode, format: rig.format)
            made.append(node)
        }
        instruments = made
        sequencer = AVAudioSequencer(audioEngine: rig.engine)
        try rig.engine.start()
    }

    /// Adds a track of keys at beats, each half a beat long.
    @discardableResult
    func track(_ notes: [(key: UInt32, beat: Double)], to instrument: Int = 0, duration: Double = 0.5) -> AVMusicTrack {
        let track = sequencer.createAndAppendTrack()
        track.destinationAudioUnit = instruments[instrument]
        for note in notes {
            let event = AVMIDINoteEvent(channel: 0, key: note.key, velocity: 100, duration: duration)
            track.addEvent(event, at: note.beat)
        }
        return track
    }

    func notes(_ count: Int, block: Int = 512) throws -> [ProbedNote] {
        ProbedNote.all(in: try rig.render(count, block: block)[0])
    }
}
