import AVFoundation

// The way of a public streaming player: an output unit drives an engine that renders manually, whose input block reads a buffer
// that the decoder has filled.

enum UnitDescriptions {
    static var output: AudioComponentDescription = {
        var desc = AudioComponentDescription()
        desc.componentType = kAudioUnitType_Output
        desc.componentSubType = kAudioUnitSubType_DefaultOutput
        desc.componentManufacturer = kAudioUnitManufacturer_Apple
        desc.componentFlags = 0
        desc.componentFlagsMask = 0
        return desc
    }()
}

extension AVAudioUnit {
    static func createAudioUnit(
        with description: AudioComponentDescription,
        completion: @escaping (Result<AVAudioUnit, Error>) -> Void
    ) {
        AVAudioUnit.instantiate(with: description, options: .loadOutOfProcess) { audioUnit, error in
            guard let audioUnit = audioUnit else {
                completion(.failure(error ?? NSError(domain: NSOSStatusErrorDomain, code: -1)))
                return
            }
            completion(.success(audioUnit))
        }
    }
}

final class ProviderPlayer {
    let outputAudioFormat = AVAudioFormat(
        commonFormat: .pcmFormatFloat32,
        sampleRate: 44100.0,
        channels: 2,
        interleaved: true
    )!
    let maxFramesPerSlice: AVAudioFrameCount = 8192
    let audioEngine = AVAudioEngine()
    let rateNode = AVAudioUnitTimePitch()
    private(set) var player = AVAudioUnit()
    private let list: UnsafeMutableAudioBufferListPointer
    private let memory: UnsafeMutablePointer<Float>
    private let sound: [Float]
    private var position = 0

    /// - Parameter sound: Interleaved.
    init(sound: [Float]) {
        self.sound = sound
        list = AudioBufferList.allocate(maximumBuffers: 1)
        memory = UnsafeMutablePointer<Float>.allocate(capacity: 2 * 8192)
    }

    deinit {
        player.auAudioUnit.stopHardware()
        audioEngine.stop()
        list.unsafeMutablePointer.deallocate()
        memory.deallocate()
    }

    func setupEngine() throws {
        try audioEngine.enableManualRenderingMode(
            .realtime,
            format: outputAudioFormat,
            maximumFrameCount: maxFramesPerSlice
        )
        let inputBlock: AVAudioIONodeInputBlock = { [unowned self] frameCount in self.inRender(frameCount) }
        let success = audioEngine.inputNode.setManualRenderingInputPCMFormat(outputAudioFormat, inputBlock: inputBlock)
        guard success else { throw NSError(domain: NSOSStatusErrorDomain, code: -2) }
        audioEngine.attach(rateNode)
        audioEngine.connect(audioEngine.inputNode, to: rateNode, format: nil)
        audioEngine.connect(rateNode, to: audioEngine.mainMixerNode, format: nil)
        audioEngine.prepare()
        try audioEngine.start()
    }

    func configPlayerNode() {
        AVAudioUnit.createAudioUnit(with: UnitDescriptions.output) { [weak self] result in
            guard case let .success(unit) = result else { return }
            self?.player = unit
            self?.attachCallback()
        }
    }

    private func attachCallback() {
        if player.auAudioUnit.inputBusses.count > 0 {
            do {
                try player.auAudioUnit.inputBusses[0].setFormat(outputAudioFormat)
            } catch {
                return
            }
        }
        player.auAudioUnit.maximumFramesToRender = maxFramesPerSlice
        let renderBlock = audioEngine.manualRenderingBlock
        player.auAudioUnit.outputProvider = { _, _, frameCount, _, inputData -> AUAudioUnitStatus in
            var error = noErr
            let status = renderBlock(frameCount, inputData, &error)
            return status == .error ? error : noErr
        }
    }

    func startPlayer() throws {
        guard !player.auAudioUnit.isRunning else { return }
        try player.auAudioUnit.allocateRenderResources()
        try player.auAudioUnit.startHardware()
    }

    private func inRender(_ frameCount: AVAudioFrameCount) -> UnsafePointer<AudioBufferList>? {
        let count = min(2 * Int(frameCount), sound.count - position)
        for index in 0..<count { memory[index] = sound[position + index] }
        position += count
        list[0].mNumberChannels = 2
        list[0].mDataByteSize = UInt32(count * MemoryLayout<Float>.size)
        list[0].mData = UnsafeMutableRawPointer(memory)
        return list.unsafePointer
    }
}
