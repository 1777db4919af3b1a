import AVFAudio
import CoreAudioTypes
import Foundation
import Synchronization
import SyrinxTestSupport
import Testing

/// The input and the notes of a program that renders a unit by calls.
private final class Host: @unchecked Sendable {
    // Unchecked: one thread has it.
    var sound: [Float] = []
    var position = 0
    var status: OSStatus = noErr
    var notes: [UInt32] = []
    /// Points buffers at memory of its own instead of filling them.
    var lends = false
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: 4_096)

    deinit { memory.deallocate() }

    var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static let pull: AURenderCallback = { context, _, _, _, count, data in
        Unmanaged<Host>.fromOpaque(context)._withUnsafeGuaranteedRef { host in
            guard let list = UnsafeMutableAudioBufferListPointer(data) else { return -1 }
            let count = Int(count)
            var index = 0
            while index < list.count {
                if host.lends {
                    guard list[index].mData == nil else { return -2 }
                    list[index].mData = UnsafeMutableRawPointer(host.memory)
                }
                guard let samples = list[index].mData?.assumingMemoryBound(to: Float.self) else { return -3 }
                var frame = 0
                while frame < count {
                    let place = host.position + frame
                    samples[frame] = place < host.sound.count ? host.sound[place] : 0
                    frame += 1
                }
                index += 1
            }
            host.position += count
            return host.status
        }
    }

    static let note: AURenderCallback = { context, flags, _, _, _, _ in
        Unmanaged<Host>.fromOpaque(context).takeUnretainedValue().notes.append(flags.pointee.rawValue)
        return noErr
    }

    var callback: AURenderCallbackStruct { AURenderCallbackStruct(inputProc: Host.pull, inputProcRefCon: context) }
}

@Suite("Rendering by calls") struct RenderCallTests {
    private func makeUnit(_ subtype: OSType = kAudioUnitSubType_LowPassFilter, channels: UInt32 = 1) throws
        -> CalledUnit
    {
        let unit = try #require(CalledUnit(kAudioUnitType_Effect, subtype))
        for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
            try #require(unit.set(kAudioUnitProperty_StreamFormat, planarFloats(44_100, channels), scope) == noErr)
        }
        try #require(unit.set(kAudioUnitProperty_MaximumFramesPerSlice, UInt32(512)) == noErr)
        return unit
    }

    /// Renders `count` frames in blocks, into buffers of the unit's or of the caller's.
    private func render(
        _ unit: CalledUnit,
        _ count: Int,
        block: Int = 512,
        ownMemory: Bool = true,
        failing expected: OSStatus = noErr
    ) -> [Float] {
        var samples: [Float] = []
        var time = AudioTimeStamp()
        time.mFlags = .sampleTimeValid
        let list = AudioBufferList.allocate(maximumBuffers: 1)
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: block)
        defer {
            list.unsafeMutablePointer.deallocate()
            memory.deallocate()
        }
        while samples.count < count {
            let frames = min(block, count - samples.count)
            let data = ownMemory ? UnsafeMutableRawPointer(memory) : nil
            list[0] = AudioBuffer(mNumberChannels: 1, mDataByteSize: UInt32(4 * frames), mData: data)
            time.mSampleTime = Double(samples.count)
            let status = AudioUnitRender(unit.unit, nil, &time, 0, UInt32(frames), list.unsafeMutablePointer)
            #expect(status == expected)
            guard status == noErr, let data = list[0].mData else { return samples }
            let start = data.assumingMemoryBound(to: Float.self)
            samples += UnsafeBufferPointer(start: start, count: frames)
        }
        return samples
    }

    private func inAnEngine(_ sound: [Float], _ change: (AVAudioUnitEffect) -> Void = { _ in }) throws -> [Float] {
        var description = AudioComponentDescription()
        description.componentType = kAudioUnitType_Effect
        description.componentSubType = kAudioUnitSubType_LowPassFilter
        let effect = AVAudioUnitEffect(audioComponentDescription: description)
        let rig = try OfflineRig(channels: 1)
        let player = AVAudioPlayerNode()
        rig.engine.attach(player)
        rig.engine.attach(effect)
        rig.engine.connect(player, to: effect, format: rig.format)
        rig.engine.connect(effect, to: rig.engine.mainMixerNode, format: rig.format)
        player.scheduleBuffer(buffer([sound]))
        player.play()
        change(effect)
        try rig.engine.start()
        return try rig.render(sound.count)[0]
    }

    @Test("A unit with a callback gives what it gives in an engine", arguments: [false, true], [512, 100])
    func matchesTheEngine(_ ownMemory: Bool, _ block: Int) throws {
        let unit = try makeUnit()
        let host = Host()
        host.sound = noise(4_096)
        #expect(unit.set(kAudioUnitProperty_SetRenderCallback, host.callback, kAudioUnitScope_Input) == noErr)
        #expect(AudioUnitInitialize(unit.unit) == noErr)
        let output = render(unit, 4_096, block: block, ownMemory: ownMemory)
        #expect(try output == inAnEngine(host.sound))
    }

    @Test("A callback may point buffers at memory of its own")
    func lends() throws {
        let unit = try makeUnit()
        let host = Host()
        host.sound = noise(1_024)
        host.lends = true
        #expect(unit.set(kAudioUnitProperty_SetRenderCallback, host.callback, kAudioUnitScope_Input) == noErr)
        #expect(unit.set(kAudioUnitProperty_ShouldAllocateBuffer, UInt32(0), kAudioUnitScope_Input) == noErr)
        var allocates: UInt32 = 9
        #expect(unit.get(kAudioUnitProperty_ShouldAllocateBuffer, &allocates, kAudioUnitScope_Input) == noErr)
        #expect(allocates == 0)
        #expect(AudioUnitInitialize(unit.unit) == noErr)
        #expect(try render(unit, 1_024) == inAnEngine(host.sound))
        AudioUnitUninitialize(unit.unit)
        #expect(unit.set(kAudioUnitProperty_ShouldAllocateBuffer, UInt32(0), kAudioUnitScope_Output) == noErr)
        #expect(AudioUnitInitialize(unit.unit) == noErr)
        #expect(render(unit, 512, ownMemory: false, failing: kAudio_ParamError).isEmpty)
    }

    @Test("Resets and bypass are those of the unit, and bypass is faded")
    func resetsAndBypass() throws {
        let unit = try makeUnit()
        let host = Host()
        host.sound = noise(1_024)
        #expect(unit.set(kAudioUnitProperty_SetRenderCallback, host.callback, kAudioUnitScope_Input) == noErr)
        #expect(AudioUnitInitialize(unit.unit) == noErr)
        let first = render(unit, 1_024)
        host.position = 0
        let second = render(unit, 1_024)
        host.position = 0
        #expect(AudioUnitReset(unit.unit, kAudioUnitScope_Global, 0) == noErr)
        #expect(render(unit, 1_024) == first && first != second)
        #expect(unit.set(kAudioUnitProperty_BypassEffect, UInt32(1)) == noErr)
        host.position = 0
        let bypassed = render(unit, 1_024)
        #expect(bypassed[400...] == host.sound[400...] && bypassed[..<100] != host.sound[..<100])
    }

    @Test("Scheduled parameters change at their frames and along their ramps")
    func schedules() throws {
        func rendered(_ block: Int, _ events: [AudioUnitParameterEvent]) throws -> [Float] {
            let unit = try makeUnit()
            let host = Host()
            host.sound = noise(4_096)
            #expect(unit.set(kAudioUnitProperty_SetRenderCallback, host.callback, kAudioUnitScope_Input) == noErr)
            #expect(AudioUnitInitialize(unit.unit) == noErr)
            #expect(AudioUnitScheduleParameters(unit.unit, events, UInt32(events.count)) == noErr)
            return render(unit, 4_096, block: block)
        }
        var step = AudioUnitParameterEvent()
        step.eventType = .parameterEvent_Immediate
        step.eventValues.immediate.bufferOffset = 300
        step.eventValues.immediate.value = 200
        var ramp = AudioUnitParameterEvent()
        ramp.eventType = .parameterEvent_Ramped
        ramp.eventValues.ramp.startBufferOffset = 400
        ramp.eventValues.ramp.durationInFrames = 2_000
        ramp.eventValues.ramp.startValue = 6_900
        ramp.eventValues.ramp.endValue = 100
        let plain = try rendered(512, [])
        let stepped = try rendered(512, [step])
        #expect(stepped[..<300] == plain[..<300] && stepped[300..<512] != plain[300..<512])
        #expect(try rendered(100, [step]) == stepped)
        let ramped = try rendered(512, [ramp])
        #expect(ramped[..<400] == plain[..<400] && ramped[2_000...] != plain[2_000...])
        #expect(try rendered(64, [ramp]) == ramped)
        let unit = try makeUnit()
        step.parameter = 9
        #expect(AudioUnitScheduleParameters(unit.unit, &step, 1) == kAudioUnitErr_InvalidParameter)
        step.parameter = 0
        step.scope = kAudioUnitScope_Input
        #expect(AudioUnitScheduleParameters(unit.unit, &step, 1) == kAudioUnitErr_InvalidScope)
        step.scope = kAudioUnitScope_Global
        step.eventValues.immediate.value = .nan
        #expect(AudioUnitScheduleParameters(unit.unit, &step, 1) == kAudioUnitErr_InvalidParameterValue)
        step.eventValues.immediate.bufferOffset = .max
        #expect(AudioUnitScheduleParameters(unit.unit, &step, 1) == kAudio_ParamError)
        ramp.eventValues.ramp.startBufferOffset = -1
        #expect(AudioUnitScheduleParameters(unit.unit, &ramp, 1) == kAudio_ParamError)
        ramp.eventType = AUParameterEventType(rawValue: 77) ?? .parameterEvent_Ramped
        #expect(AudioUnitScheduleParameters(unit.unit, &ramp, 1) == kAudio_ParamError)
    }

    @Test("Notifications come before and after each render, and say whether it failed")
    func notifies() throws {
        let unit = try makeUnit()
        let host = Host()
        #expect(AudioUnitAddRenderNotify(unit.unit, Host.note, host.context) == noErr)
        #expect(unit.set(kAudioUnitProperty_SetRenderCallback, host.callback, kAudioUnitScope_Input) == noErr)
        #expect(AudioUnitInitialize(unit.unit) == noErr)
        _ = render(unit, 512)
        host.status = -7
        _ = render(unit, 512, failing: -7)
        let expected: [UInt32] = [4, 8, 4, 8 + 256]
        #expect(host.notes == expected)
        var failure: OSStatus = 0
        #expect(unit.get(kAudioUnitProperty_LastRenderError, &failure) == noErr && failure == -7)
        #expect(unit.get(kAudioUnitProperty_LastRenderError, &failure) == noErr && failure == noErr)
        #expect(AudioUnitRemoveRenderNotify(unit.unit, Host.note, nil) == noErr)
        _ = render(unit, 512, failing: -7)
        #expect(AudioUnitRemoveRenderNotify(unit.unit, Host.note, host.context) == noErr)
        _ = render(unit, 512, failing: -7)
        #expect(host.notes.count == 6)
    }

    @Test("A render that cannot be says why, and touches nothing")
    func failures() throws {
        let unit = try makeUnit(channels: 2)
        var time = AudioTimeStamp()
        let list = AudioBufferList.allocate(maximumBuffers: 3)
        defer { list.unsafeMutablePointer.deallocate() }
        func render(_ frames: UInt32, bus: UInt32 = 0) -> OSStatus {
            AudioUnitRender(unit.unit, nil, &time, bus, frames, list.unsafeMutablePointer)
        }
        list.count = 2
        #expect(render(64) == kAudioUnitErr_Uninitialized)
        #expect(AudioUnitInitialize(unit.unit) == noErr)
        #expect(render(64) == kAudioUnitErr_NoConnection)
        #expect(
            render(513) == kAudioUnitErr_TooManyFramesToProcess && render(.max) == kAudioUnitErr_TooManyFramesToProcess
        )
        #expect(
            render(64, bus: 1) == kAudioUnitErr_InvalidElement && render(64, bus: .max) == kAudioUnitErr_InvalidElement
        )
        list.count = 3
        #expect(render(64) == kAudio_ParamError)
        list.count = 2
        var small: [Float] = [0, 0]
        small.withUnsafeMutableBytes { bytes in
            list[0] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 8, mData: bytes.baseAddress)
            #expect(render(64) == kAudio_ParamError)
        }
        list[0].mData = nil
        #expect(AudioUnitUninitialize(unit.unit) == noErr)
        #expect(render(64) == kAudioUnitErr_Uninitialized)
        // What gives another number of frames than it takes needs an engine.
        let pitch = try #require(CalledUnit(kAudioUnitType_FormatConverter, kAudioUnitSubType_NewTimePitch))
        #expect(AudioUnitInitialize(pitch.unit) == kAudioUnitErr_FormatNotSupported)
    }

    @Test("A unit cannot be uninitialised, nor rendered again, by its own callback")
    func rendersAreNotNested() throws {
        let unit = try makeUnit()
        final class Nested: @unchecked Sendable {
            // Unchecked: one thread has it.
            let unit: AudioUnit
            var statuses: [OSStatus] = []
            init(_ unit: AudioUnit) { self.unit = unit }
        }
        let nested = Nested(unit.unit)
        let callback = AURenderCallbackStruct(
            inputProc: { context, flags, time, _, count, data in
                let nested = Unmanaged<Nested>.fromOpaque(context).takeUnretainedValue()
                guard let data else { return -1 }
                nested.statuses.append(AudioUnitUninitialize(nested.unit))
                nested.statuses.append(AudioUnitRender(nested.unit, flags, time, 0, count, data))
                // A callback may replace itself.
                let none = AURenderCallbackStruct(inputProc: nil, inputProcRefCon: nil)
                nested.statuses.append(
                    nested.unit.set(kAudioUnitProperty_SetRenderCallback, none, kAudioUnitScope_Input)
                )
                return noErr
            },
            inputProcRefCon: Unmanaged.passUnretained(nested).toOpaque()
        )
        #expect(unit.set(kAudioUnitProperty_SetRenderCallback, callback, kAudioUnitScope_Input) == noErr)
        #expect(AudioUnitInitialize(unit.unit) == noErr)
        _ = render(unit, 512)
        let refused = kAudioUnitErr_CannotDoInCurrentContext
        #expect(nested.statuses == [refused, refused, noErr])
        _ = render(unit, 512, failing: kAudioUnitErr_NoConnection)
    }

    @Test("Rendering by calls allocates nothing")
    func allocatesNothing() throws {
        let unit = try makeUnit(kAudioUnitSubType_Delay)
        let host = Host()
        host.sound = noise(4_096)
        #expect(unit.set(kAudioUnitProperty_SetRenderCallback, host.callback, kAudioUnitScope_Input) == noErr)
        let quiet: AURenderCallback = { _, _, _, _, _, _ in noErr }
        #expect(AudioUnitAddRenderNotify(unit.unit, quiet, nil) == noErr)
        #expect(AudioUnitInitialize(unit.unit) == noErr)
        let list = AudioBufferList.allocate(maximumBuffers: 1)
        let time = UnsafeMutablePointer<AudioTimeStamp>.allocate(capacity: 1)
        time.initialize(to: AudioTimeStamp())
        defer {
            list.unsafeMutablePointer.deallocate()
            time.deallocate()
        }
        let handle = unit.unit
        let data = list.unsafeMutablePointer
        // Once before: code is linked when it is first called.
        #expect(AudioUnitRender(handle, nil, time, 0, 512, data) == noErr)
        let failures = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        failures.initialize(to: 0)
        defer { failures.deallocate() }
        let count = allocations {
            var block = 0
            while block < 8 {
                if AudioUnitRender(handle, nil, time, 0, 512, data) != noErr { failures.pointee += 1 }
                block += 1
            }
        }
        #expect(count == 0 && failures.pointee == 0)
    }
}
