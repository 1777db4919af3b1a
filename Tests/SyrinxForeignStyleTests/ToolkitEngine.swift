import AVFoundation

// The way of synthesizer toolkits: an engine in a wrapper, which puts a mixer of its own in front of the output node, connects what
// it is given as its output, and renders for tests.

class ToolkitEngine {
    let avEngine = AVAudioEngine()
    let format = AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2)!
    private var ownMixer: AVAudioMixerNode?

    var output: AVAudioNode? {
        didSet {
            let wasRunning = avEngine.isRunning
            if wasRunning { avEngine.stop() }
            if let node = oldValue {
                avEngine.disconnectNodeOutput(node)
                avEngine.detach(node)
            }
            if let node = output {
                avEngine.attach(node)
                makeMixerIfNeeded()
                ownMixer!.add(node, format: format)
            }
            if wasRunning { try? avEngine.start() }
        }
    }

    private func makeMixerIfNeeded() {
        guard ownMixer == nil else { return }
        let mixer = AVAudioMixerNode()
        avEngine.attach(mixer)
        avEngine.connect(mixer, to: avEngine.outputNode, format: format)
        ownMixer = mixer
    }

    func startTest() throws {
        avEngine.reset()
        try avEngine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 1024)
        try avEngine.start()
    }

    func render(duration: Double) throws -> [Float] {
        let end = avEngine.manualRenderingSampleTime + AVAudioFramePosition(duration * format.sampleRate)
        let piece = AVAudioPCMBuffer(pcmFormat: avEngine.manualRenderingFormat, frameCapacity: 1024)!
        var samples: [Float] = []
        while avEngine.manualRenderingSampleTime < end {
            let count = min(AVAudioFrameCount(end - avEngine.manualRenderingSampleTime), 1024)
            try avEngine.renderOffline(count, to: piece)
            samples += UnsafeBufferPointer(start: piece.floatChannelData![0], count: Int(piece.frameLength))
        }
        return samples
    }
}

extension AVAudioMixerNode {
    /// Connects one more input, and leaves the other connections of the node as they are.
    func add(_ input: AVAudioNode, format: AVAudioFormat) {
        guard let engine = engine else { return }
        var points = engine.outputConnectionPoints(for: input, outputBus: 0)
        if points.contains(where: { $0.node === self }) { return }
        points.append(AVAudioConnectionPoint(node: self, bus: nextAvailableInputBus))
        if points.count == 1 {
            engine.connect(input, to: self, format: format)
        } else {
            engine.connect(input, to: points, fromBus: 0, format: format)
        }
    }

    /// Disconnects one input, and leaves the other connections of the node as they are.
    func remove(_ input: AVAudioNode, format: AVAudioFormat) {
        guard let engine = engine else { return }
        let rest = engine.outputConnectionPoints(for: input, outputBus: 0).filter { $0.node !== self }
        if rest.isEmpty {
            engine.disconnectNodeOutput(input)
        } else {
            engine.connect(input, to: rest, fromBus: 0, format: format)
        }
    }
}

extension AVAudioNode {
    var connectionCount: Int {
        (0..<numberOfInputs).filter { engine?.inputConnectionPoint(for: self, inputBus: $0)?.node != nil }.count
    }
}

/// A node that gives one number in all channels.
func makeConstant(_ value: Float, _ format: AVAudioFormat) -> AVAudioSourceNode {
    AVAudioSourceNode(format: format) { _, _, frameCount, audioBufferList -> OSStatus in
        let buffers = UnsafeMutableAudioBufferListPointer(audioBufferList)
        for index in 0..<buffers.count {
            let samples = buffers[index].mData!.assumingMemoryBound(to: Float.self)
            for frame in 0..<Int(frameCount) { samples[frame] = value }
        }
        return noErr
    }
}

extension AVAudioPCMBuffer {
    convenience init(constant value: Float, _ format: AVAudioFormat, _ count: AVAudioFrameCount, channel: Int? = nil) {
        self.init(pcmFormat: format, frameCapacity: count)!
        frameLength = count
        for index in 0..<Int(format.channelCount) {
            let samples = floatChannelData![index]
            for frame in 0..<Int(count) { samples[frame] = channel ?? index == index ? value : 0 }
        }
    }
}
