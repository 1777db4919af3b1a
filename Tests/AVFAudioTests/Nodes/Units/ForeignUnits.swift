import AVFAudio
import CoreAudioTypes
import Foundation
import Synchronization

/// A unit as programs write them: a gain, which is parameter 0.
final class GainUnit: AUAudioUnit, @unchecked Sendable {
    // Unchecked: what rendering uses is set up by `init`.
    private final class Kernel: @unchecked Sendable {
        // Unchecked: the gain is touched by the render thread, but for the atomic.
        let target = Atomic<Float>(1)
    }

    private let kernel = Kernel()
    private var inputs: AUAudioUnitBusArray!
    private var outputs: AUAudioUnitBusArray!

    override init(
        componentDescription: AudioComponentDescription,
        options: AudioComponentInstantiationOptions = []
    ) throws {
        try super.init(componentDescription: componentDescription, options: options)
        let format = AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2)!
        inputs = AUAudioUnitBusArray(audioUnit: self, busType: .input, busses: [try AUAudioUnitBus(format: format)])
        outputs = AUAudioUnitBusArray(audioUnit: self, busType: .output, busses: [try AUAudioUnitBus(format: format)])
        inputs[0].maximumChannelCount = 2
        let gain = AUParameterTree.createParameter(
            withIdentifier: "gain",
            name: "Gain",
            address: 0,
            min: 0,
            max: 4,
            unit: .linearGain,
            flags: [.flag_IsReadable, .flag_IsWritable]
        )
        let tree = AUParameterTree.createTree(withChildren: [gain])
        tree.implementorValueObserver = { [kernel] _, value in kernel.target.store(value, ordering: .relaxed) }
        tree.implementorValueProvider = { [kernel] _ in kernel.target.load(ordering: .relaxed) }
        gain.value = 1
        parameterTree = tree
    }

    override var inputBusses: AUAudioUnitBusArray { inputs }
    override var outputBusses: AUAudioUnitBusArray { outputs }
    override var latency: TimeInterval { 0 }

    override var internalRenderBlock: AUInternalRenderBlock {
        { [kernel] flags, time, frameCount, _, output, events, pull in
            guard let pull else { return kAudioUnitErr_NoConnection }
            let status = pull(flags, time, frameCount, 0, output)
            guard status == noErr else { return status }
            var event = events
            var gain = kernel.target.load(ordering: .relaxed)
            let list = UnsafeMutableAudioBufferListPointer(output)
            let start = Int64(time.pointee.mSampleTime)
            var frame = 0
            while frame < Int(frameCount) {
                while let head = event, head.pointee.head.eventSampleTime <= start + Int64(frame) {
                    // In debug builds a comparison of the enumerations asks the runtime for metadata.
                    if head.pointee.head.eventType.rawValue == AURenderEventType.parameter.rawValue {
                        gain = head.pointee.parameter.value
                        kernel.target.store(gain, ordering: .relaxed)
                    }
                    event = UnsafePointer(head.pointee.head.next)
                }
                var next = Int(frameCount)
                if let event { next = Int(event.pointee.head.eventSampleTime - start) }
                var index = 0
                while index < list.count {
                    let samples = list[index].mData?.assumingMemoryBound(to: Float.self)
                    var place = frame
                    while place < next {
                        samples?[place] *= gain
                        place += 1
                    }
                    index += 1
                }
                frame = next
            }
            return noErr
        }
    }

    static let description = AudioComponentDescription(
        componentType: kAudioUnitType_Effect,
        componentSubType: 0x6761_696E,
        componentManufacturer: 0x5465_7374,
        componentFlags: 0,
        componentFlagsMask: 0
    )

    /// Registers the class, once.
    static let registered: Void = AUAudioUnit.registerSubclass(
        GainUnit.self,
        as: description,
        name: "Tests: Gain",
        version: 3
    )
}

extension AVAudioUnitEffect {
    /// A node of a `GainUnit`.
    static func registeredGain() -> AVAudioUnitEffect {
        GainUnit.registered
        return AVAudioUnitEffect(audioComponentDescription: GainUnit.description)
    }
}

/// An instrument that has no initialiser of its own: full scale from a note on to its note off.
final class GateInstrument: AUAudioUnit, @unchecked Sendable {
    // Unchecked: the busses are made once, under a lock.
    private let isOn = Atomic<Bool>(false)
    private let outputs = Mutex<AUAudioUnitBusArray?>(nil)

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
        { [unowned self] _, time, frameCount, _, output, events, _ in
            var event = events
            let list = UnsafeMutableAudioBufferListPointer(output)
            let start = Int64(time.pointee.mSampleTime)
            for frame in 0..<Int(frameCount) {
                while let head = event, head.pointee.head.eventSampleTime <= start + Int64(frame) {
                    if head.pointee.head.eventType.rawValue == AURenderEventType.MIDI.rawValue {
                        isOn.store(head.pointee.MIDI.data.0 & 0xF0 == 0x90, ordering: .relaxed)
                    }
                    event = UnsafePointer(head.pointee.head.next)
                }
                let value: Float = isOn.load(ordering: .relaxed) ? 1 : 0
                var index = 0
                while index < list.count {
                    list[index].mData?.assumingMemoryBound(to: Float.self)[frame] = value
                    index += 1
                }
            }
            return noErr
        }
    }

    static let description = AudioComponentDescription(
        componentType: kAudioUnitType_MusicDevice,
        componentSubType: 0x6761_7465,
        componentManufacturer: 0x5465_7374,
        componentFlags: 0,
        componentFlagsMask: 0
    )

    static let registered: Void = AUAudioUnit.registerSubclass(
        GateInstrument.self,
        as: description,
        name: "Gate",
        version: 1
    )
}

/// A unit that counts how many there are of it.
final class CountedUnit: AUAudioUnit, @unchecked Sendable {
    // Unchecked: no state of its own.
    static let count = Mutex(0)

    override init(
        componentDescription: AudioComponentDescription,
        options: AudioComponentInstantiationOptions = []
    ) throws {
        try super.init(componentDescription: componentDescription, options: options)
        Self.count.withLock { $0 += 1 }
    }

    deinit { Self.count.withLock { $0 -= 1 } }

    static let description = AudioComponentDescription(
        componentType: kAudioUnitType_Effect,
        componentSubType: 0x636F_756E,
        componentManufacturer: 0x5465_7374,
        componentFlags: 0,
        componentFlagsMask: 0
    )

    static let registered: Void = AUAudioUnit.registerSubclass(
        CountedUnit.self,
        as: description,
        name: "Tests: Counted",
        version: 1
    )
}

/// A unit that cannot be made.
final class RefusingUnit: AUAudioUnit, @unchecked Sendable {
    // Unchecked: no state of its own.
    override init(
        componentDescription: AudioComponentDescription,
        options: AudioComponentInstantiationOptions = []
    ) throws {
        throw NSError(domain: NSOSStatusErrorDomain, code: -4_711)
    }

    static let description = AudioComponentDescription(
        componentType: kAudioUnitType_Effect,
        componentSubType: 0x7265_6675,
        componentManufacturer: 0x5465_7374,
        componentFlags: 0,
        componentFlagsMask: 0
    )

    static let registered: Void = AUAudioUnit.registerSubclass(
        RefusingUnit.self,
        as: description,
        name: "Tests: Refusing",
        version: 1
    )
}
