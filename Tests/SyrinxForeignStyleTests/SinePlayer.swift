import AudioToolbox

// The way of the books on Core Audio: a sine by a render callback of the default output unit, with nothing but its C interface.

let sineFrequency = 880.0

struct SineWavePlayer {
    var outputUnit: AudioUnit?
    var startingFrameCount: Double = 0
}

func CheckError(_ error: OSStatus, _ operation: String) throws {
    guard error != noErr else { return }
    throw NSError(domain: NSOSStatusErrorDomain, code: Int(error), userInfo: [NSLocalizedDescriptionKey: operation])
}

let SineWaveRenderProc: AURenderCallback = {
    (inRefCon, ioActionFlags, inTimeStamp, inBusNumber, inNumberFrames, ioData) -> OSStatus in
    let player = inRefCon.assumingMemoryBound(to: SineWavePlayer.self)
    var j = player.pointee.startingFrameCount
    let cycleLength = 44100.0 / sineFrequency
    let buffers = UnsafeMutableAudioBufferListPointer(ioData)!
    for frame in 0..<Int(inNumberFrames) {
        for buffer in buffers {
            let data = buffer.mData!.assumingMemoryBound(to: Float32.self)
            data[frame] = Float32(sin(2 * .pi * (j / cycleLength)))
        }
        j += 1.0
        if j > cycleLength { j -= cycleLength }
    }
    player.pointee.startingFrameCount = j
    return noErr
}

func CreateAndConnectOutputUnit(
    _ player: UnsafeMutablePointer<SineWavePlayer>,
    _ chooseDevice: (AudioUnit) -> OSStatus = { _ in noErr }
) throws {
    var outputcd = AudioComponentDescription(
        componentType: kAudioUnitType_Output,
        componentSubType: kAudioUnitSubType_DefaultOutput,
        componentManufacturer: kAudioUnitManufacturer_Apple,
        componentFlags: 0,
        componentFlagsMask: 0
    )
    guard let comp = AudioComponentFindNext(nil, &outputcd) else {
        throw NSError(domain: NSOSStatusErrorDomain, code: -1)
    }
    try CheckError(AudioComponentInstanceNew(comp, &player.pointee.outputUnit), "Couldn't open component")
    try CheckError(chooseDevice(player.pointee.outputUnit!), "Couldn't choose the device")

    var format = AudioStreamBasicDescription(
        mSampleRate: 44100,
        mFormatID: kAudioFormatLinearPCM,
        mFormatFlags: kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
        mBytesPerPacket: 4,
        mFramesPerPacket: 1,
        mBytesPerFrame: 4,
        mChannelsPerFrame: 2,
        mBitsPerChannel: 32,
        mReserved: 0
    )
    try CheckError(
        AudioUnitSetProperty(
            player.pointee.outputUnit!,
            kAudioUnitProperty_StreamFormat,
            kAudioUnitScope_Input,
            0,
            &format,
            UInt32(MemoryLayout.size(ofValue: format))
        ),
        "Couldn't set stream format"
    )

    var input = AURenderCallbackStruct(inputProc: SineWaveRenderProc, inputProcRefCon: player)
    try CheckError(
        AudioUnitSetProperty(
            player.pointee.outputUnit!,
            kAudioUnitProperty_SetRenderCallback,
            kAudioUnitScope_Input,
            0,
            &input,
            UInt32(MemoryLayout.size(ofValue: input))
        ),
        "AudioUnitSetProperty failed"
    )
    try CheckError(AudioUnitInitialize(player.pointee.outputUnit!), "Couldn't initialize output unit")
}

func CloseOutputUnit(_ player: UnsafeMutablePointer<SineWavePlayer>) {
    guard let unit = player.pointee.outputUnit else { return }
    AudioOutputUnitStop(unit)
    AudioUnitUninitialize(unit)
    AudioComponentInstanceDispose(unit)
    player.pointee.outputUnit = nil
}
