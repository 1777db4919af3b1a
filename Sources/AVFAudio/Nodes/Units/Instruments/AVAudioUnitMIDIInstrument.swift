public import CoreAudioTypes
public import Foundation

/// A unit that synthesizes sound from MIDI messages.
///
/// Create one with `AVAudioUnit.instantiate(with:)` for a class registered with the type `aumu`, or use an
/// `AVAudioUnitSampler`. Messages take effect at the next block. Send them from any thread except the render thread;
/// at most 1,024 are pending.
///
/// ```swift
/// sampler.sendProgramChange(0, onChannel: 0)
/// sampler.startNote(60, withVelocity: 100, onChannel: 0)
/// try await Task.sleep(for: .seconds(1))
/// sampler.stopNote(60, onChannel: 0)
/// ```
open class AVAudioUnitMIDIInstrument: AVAudioUnit, AVAudioMixing, @unchecked Sendable {
    // Unchecked: as `HostedSource`.
    private let source = HostedSource()

    override init(hosting unit: AUAudioUnit) { super.init(hosting: unit) }

    override var hostedSource: HostedSource? { source }

    /// The instrument of a description.
    ///
    /// Stops the program with a message if none is registered or its class throws: `AVAudioUnit.instantiate(with:)`
    /// throws instead.
    public convenience init(audioComponentDescription: AudioComponentDescription) {
        guard let unit = try? UnitComponent.makeInstrument(audioComponentDescription) else {
            fatalError(
                "No instrument of that description is registered: use AVAudioUnit.instantiate(with:), which throws."
            )
        }
        self.init(hosting: unit)
    }

    /// Always 0.
    open override var numberOfInputs: Int { 0 }

    override var takesFormatOfTap: Bool { true }

    /// Clears the unit's internal audio at the next block.
    open override func reset() { auAudioUnit.reset() }

    /// The delay of the output in seconds.
    open override var latency: TimeInterval { auAudioUnit.latency }

    /// The maximum time in seconds during which the unit outputs sound after the end of a note.
    open override var tailTime: TimeInterval { auAudioUnit.tailTime }

    // MARK: Messages

    /// Begins a note.
    /// - Parameters:
    ///   - note: The key: 0…127; 60 is the middle C.
    ///   - velocity: 1…127; 0 ends the note.
    ///   - channel: 0…15.
    open func startNote(_ note: UInt8, withVelocity velocity: UInt8, onChannel channel: UInt8) {
        send(0x90, channel, note, velocity)
    }

    /// Ends a note.
    open func stopNote(_ note: UInt8, onChannel channel: UInt8) { send(0x80, channel, note, 0) }

    /// Sets a controller: 0…127.
    open func sendController(_ controller: UInt8, withValue value: UInt8, onChannel channel: UInt8) {
        send(0xB0, channel, controller, value)
    }

    /// Sets the pitch wheel: 0…16,383; 8,192 is the center.
    open func sendPitchBend(_ pitchBend: UInt16, onChannel channel: UInt8) {
        let place = min(pitchBend, 16_383)
        send(0xE0, channel, UInt8(place & 0x7F), UInt8(place >> 7))
    }

    /// Sets the pressure on all keys: 0…127.
    open func sendPressure(_ pressure: UInt8, onChannel channel: UInt8) { send(0xD0, channel, pressure) }

    /// Sets the pressure on one key: 0…127.
    open func sendPressure(forKey key: UInt8, withValue value: UInt8, onChannel channel: UInt8) {
        send(0xA0, channel, key, value)
    }

    /// Changes the program: 0…127.
    open func sendProgramChange(_ program: UInt8, onChannel channel: UInt8) { send(0xC0, channel, program) }

    /// Changes the bank and the program: 0…127 each.
    open func sendProgramChange(_ program: UInt8, bankMSB: UInt8, bankLSB: UInt8, onChannel channel: UInt8) {
        sendController(0, withValue: bankMSB, onChannel: channel)
        sendController(32, withValue: bankLSB, onChannel: channel)
        sendProgramChange(program, onChannel: channel)
    }

    /// Sends a message with one byte of data.
    open func sendMIDIEvent(_ midiStatus: UInt8, data1: UInt8) { send([midiStatus, data1 & 0x7F]) }

    /// Sends a message with two bytes of data.
    open func sendMIDIEvent(_ midiStatus: UInt8, data1: UInt8, data2: UInt8) {
        send([midiStatus, data1 & 0x7F, data2 & 0x7F])
    }

    /// Sends a system-exclusive message, from 0xF0 to 0xF7.
    ///
    /// Messages of more than 512 bytes are left out.
    open func sendMIDISysExEvent(_ midiData: Data) { send(Array(midiData)) }

    private func send(_ status: UInt8, _ channel: UInt8, _ data: UInt8...) {
        send([status | min(channel, 15)] + data.map { min($0, 127) })
    }

    private func send(_ bytes: [UInt8]) {
        _ = bytes.withUnsafeBufferPointer { auAudioUnit.events.add($0, at: AUEventSampleTimeImmediate) }
    }
}
