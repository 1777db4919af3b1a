import AVFAudio
import CoreAudioTypes
import Foundation
import Synchronization
import SyrinxDevice
import SyrinxTestSupport
import Testing

/// A program that plays a ramp through an output unit, and notes how it is called.
final class RampSource: @unchecked Sendable {
    // Unchecked: the device's thread has it, which is that of the test.
    var position = 0
    var calls: [(frames: Int, time: Double)] = []
    var status: OSStatus = noErr
    var flags: UInt32 = 0
    var byteSizes: Set<UInt32> = []

    var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// Frame n is n / 65,536 in 32-bit float, and n in 16-bit integers.
    static func sample(_ frame: Int) -> Float { Float(frame) / 65_536 }

    static let render: AURenderCallback = { context, flags, time, _, count, data in
        let source = Unmanaged<RampSource>.fromOpaque(context).takeUnretainedValue()
        guard let list = UnsafeMutableAudioBufferListPointer(data) else { return -1 }
        source.calls.append((Int(count), time.pointee.mSampleTime))
        for buffer in list {
            source.byteSizes.insert(buffer.mDataByteSize)
            let floats = buffer.mData?.assumingMemoryBound(to: Float.self)
            for frame in 0..<Int(count) { floats?[frame] = sample(source.position + frame) }
        }
        source.position += Int(count)
        flags.pointee = AudioUnitRenderActionFlags(rawValue: flags.pointee.rawValue | source.flags)
        return source.status
    }

    var callback: AURenderCallbackStruct { AURenderCallbackStruct(inputProc: Self.render, inputProcRefCon: context) }
}

@Suite("Output units") struct OutputUnitTests {
    private func makeUnit(
        _ subtype: OSType = kAudioUnitSubType_DefaultOutput,
        on device: ManualOutput
    ) throws -> CalledUnit {
        let unit = try #require(CalledUnit(kAudioUnitType_Output, subtype))
        let number = AudioDeviceNumbers.number(of: device)
        try #require(unit.set(kAudioOutputUnitProperty_CurrentDevice, number) == noErr)
        return unit
    }

    private func isRunning(_ unit: CalledUnit) -> UInt32? {
        var value: UInt32 = 9
        return unit.get(kAudioOutputUnitProperty_IsRunning, &value) == noErr ? value : nil
    }

    private func ramp(_ frames: Range<Int>) -> [Float] { frames.map(RampSource.sample) }

    @Test("A callback is called on the device's thread, for slices of at most the maximum, and heard sample for sample")
    func plays() throws {
        let device = ManualOutput()
        let unit = try makeUnit(on: device)
        let source = RampSource()
        let input = kAudioUnitScope_Input
        #expect(unit.set(kAudioUnitProperty_StreamFormat, planarFloats(48_000, 2), input) == noErr)
        #expect(unit.set(kAudioUnitProperty_MaximumFramesPerSlice, UInt32(256)) == noErr)
        #expect(unit.set(kAudioUnitProperty_SetRenderCallback, source.callback, input) == noErr)
        #expect(AudioOutputUnitStart(unit.unit) == kAudioUnitErr_Uninitialized && isRunning(unit) == 0)
        #expect(AudioUnitInitialize(unit.unit) == noErr && isRunning(unit) == 0)
        #expect(device.render(frameCount: 64)[0].allSatisfy { $0 == 0 } && source.position == 0)
        #expect(AudioOutputUnitStart(unit.unit) == noErr && isRunning(unit) == 1)
        #expect(device.render(frameCount: 1_000) == [ramp(0..<1_000), ramp(0..<1_000)])
        #expect(source.calls.map(\.frames) == [256, 256, 256, 232])
        #expect(source.calls.map(\.time) == [0, 256, 512, 768])
        #expect(source.byteSizes == [1_024, 928])
        #expect(AudioOutputUnitStop(unit.unit) == noErr && isRunning(unit) == 0)
        let end = source.position
        #expect(device.render(frameCount: 100)[0].allSatisfy { $0 == 0 } && source.position == end)
        #expect(AudioOutputUnitStart(unit.unit) == noErr)
        source.position = 0
        #expect(device.render(frameCount: 100)[1] == ramp(0..<100) && source.calls.last?.time == 0)
    }

    @Test("A format of the program's is converted to that of the device")
    func converts() throws {
        let device = ManualOutput(format: DeviceFormat(sampleRate: 48_000, channelCount: 2))
        let unit = try makeUnit(on: device)
        var format = AudioStreamBasicDescription()
        #expect(unit.get(kAudioUnitProperty_StreamFormat, &format, kAudioUnitScope_Input) == noErr)
        #expect(format.mSampleRate == 48_000 && format.mChannelsPerFrame == 2)
        // 16-bit integers, interleaved, at 24 kHz.
        format = interleavedIntegers(24_000, 2)
        #expect(unit.set(kAudioUnitProperty_StreamFormat, format, kAudioUnitScope_Input) == noErr)
        let status = unit.set(kAudioUnitProperty_StreamFormat, format, kAudioUnitScope_Output)
        #expect(status == kAudioUnitErr_PropertyNotWritable)
        final class Tone: @unchecked Sendable {
            // Unchecked: the device's thread has it.
            var frame = 0
        }
        let tone = Tone()
        let callback = AURenderCallbackStruct(
            inputProc: { context, _, _, _, count, data in
                let tone = Unmanaged<Tone>.fromOpaque(context).takeUnretainedValue()
                guard let data, data.pointee.mNumberBuffers == 1, data.pointee.mBuffers.mNumberChannels == 2,
                    data.pointee.mBuffers.mDataByteSize == 4 * count
                else { return -1 }
                let samples = data.pointee.mBuffers.mData?.assumingMemoryBound(to: Int16.self)
                for frame in 0..<Int(count) {
                    let angle = 2 * .pi * 1_000 * Double(tone.frame + frame) / 24_000
                    samples?[2 * frame] = Int16(16_384 * sin(angle))
                    samples?[2 * frame + 1] = 0
                }
                tone.frame += Int(count)
                return noErr
            },
            inputProcRefCon: Unmanaged.passUnretained(tone).toOpaque()
        )
        #expect(unit.set(kAudioUnitProperty_SetRenderCallback, callback, kAudioUnitScope_Input) == noErr)
        #expect(AudioUnitInitialize(unit.unit) == noErr && AudioOutputUnitStart(unit.unit) == noErr)
        let output = device.render(frameCount: 48_000)
        let level = amplitude(of: 1_000, in: output[0][4_000...], sampleRate: 48_000)
        #expect(abs(20 * log10(level / 0.5)) < 0.05)
        #expect(levelDecibels(output[1]) < -90)
        #expect(abs(tone.frame - 24_000) < 200)
        // What is there besides is far below: -80 dB of the whole.
        let expected = sine(1_000, 40_000, sampleRate: 48_000)
        let tail = Array(output[0][8_000..<(8_000 + 24_000)])
        #expect(residual(tail, frequency: 1_000, sampleRate: 48_000) < -75 && expected.count == 40_000)
    }

    /// The level of what `samples` have beside a sine, relative to it, in dB.
    private func residual(_ samples: [Float], frequency: Double, sampleRate: Double) -> Double {
        var (real, imaginary) = (0.0, 0.0)
        for (index, sample) in samples.enumerated() {
            let angle = 2 * .pi * frequency * Double(index) / sampleRate
            real += Double(sample) * cos(angle)
            imaginary += Double(sample) * sin(angle)
        }
        let scale = 2 / Double(samples.count)
        var (rest, whole) = (0.0, 0.0)
        for (index, sample) in samples.enumerated() {
            let angle = 2 * .pi * frequency * Double(index) / sampleRate
            let fitted = scale * (real * cos(angle) + imaginary * sin(angle))
            rest += (Double(sample) - fitted) * (Double(sample) - fitted)
            whole += fitted * fitted
        }
        return 10 * log10(rest / whole)
    }

    @Test("A failure and a silent render give silence, and the failure is kept")
    func failures() throws {
        let device = ManualOutput()
        let unit = try makeUnit(on: device)
        let source = RampSource()
        #expect(unit.set(kAudioUnitProperty_SetRenderCallback, source.callback, kAudioUnitScope_Input) == noErr)
        #expect(AudioUnitInitialize(unit.unit) == noErr && AudioOutputUnitStart(unit.unit) == noErr)
        source.status = -13
        #expect(device.render(frameCount: 512).joined().allSatisfy { $0 == 0 })
        var failure: OSStatus = 0
        #expect(unit.get(kAudioUnitProperty_LastRenderError, &failure) == noErr && failure == -13)
        source.status = noErr
        source.flags = AudioUnitRenderActionFlags.unitRenderAction_OutputIsSilence.rawValue
        #expect(device.render(frameCount: 512).joined().allSatisfy { $0 == 0 })
        source.flags = 0
        source.position = 0
        #expect(device.render(frameCount: 512)[0] == ramp(0..<512))
        // Without a callback it is silent, and no failure.
        let none = AURenderCallbackStruct(inputProc: nil, inputProcRefCon: nil)
        #expect(unit.set(kAudioUnitProperty_SetRenderCallback, none, kAudioUnitScope_Input) == noErr)
        #expect(device.render(frameCount: 512).joined().allSatisfy { $0 == 0 })
        #expect(unit.get(kAudioUnitProperty_LastRenderError, &failure) == noErr && failure == noErr)
    }

    @Test("A unit can be stopped by its own callback")
    func stopsItself() throws {
        let device = ManualOutput()
        let unit = try makeUnit(on: device)
        let callback = AURenderCallbackStruct(
            inputProc: { context, _, _, _, _, _ in
                AudioOutputUnitStop(AudioUnit(context))
                return -1
            },
            inputProcRefCon: UnsafeMutableRawPointer(unit.unit)
        )
        #expect(unit.set(kAudioUnitProperty_SetRenderCallback, callback, kAudioUnitScope_Input) == noErr)
        #expect(AudioUnitInitialize(unit.unit) == noErr && AudioOutputUnitStart(unit.unit) == noErr)
        _ = device.render(frameCount: 512)
        #expect(isRunning(unit) == 0)
        #expect(AudioOutputUnitStart(unit.unit) == noErr && isRunning(unit) == 1)
    }

    @Test("Listeners hear of starts and stops, and of a device that changes")
    func listeners() throws {
        let device = ManualOutput()
        let unit = try makeUnit(on: device)
        final class Heard: Sendable {
            let running = Mutex<[UInt32]>([])
            let formats = Mutex(0)
        }
        let heard = Heard()
        let context = Unmanaged.passUnretained(heard).toOpaque()
        let status = AudioUnitAddPropertyListener(
            unit.unit,
            kAudioOutputUnitProperty_IsRunning,
            { context, unit, id, _, _ in
                var value: UInt32 = 9
                guard unit.get(id, &value) == noErr else { return }
                Unmanaged<Heard>.fromOpaque(context).takeUnretainedValue().running.withLock { $0.append(value) }
            },
            context
        )
        #expect(status == noErr)
        AudioUnitAddPropertyListener(
            unit.unit,
            kAudioUnitProperty_StreamFormat,
            { context, _, _, scope, _ in
                guard scope == kAudioUnitScope_Output else { return }
                Unmanaged<Heard>.fromOpaque(context).takeUnretainedValue().formats.withLock { $0 += 1 }
            },
            context
        )
        #expect(AudioUnitInitialize(unit.unit) == noErr && AudioOutputUnitStart(unit.unit) == noErr)
        #expect(AudioOutputUnitStart(unit.unit) == noErr)
        device.simulateChange()
        #expect(waitUntil { heard.formats.withLock { $0 } == 1 })
        AudioOutputUnitStop(unit.unit)
        AudioOutputUnitStop(unit.unit)
        #expect(heard.running.withLock { $0 } == [1, 0])
    }

    @Test("Sample times begin at 0, or are those of the device's clock")
    func times() throws {
        let device = ManualOutput()
        device.latency = 3
        let unit = try makeUnit(on: device)
        let source = RampSource()
        var isZero: UInt32 = 9
        #expect(unit.get(kAudioOutputUnitProperty_StartTimestampsAtZero, &isZero) == noErr && isZero == 1)
        #expect(unit.set(kAudioOutputUnitProperty_StartTimestampsAtZero, UInt32(0)) == noErr)
        #expect(unit.set(kAudioUnitProperty_SetRenderCallback, source.callback, kAudioUnitScope_Input) == noErr)
        #expect(AudioUnitInitialize(unit.unit) == noErr && AudioOutputUnitStart(unit.unit) == noErr)
        _ = device.render(frameCount: 100)
        #expect(source.calls.map(\.time) == [144_000])
    }

    @Test("The output of a unit has one element, and its settings their places")
    func places() throws {
        let device = ManualOutput()
        let unit = try makeUnit(on: device)
        var word: UInt32 = 9
        #expect(unit.get(kAudioOutputUnitProperty_EnableIO, &word, kAudioUnitScope_Output) == noErr && word == 1)
        #expect(
            unit.get(kAudioOutputUnitProperty_EnableIO, &word, kAudioUnitScope_Output, 1)
                == kAudioUnitErr_InvalidElement
        )
        let refused = unit.set(kAudioOutputUnitProperty_EnableIO, UInt32(1), kAudioUnitScope_Input, 1)
        #expect(refused == kAudioUnitErr_InvalidElement)
        #expect(unit.get(kAudioOutputUnitProperty_HasIO, &word, kAudioUnitScope_Input, 1) == noErr && word == 0)
        #expect(unit.get(kAudioOutputUnitProperty_HasIO, &word, kAudioUnitScope_Output, 0) == noErr && word == 1)
        #expect(unit.get(kAudioUnitProperty_ElementCount, &word, kAudioUnitScope_Output) == noErr && word == 1)
        #expect(unit.get(kAudioOutputUnitProperty_CurrentDevice, &word) == noErr)
        #expect(word == AudioDeviceNumbers.number(of: device))
        #expect(unit.set(kAudioOutputUnitProperty_CurrentDevice, UInt32.max) == kAudioUnitErr_InvalidPropertyValue)
        #expect(unit.set(kAudioOutputUnitProperty_IsRunning, UInt32(1)) == kAudioUnitErr_PropertyNotWritable)
        #expect(unit.get(kAudioUnitProperty_BypassEffect, &word) == kAudioUnitErr_InvalidProperty)
        let effect = try #require(CalledUnit(kAudioUnitType_Effect, kAudioUnitSubType_Delay))
        #expect(effect.get(kAudioOutputUnitProperty_IsRunning, &word) == kAudioUnitErr_InvalidProperty)
        #expect(AudioOutputUnitStart(effect.unit) == -80_800 && AudioOutputUnitStop(effect.unit) == noErr)
        #expect(AudioUnitInitialize(unit.unit) == noErr)
        let late = unit.set(kAudioOutputUnitProperty_EnableIO, UInt32(0), kAudioUnitScope_Output)
        #expect(late == kAudioUnitErr_Initialized)
        var time = AudioTimeStamp()
        let list = AudioBufferList.allocate(maximumBuffers: 2)
        defer { list.unsafeMutablePointer.deallocate() }
        let rendered = AudioUnitRender(unit.unit, nil, &time, 0, 64, list.unsafeMutablePointer)
        #expect(rendered == kAudioUnitErr_CannotDoInCurrentContext)
    }

    @Test("A unit without a device is rendered by its caller, and converts")
    func generic() throws {
        let unit = try #require(CalledUnit(kAudioUnitType_Output, kAudioUnitSubType_GenericOutput))
        let source = RampSource()
        #expect(unit.set(kAudioUnitProperty_StreamFormat, planarFloats(48_000, 1), kAudioUnitScope_Input) == noErr)
        let status = unit.set(kAudioUnitProperty_StreamFormat, interleavedIntegers(48_000, 2), kAudioUnitScope_Output)
        #expect(status == noErr)
        #expect(unit.set(kAudioUnitProperty_SetRenderCallback, source.callback, kAudioUnitScope_Input) == noErr)
        #expect(AudioUnitInitialize(unit.unit) == noErr)
        var samples = [Int16](repeating: 0, count: 2_000)
        var time = AudioTimeStamp()
        let rendered = samples.withUnsafeMutableBytes { bytes in
            var list = AudioBufferList()
            list.mNumberBuffers = 1
            list.mBuffers = AudioBuffer(mNumberChannels: 2, mDataByteSize: 4_000, mData: bytes.baseAddress)
            return AudioUnitRender(unit.unit, nil, &time, 0, 1_000, &list)
        }
        #expect(rendered == noErr)
        // Frame n is n / 65,536 of full scale, in both channels.
        #expect(samples.enumerated().allSatisfy { abs(Double($1) - Double($0 / 2) / 2) <= 0.5 } && samples[1_999] > 490)
        #expect(AudioOutputUnitStart(unit.unit) == noErr && isRunning(unit) == 1)
        #expect(AudioOutputUnitStop(unit.unit) == noErr && isRunning(unit) == 0)
    }

    @Test("A device may be replaced while it plays")
    func replacesDevices() throws {
        let (first, second) = (ManualOutput(), ManualOutput(format: DeviceFormat(sampleRate: 48_000, channelCount: 1)))
        let unit = try makeUnit(on: first)
        let source = RampSource()
        #expect(unit.set(kAudioUnitProperty_StreamFormat, planarFloats(48_000, 2), kAudioUnitScope_Input) == noErr)
        #expect(unit.set(kAudioUnitProperty_SetRenderCallback, source.callback, kAudioUnitScope_Input) == noErr)
        #expect(AudioUnitInitialize(unit.unit) == noErr && AudioOutputUnitStart(unit.unit) == noErr)
        #expect(first.render(frameCount: 100)[0] == ramp(0..<100))
        let number = AudioDeviceNumbers.number(of: second)
        #expect(unit.set(kAudioOutputUnitProperty_CurrentDevice, number) == noErr && isRunning(unit) == 1)
        #expect(second.render(frameCount: 100).count == 1 && source.position == 200)
        #expect(first.render(frameCount: 100)[0].allSatisfy { $0 == 0 } && source.position == 200)
    }

    @Test("A device that cannot be opened is the status of the start")
    func missingDevice() throws {
        let device = ManualOutput(format: DeviceFormat(sampleRate: 0, channelCount: 0))
        let unit = try makeUnit(on: device)
        #expect(unit.set(kAudioUnitProperty_StreamFormat, planarFloats(48_000, 2), kAudioUnitScope_Input) == noErr)
        #expect(AudioUnitInitialize(unit.unit) == noErr)
        #expect(AudioOutputUnitStart(unit.unit) == kAudioUnitErr_FormatNotSupported && isRunning(unit) == 0)
    }

    @Test("Playing allocates nothing on the device's thread")
    func allocatesNothing() throws {
        let device = ManualOutput()
        let unit = try makeUnit(on: device)
        let callback = AURenderCallbackStruct(
            inputProc: { _, _, _, _, count, data in
                guard let list = UnsafeMutableAudioBufferListPointer(data) else { return -1 }
                var index = 0
                while index < list.count {
                    let samples = list[index].mData?.assumingMemoryBound(to: Float.self)
                    var frame = 0
                    while frame < Int(count) {
                        samples?[frame] = 0.25
                        frame += 1
                    }
                    index += 1
                }
                return noErr
            },
            inputProcRefCon: nil
        )
        #expect(unit.set(kAudioUnitProperty_MaximumFramesPerSlice, UInt32(100)) == noErr)
        #expect(unit.set(kAudioUnitProperty_SetRenderCallback, callback, kAudioUnitScope_Input) == noErr)
        #expect(AudioUnitAddRenderNotify(unit.unit, { _, _, _, _, _, _ in noErr }, nil) == noErr)
        #expect(AudioUnitInitialize(unit.unit) == noErr && AudioOutputUnitStart(unit.unit) == noErr)
        let memory = (0..<2).map { _ in UnsafeMutablePointer<Float>.allocate(capacity: 512) }
        let planes = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: 2)
        planes.initialize(from: memory, count: 2)
        defer {
            memory.forEach { $0.deallocate() }
            planes.deallocate()
        }
        _ = device.crank(planes, frameCount: 512)
        let count = allocations {
            var block = 0
            while block < 8 {
                _ = device.crank(planes, frameCount: 512)
                block += 1
            }
        }
        #expect(count == 0 && planes[1][511] == 0.25)
    }
}
