import AVFoundation
import Synchronization

// snippet: audio-unit
/// An audio unit with one parameter: the depth of a ring modulation by 30 Hz.
final class RingModulator: AUAudioUnit, @unchecked Sendable {
    // Unchecked: the busses and the parameter are set up by `init`; the rest is atomic.
    private let depth = Atomic<Float>(0.5)
    private var inputs: AUAudioUnitBusArray!
    private var outputs: AUAudioUnitBusArray!

    override init(
        componentDescription: AudioComponentDescription,
        options: AudioComponentInstantiationOptions = []
    ) throws {
        try super.init(componentDescription: componentDescription, options: options)
        guard let format = AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2) else { return }
        inputs = AUAudioUnitBusArray(audioUnit: self, busType: .input, busses: [try AUAudioUnitBus(format: format)])
        outputs = AUAudioUnitBusArray(audioUnit: self, busType: .output, busses: [try AUAudioUnitBus(format: format)])
        let parameter = AUParameterTree.createParameter(
            withIdentifier: "depth",
            name: "Depth",
            address: 0,
            min: 0,
            max: 1,
            unit: .generic
        )
        let tree = AUParameterTree.createTree(withChildren: [parameter])
        tree.implementorValueObserver = { [unowned self] _, value in depth.store(value, ordering: .relaxed) }
        tree.implementorValueProvider = { [unowned self] _ in depth.load(ordering: .relaxed) }
        parameterTree = tree
    }

    override var inputBusses: AUAudioUnitBusArray { inputs }
    override var outputBusses: AUAudioUnitBusArray { outputs }

    override var internalRenderBlock: AUInternalRenderBlock {
        let step = 2 * Float.pi * 30 / Float(outputs[0].format.sampleRate)
        return { [unowned self] flags, time, frameCount, _, output, _, pullInput in
            guard let status = pullInput?(flags, time, frameCount, 0, output), status == noErr else {
                return kAudioUnitErr_NoConnection
            }
            let depth = depth.load(ordering: .relaxed)
            let channels = UnsafeMutableAudioBufferListPointer(output)
            for channel in 0..<channels.count {
                guard let samples = channels[channel].mData?.assumingMemoryBound(to: Float.self) else { continue }
                for frame in 0..<Int(frameCount) {
                    let phase = Float(time.pointee.mSampleTime.truncatingRemainder(dividingBy: 441_000)) + Float(frame)
                    samples[frame] *= 1 - depth + depth * sin(phase * step)
                }
            }
            return noErr
        }
    }
}

/// A node of the unit, to attach and connect like any other.
func makeRingModulator() async throws -> AVAudioUnit {
    var description = AudioComponentDescription()
    description.componentType = kAudioUnitType_Effect
    description.componentSubType = 0x7269_6E67
    description.componentManufacturer = 0x6465_6D6F
    AUAudioUnit.registerSubclass(RingModulator.self, as: description, name: "Demo: Ring Modulator", version: 1)
    return try await AVAudioUnit.instantiate(with: description)
}
// end

/// Renders a file through the ring modulator.
func modulate(_ input: URL, to output: URL) async throws {
    let file = try AVAudioFile(forReading: input)
    let engine = AVAudioEngine()
    let player = AVAudioPlayerNode()
    let unit = try await makeRingModulator()
    engine.attach(player)
    engine.attach(unit)
    engine.connect(player, to: unit, format: file.processingFormat)
    engine.connect(unit, to: engine.mainMixerNode, format: file.processingFormat)
    player.scheduleFile(file, at: nil, completionHandler: nil)
    try render(engine, in: file.processingFormat, frames: file.length, to: output) {
        player.play()
    }
}
