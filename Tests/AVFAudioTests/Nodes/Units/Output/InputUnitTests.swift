import AVFAudio
import CoreAudioTypes
import Foundation
import Synchronization
import SyrinxDevice
import SyrinxTestSupport
import Testing

/// A program that records through an output unit: what it was given, and how it was asked.
private final class Recorder: @unchecked Sendable {
    // Unchecked: the device's thread has it, which is that of the test.
    let unit: AudioUnit
    var status: OSStatus = noErr
    // Memory that is there before: the callback runs where nothing may be allocated.
    private static let capacity = 65_536
    private let sampleMemory = UnsafeMutablePointer<Float>.allocate(capacity: capacity)
    private let countMemory = UnsafeMutablePointer<Int>.allocate(capacity: capacity)
    private let timeMemory = UnsafeMutablePointer<Double>.allocate(capacity: capacity)
    private var sampleCount = 0
    private var callCount = 0
    private let limit = capacity

    var samples: [Float] { Array(UnsafeBufferPointer(start: sampleMemory, count: sampleCount)) }
    var calls: [Int] { Array(UnsafeBufferPointer(start: countMemory, count: callCount)) }
    var times: [Double] { Array(UnsafeBufferPointer(start: timeMemory, count: callCount)) }
    private let list = AudioBufferList.allocate(maximumBuffers: 1)

    init(_ unit: AudioUnit) { self.unit = unit }

    deinit {
        list.unsafeMutablePointer.deallocate()
        sampleMemory.deallocate()
        countMemory.deallocate()
        timeMemory.deallocate()
    }

    var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    func forget() { sampleCount = 0 }

    /// Takes frames from bus 1, in memory of the unit's.
    func take(
        _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
        _ time: UnsafePointer<AudioTimeStamp>,
        _ count: UInt32
    ) {
        list[0] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 0, mData: nil)
        status = AudioUnitRender(unit, flags, time, 1, count, list.unsafeMutablePointer)
        guard status == noErr, let data = list[0].mData?.assumingMemoryBound(to: Float.self) else { return }
        guard callCount < limit, sampleCount + Int(count) <= limit else { return }
        countMemory[callCount] = Int(count)
        timeMemory[callCount] = time.pointee.mSampleTime
        callCount += 1
        var index = 0
        while index < Int(count) {
            sampleMemory[sampleCount] = data[index]
            sampleCount += 1
            index += 1
        }
    }

    static let hears: AURenderCallback = { context, flags, time, bus, count, data in
        guard bus == 1, data == nil else { return -1 }
        Unmanaged<Recorder>.fromOpaque(context).takeUnretainedValue().take(flags, time, count)
        return noErr
    }

    /// Plays what bus 1 has.
    static let passesOn: AURenderCallback = { context, flags, time, _, count, data in
        guard let data else { return -1 }
        return AudioUnitRender(AudioUnit(context), flags, time, 1, count, data)
    }
}

@Suite("Output units that record") struct InputUnitTests {
    private struct Rig {
        let unit: CalledUnit
        let device = ManualOutput()
        let input = ManualInput(format: DeviceFormat(sampleRate: 48_000, channelCount: 1))

        init(_ subtype: OSType = kAudioUnitSubType_HALOutput) throws {
            unit = try #require(CalledUnit(kAudioUnitType_Output, subtype))
            for number in [AudioDeviceNumbers.number(of: device), AudioDeviceNumbers.number(of: input)] {
                try #require(unit.set(kAudioOutputUnitProperty_CurrentDevice, number) == noErr)
            }
            let enabled = unit.set(kAudioOutputUnitProperty_EnableIO, UInt32(1), kAudioUnitScope_Input, 1)
            try #require(enabled == noErr)
        }

        /// Feeds the input and cranks the output, in steps.
        func run(_ sound: [Float]) {
            input.feed([Array(sound[..<2_000])])
            var fed = 2_000
            while fed < sound.count {
                _ = device.render(frameCount: 480)
                input.feed([Array(sound[fed..<min(sound.count, fed + 480)])])
                fed += 480
            }
        }
    }

    @Test(
        "A callback takes what was recorded, sample for sample, in slices",
        arguments: [kAudioUnitSubType_HALOutput, kAudioUnitSubType_RemoteIO, kAudioUnitSubType_VoiceProcessingIO]
    )
    func records(_ subtype: OSType) throws {
        let rig = try Rig(subtype)
        let unit = rig.unit
        let recorder = Recorder(unit.unit)
        let callback = AURenderCallbackStruct(inputProc: Recorder.hears, inputProcRefCon: recorder.context)
        #expect(unit.set(kAudioOutputUnitProperty_SetInputCallback, callback) == noErr)
        var format = AudioStreamBasicDescription()
        #expect(unit.get(kAudioUnitProperty_StreamFormat, &format, kAudioUnitScope_Input, 1) == noErr)
        #expect(format.mSampleRate == 48_000 && format.mChannelsPerFrame == 1)
        let fixed = unit.set(kAudioUnitProperty_StreamFormat, format, kAudioUnitScope_Input, 1)
        #expect(fixed == kAudioUnitErr_PropertyNotWritable)
        #expect(unit.set(kAudioUnitProperty_StreamFormat, format, kAudioUnitScope_Output, 1) == noErr)
        #expect(unit.set(kAudioUnitProperty_MaximumFramesPerSlice, UInt32(200)) == noErr)
        #expect(AudioUnitInitialize(unit.unit) == noErr && AudioOutputUnitStart(unit.unit) == noErr)
        #expect(rig.input.isRunning)
        let sound = noise(20_000)
        rig.run(sound)
        #expect(recorder.samples.count > 17_000 && recorder.calls.prefix(3) == [200, 200, 80])
        #expect(recorder.times.prefix(3) == [0, 200, 400])
        #expect(recorder.samples == Array(sound[..<recorder.samples.count]))
        AudioOutputUnitStop(unit.unit)
        #expect(!rig.input.isRunning)
        // Only on the device's thread, and while it is there.
        recorder.forget()
        var time = AudioTimeStamp()
        var flags = AudioUnitRenderActionFlags()
        recorder.take(&flags, &time, 64)
        #expect(recorder.status == kAudioUnitErr_CannotDoInCurrentContext && recorder.samples.isEmpty)
    }

    @Test("A callback that plays may take what was recorded")
    func passesThrough() throws {
        let rig = try Rig()
        let unit = rig.unit
        let format = planarFloats(48_000, 1)
        #expect(unit.set(kAudioUnitProperty_StreamFormat, format, kAudioUnitScope_Output, 1) == noErr)
        #expect(unit.set(kAudioUnitProperty_StreamFormat, format, kAudioUnitScope_Input, 0) == noErr)
        let callback = AURenderCallbackStruct(
            inputProc: Recorder.passesOn,
            inputProcRefCon: UnsafeMutableRawPointer(unit.unit)
        )
        #expect(unit.set(kAudioUnitProperty_SetRenderCallback, callback, kAudioUnitScope_Input) == noErr)
        #expect(AudioUnitInitialize(unit.unit) == noErr && AudioOutputUnitStart(unit.unit) == noErr)
        let sound = noise(20_000)
        rig.input.feed([Array(sound[..<2_000])])
        var heard: [Float] = []
        var fed = 2_000
        while fed < 20_000 {
            heard += rig.device.render(frameCount: 480)[0]
            rig.input.feed([Array(sound[fed..<min(20_000, fed + 480)])])
            fed += 480
        }
        // Silence of a block, and then all of it.
        let begin = try #require(heard.firstIndex { $0 != 0 })
        #expect(begin <= 480)
        #expect(Array(heard[begin...]) == Array(sound[..<(heard.count - begin)]))
    }

    @Test("What is recorded is converted to the program's format")
    func converts() throws {
        let rig = try Rig()
        let unit = rig.unit
        let described = interleavedIntegers(24_000, 2)
        #expect(unit.set(kAudioUnitProperty_StreamFormat, described, kAudioUnitScope_Output, 1) == noErr)
        final class Heard: @unchecked Sendable {
            // Unchecked: the device's thread has it.
            let unit: AudioUnit
            var samples: [Int16] = []
            init(_ unit: AudioUnit) { self.unit = unit }
        }
        let heard = Heard(unit.unit)
        let callback = AURenderCallbackStruct(
            inputProc: { context, flags, time, _, count, _ in
                let heard = Unmanaged<Heard>.fromOpaque(context).takeUnretainedValue()
                var list = AudioBufferList()
                list.mNumberBuffers = 1
                let status = AudioUnitRender(heard.unit, flags, time, 1, count, &list)
                guard status == noErr, let data = list.mBuffers.mData, list.mBuffers.mDataByteSize == 4 * count else {
                    return -1
                }
                let samples = data.assumingMemoryBound(to: Int16.self)
                heard.samples += UnsafeBufferPointer(start: samples, count: 2 * Int(count))
                return noErr
            },
            inputProcRefCon: Unmanaged.passUnretained(heard).toOpaque()
        )
        #expect(unit.set(kAudioOutputUnitProperty_SetInputCallback, callback) == noErr)
        #expect(AudioUnitInitialize(unit.unit) == noErr && AudioOutputUnitStart(unit.unit) == noErr)
        rig.run(sine(1_000, 48_000, sampleRate: 48_000))
        let left = heard.samples.enumerated().filter { $0.offset % 2 == 0 }.map { Float($0.element) / 32_768 }
        #expect(abs(left.count - 23_000) < 600)
        let level = amplitude(of: 1_000, in: left[2_000...], sampleRate: 24_000)
        // One channel is spread over two, each 3 dB lower or as it is.
        #expect(abs(20 * log10(level / 0.5)) < 3.2)
        #expect(
            left.elementsEqual(
                heard.samples.enumerated().filter { $0.offset % 2 == 1 }.map { Float($0.element) / 32_768 }
            )
        )
    }

    @Test("A unit that only records opens no output device")
    func recordsAlone() throws {
        let rig = try Rig()
        let unit = rig.unit
        let disabled = unit.set(kAudioOutputUnitProperty_EnableIO, UInt32(0), kAudioUnitScope_Output, 0)
        #expect(disabled == noErr)
        let recorder = Recorder(unit.unit)
        let format = planarFloats(48_000, 1)
        #expect(unit.set(kAudioUnitProperty_StreamFormat, format, kAudioUnitScope_Output, 1) == noErr)
        final class Count: Sendable { let frames = Atomic<Int>(0) }
        let count = Count()
        let callback = AURenderCallbackStruct(
            inputProc: { context, _, _, _, frames, _ in
                let count = Unmanaged<Count>.fromOpaque(context).takeUnretainedValue()
                count.frames.wrappingAdd(Int(frames), ordering: .relaxed)
                return noErr
            },
            inputProcRefCon: Unmanaged.passUnretained(count).toOpaque()
        )
        #expect(unit.set(kAudioOutputUnitProperty_SetInputCallback, callback) == noErr)
        #expect(AudioUnitInitialize(unit.unit) == noErr && AudioOutputUnitStart(unit.unit) == noErr)
        rig.input.feed([noise(4_000)])
        // A clock of the unit's own drives it.
        #expect(waitUntil { count.frames.load(ordering: .relaxed) > 1_000 })
        #expect(rig.device.render(frameCount: 64)[0].allSatisfy { $0 == 0 } && recorder.samples.isEmpty)
        #expect(AudioOutputUnitStop(unit.unit) == noErr)
    }

    @Test("An input that cannot be opened is the status of the start")
    func missingInput() throws {
        let unit = try #require(CalledUnit(kAudioUnitType_Output, kAudioUnitSubType_HALOutput))
        let (output, input) = (ManualOutput(), ManualInput(format: DeviceFormat(sampleRate: 0, channelCount: 0)))
        for number in [AudioDeviceNumbers.number(of: output), AudioDeviceNumbers.number(of: input)] {
            #expect(unit.set(kAudioOutputUnitProperty_CurrentDevice, number) == noErr)
        }
        #expect(unit.set(kAudioOutputUnitProperty_EnableIO, UInt32(1), kAudioUnitScope_Input, 1) == noErr)
        #expect(AudioUnitInitialize(unit.unit) == noErr)
        #expect(AudioOutputUnitStart(unit.unit) == kAudioUnitErr_FormatNotSupported)
    }

    @Test("Recording allocates nothing on the device's thread")
    func allocatesNothing() throws {
        let rig = try Rig()
        let unit = rig.unit
        #expect(unit.set(kAudioUnitProperty_StreamFormat, planarFloats(48_000, 1), kAudioUnitScope_Output, 1) == noErr)
        final class Heard: @unchecked Sendable {
            // Unchecked: the device's thread has it.
            let unit: AudioUnit
            let list = AudioBufferList.allocate(maximumBuffers: 1)
            var frames = 0
            init(_ unit: AudioUnit) { self.unit = unit }
            deinit { list.unsafeMutablePointer.deallocate() }
        }
        let heard = Heard(unit.unit)
        let callback = AURenderCallbackStruct(
            inputProc: { context, flags, time, _, count, _ in
                Unmanaged<Heard>.fromOpaque(context)._withUnsafeGuaranteedRef { heard in
                    heard.list[0].mData = nil
                    let list = heard.list.unsafeMutablePointer
                    let status = AudioUnitRender(heard.unit, flags, time, 1, count, list)
                    if status == noErr { heard.frames += Int(count) }
                    return status
                }
            },
            inputProcRefCon: Unmanaged.passUnretained(heard).toOpaque()
        )
        #expect(unit.set(kAudioOutputUnitProperty_SetInputCallback, callback) == noErr)
        #expect(AudioUnitInitialize(unit.unit) == noErr && AudioOutputUnitStart(unit.unit) == noErr)
        rig.input.feed([noise(20_000)])
        let memory = (0..<2).map { _ in UnsafeMutablePointer<Float>.allocate(capacity: 512) }
        let planes = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: 2)
        planes.initialize(from: memory, count: 2)
        defer {
            memory.forEach { $0.deallocate() }
            planes.deallocate()
        }
        _ = rig.device.crank(planes, frameCount: 512)
        heard.frames = 0
        let device = rig.device
        let count = allocations {
            var block = 0
            while block < 8 {
                _ = device.crank(planes, frameCount: 512)
                block += 1
            }
        }
        #expect(count == 0 && heard.frames == 4_096)
    }
}
