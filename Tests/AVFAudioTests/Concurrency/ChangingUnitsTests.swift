import AVFAudio
import CoreAudioTypes
import Foundation
import SyrinxTestSupport
import Testing

@Suite("Units that are changed while they render") struct ChangingUnitsTests {
    private static let effects: [OSType] = [
        kAudioUnitSubType_NBandEQ, kAudioUnitSubType_Delay, kAudioUnitSubType_Distortion,
        kAudioUnitSubType_MatrixReverb,
        kAudioUnitSubType_LowPassFilter, kAudioUnitSubType_HighPassFilter, kAudioUnitSubType_BandPassFilter,
        kAudioUnitSubType_LowShelfFilter, kAudioUnitSubType_HighShelfFilter, kAudioUnitSubType_ParametricEQ,
        kAudioUnitSubType_DynamicsProcessor, kAudioUnitSubType_MultiBandCompressor, kAudioUnitSubType_PeakLimiter,
    ]

    private static func unit(_ type: OSType, _ subtype: OSType) async throws -> AVAudioUnit {
        var description = AudioComponentDescription()
        description.componentType = type
        description.componentSubType = subtype
        return try await AVAudioUnit.instantiate(with: description)
    }

    /// Sets, schedules and reads everything that a unit has, in ways that programs do on different threads.
    private static func changes(_ unit: AVAudioUnit) -> [@Sendable (Int) -> Void] {
        let hosted = unit.auAudioUnit
        let parameters = hosted.parameterTree?.allParameters.filter { !$0.flags.contains(.flag_MeterReadOnly) } ?? []
        let schedule = hosted.scheduleParameterBlock
        // Unsafe: calls may be made from any thread.
        nonisolated(unsafe) let handle = unit.audioUnit
        return [
            { step in
                guard !parameters.isEmpty else { return }
                let parameter = parameters[step % parameters.count]
                let value = scattered(step, parameter.minValue...parameter.maxValue)
                AudioUnitSetParameter(handle, UInt32(parameter.address), kAudioUnitScope_Global, 0, value, 0)
                parameter.value = scattered(step + 1, parameter.minValue...parameter.maxValue)
            },
            { step in
                guard !parameters.isEmpty else { return }
                let parameter = parameters[(step * 7) % parameters.count]
                let time = AUEventSampleTimeImmediate + Int64(step % 512)
                let value = scattered(step, parameter.minValue...parameter.maxValue)
                schedule(time, AUAudioFrameCount(step % 3 * 500), parameter.address, value)
            },
            { step in
                hosted.shouldBypassEffect = step % 3 == 0
                if let presets = hosted.factoryPresets { hosted.currentPreset = presets[step % presets.count] }
                if step % 5 == 0 { unit.reset() }
                let state = hosted.fullState
                if step % 7 == 0 { hosted.fullState = state }
                _ = (hosted.latency, hosted.tailTime, hosted.currentPreset)
            },
            { step in
                var value: Float = 0
                for parameter in parameters.prefix(4) {
                    AudioUnitGetParameter(handle, UInt32(parameter.address), kAudioUnitScope_Global, 0, &value)
                }
                var isBypassed: UInt32 = 0
                _ = handle.get(kAudioUnitProperty_BypassEffect, &isBypassed)
                _ = handle.set(kAudioUnitProperty_BypassEffect, UInt32(step % 2))
                var format = AudioStreamBasicDescription()
                _ = handle.get(kAudioUnitProperty_StreamFormat, &format, kAudioUnitScope_Output)
            },
        ]
    }

    @Test("Parameters, presets, bypass, state and automation change from several threads", arguments: effects)
    func effectsAreChanged(_ subtype: OSType) async throws {
        let unit = try await Self.unit(kAudioUnitType_Effect, subtype)
        let rig = BusyRig()
        let player = rig.addPlayer()
        rig.engine.attach(unit)
        rig.engine.connect(player, to: unit, format: rig.format)
        rig.engine.connect(unit, to: rig.engine.mainMixerNode, format: rig.format)
        try rig.engine.start()
        rig.render(blocks: 60, while: Self.changes(unit))
        // So that something is heard even if the wet sound of a long delay was reset before it came.
        unit.auAudioUnit.shouldBypassEffect = true
        rig.render(blocks: 20, while: [])
        // Gains of up to 40 dB, on top of each other in an equaliser's bands.
        #expect(rig.peak.isFinite && rig.peak > 0)
    }

    @Test(
        "Rate and pitch change from several threads",
        arguments: [kAudioUnitSubType_NewTimePitch, kAudioUnitSubType_Varispeed]
    )
    func ratesAreChanged(_ subtype: OSType) async throws {
        let unit = try await Self.unit(kAudioUnitType_FormatConverter, subtype)
        let rig = BusyRig()
        let player = rig.addPlayer()
        rig.engine.attach(unit)
        rig.engine.connect(player, to: unit, format: rig.format)
        rig.engine.connect(unit, to: rig.engine.mainMixerNode, format: rig.format)
        try rig.engine.start()
        let pitch = unit as? AVAudioUnitTimePitch
        // From a quarter on, so that a block of output asks for a bounded number of frames.
        let rates: [@Sendable (Int) -> Void] = [
            { step in
                AudioUnitSetParameter(unit.audioUnit, 0, kAudioUnitScope_Global, 0, scattered(step, 0.25...4), 0)
            },
            { step in
                AudioUnitSetParameter(unit.audioUnit, 1, kAudioUnitScope_Global, 0, scattered(step, -1_200...1_200), 0)
                (unit as? AVAudioUnitTimeEffect)?.bypass = step % 5 == 0
                if step % 11 == 0 { unit.reset() }
            },
            { step in
                pitch?.overlap = scattered(step, 3...32)
                pitch?.algorithm = AVAudioUnitTimePitch.Algorithm.allCases[step % 3]
                pitch?.preservesFormants = step % 2 == 0
                _ = (unit.latency, unit.tailTime, pitch?.responseTime, player.lastRenderTime)
            },
        ]
        rig.render(blocks: 60, while: rates)
        #expect(rig.peak > 0 && rig.peak < 8)
    }

    @Test("A unit of the program's own is set, scheduled and bypassed from several threads")
    func hostedUnitsAreChanged() async throws {
        GainUnit.registered
        let unit = try await AVAudioUnit.instantiate(with: GainUnit.description)
        let rig = BusyRig()
        let player = rig.addPlayer()
        rig.engine.attach(unit)
        rig.engine.connect(player, to: unit, format: rig.format)
        rig.engine.connect(unit, to: rig.engine.mainMixerNode, format: rig.format)
        try rig.engine.start()
        rig.render(while: Self.changes(unit))
        unit.auAudioUnit.shouldBypassEffect = true
        rig.render(blocks: 20, while: [])
        #expect(rig.peak > 0 && rig.peak < 4)
    }

    @Test("A unit that a program renders is set, and given other callbacks, meanwhile")
    func calledUnitsAreChanged() throws {
        let made = try #require(CalledUnit(kAudioUnitType_Effect, kAudioUnitSubType_Delay))
        // Unsafe: calls may be made from any thread.
        nonisolated(unsafe) let unit = made.unit
        // Unsafe: a function and no pointer.
        nonisolated(unsafe) let callback = AURenderCallbackStruct(
            inputProc: { _, _, _, _, count, data in
                guard let list = UnsafeMutableAudioBufferListPointer(data) else { return -1 }
                for buffer in list {
                    let samples = buffer.mData?.assumingMemoryBound(to: Float.self)
                    for frame in 0..<Int(count) { samples?[frame] = 0.25 }
                }
                return noErr
            },
            inputProcRefCon: nil
        )
        #expect(unit.set(kAudioUnitProperty_SetRenderCallback, callback, kAudioUnitScope_Input) == noErr)
        #expect(AudioUnitInitialize(unit) == noErr)
        let notification: AURenderCallback = { _, _, _, _, _, _ in noErr }
        let list = AudioBufferList.allocate(maximumBuffers: 2)
        defer { list.unsafeMutablePointer.deallocate() }
        var time = AudioTimeStamp()
        var peak: Float = 0
        var statuses: Set<OSStatus> = []
        let changes: [@Sendable (Int) -> Void] = [
            { step in
                AudioUnitSetParameter(unit, 1, kAudioUnitScope_Global, 0, scattered(step, 0...0.01), 0)
                AudioUnitSetParameter(unit, 0, kAudioUnitScope_Global, 0, scattered(step, 0...100), 0)
                var event = AudioUnitParameterEvent()
                event.parameter = 2
                event.eventType = .parameterEvent_Immediate
                event.eventValues.immediate.value = scattered(step, -100...100)
                AudioUnitScheduleParameters(unit, &event, 1)
            },
            { step in
                AudioUnitAddRenderNotify(unit, notification, nil)
                AudioUnitRemoveRenderNotify(unit, notification, nil)
                let none = AURenderCallbackStruct(inputProc: nil, inputProcRefCon: nil)
                _ = unit.set(
                    kAudioUnitProperty_SetRenderCallback,
                    step % 2 == 0 ? none : callback,
                    kAudioUnitScope_Input
                )
            },
            { step in
                _ = unit.set(kAudioUnitProperty_BypassEffect, UInt32(step % 2))
                AudioUnitReset(unit, kAudioUnitScope_Global, 0)
                var error: OSStatus = 0
                _ = unit.get(kAudioUnitProperty_LastRenderError, &error)
            },
            { _ in
                AudioUnitUninitialize(unit)
                AudioUnitInitialize(unit)
            },
        ]
        func render(_ size: Int) {
            for channel in 0..<2 { list[channel] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 0, mData: nil) }
            let status = AudioUnitRender(unit, nil, &time, 0, UInt32(size), list.unsafeMutablePointer)
            statuses.insert(status)
            time.mSampleTime += Double(size)
            guard status == noErr, let samples = list[1].mData?.assumingMemoryBound(to: Float.self) else { return }
            peak = max(peak, abs(samples[0]))
        }
        for size in whileChanging(changes, blocks: 2_000) { render(size) }
        // However the threads took turns, it sounds once they are done.
        AudioUnitInitialize(unit)
        #expect(unit.set(kAudioUnitProperty_SetRenderCallback, callback, kAudioUnitScope_Input) == noErr)
        #expect(unit.set(kAudioUnitProperty_BypassEffect, UInt32(1)) == noErr)
        for _ in 0..<10 { render(512) }
        let expected: Set<OSStatus> = [noErr, kAudioUnitErr_Uninitialized, kAudioUnitErr_NoConnection]
        #expect(statuses.isSubset(of: expected) && statuses.contains(noErr) && peak > 0 && peak < 8)
    }

    @Test("An output unit's callbacks, notifications and device are replaced while it plays")
    func outputUnitsAreChanged() throws {
        let made = try #require(CalledUnit(kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput))
        // Unsafe: calls may be made from any thread.
        nonisolated(unsafe) let unit = made.unit
        let device = ManualOutput()
        let other = ManualOutput()
        let numbers = [AudioDeviceNumbers.number(of: device), AudioDeviceNumbers.number(of: other)]
        #expect(unit.set(kAudioOutputUnitProperty_CurrentDevice, numbers[0]) == noErr)
        let loud: AURenderCallback = { _, _, _, _, count, data in
            guard let list = UnsafeMutableAudioBufferListPointer(data) else { return -1 }
            for buffer in list {
                let samples = buffer.mData?.assumingMemoryBound(to: Float.self)
                for frame in 0..<Int(count) { samples?[frame] = 0.5 }
            }
            return noErr
        }
        #expect(AudioUnitInitialize(unit) == noErr && AudioOutputUnitStart(unit) == noErr)
        let changes: [@Sendable (Int) -> Void] = [
            { step in
                let callback = AURenderCallbackStruct(inputProc: step % 3 == 0 ? nil : loud, inputProcRefCon: nil)
                _ = unit.set(kAudioUnitProperty_SetRenderCallback, callback, kAudioUnitScope_Input)
            },
            { _ in
                AudioUnitAddRenderNotify(unit, loud, nil)
                AudioUnitRemoveRenderNotify(unit, loud, nil)
            },
            { step in
                _ = unit.set(kAudioOutputUnitProperty_StartTimestampsAtZero, UInt32(step % 2))
                var value: UInt32 = 0
                _ = unit.get(kAudioOutputUnitProperty_IsRunning, &value)
                _ = unit.get(kAudioOutputUnitProperty_CurrentDevice, &value)
            },
            { step in
                if step % 2 == 0 { AudioOutputUnitStop(unit) } else { AudioOutputUnitStart(unit) }
                if step % 4 == 3 { _ = unit.set(kAudioOutputUnitProperty_CurrentDevice, numbers[step / 4 % 2]) }
            },
        ]
        var peak: Float = 0
        func render(_ size: Int) {
            for sample in device.render(frameCount: size)[0] + other.render(frameCount: size)[0] {
                peak = max(peak, abs(sample))
            }
        }
        for size in whileChanging(changes, blocks: 400) { render(size) }
        // However the threads took turns, it sounds once they are done.
        let callback = AURenderCallbackStruct(inputProc: loud, inputProcRefCon: nil)
        #expect(unit.set(kAudioUnitProperty_SetRenderCallback, callback, kAudioUnitScope_Input) == noErr)
        #expect(AudioOutputUnitStart(unit) == noErr)
        for _ in 0..<10 { render(512) }
        #expect(peak > 0.4 && peak <= 0.5)
        #expect(AudioOutputUnitStop(unit) == noErr)
    }
}
