import AVFAudio
import CoreAudioTypes
import Foundation
import Synchronization
import SyrinxTestSupport
import Testing

@Suite("Properties by calls") struct PropertyCallTests {
    private let global = kAudioUnitScope_Global

    private func made(_ subtype: OSType, type: OSType = kAudioUnitType_Effect) throws -> CalledUnit {
        try #require(CalledUnit(type, subtype))
    }

    @Test("Parameters are listed and described")
    func parameters() throws {
        let delay = AVAudioUnitDelay()
        let unit = delay.audioUnit
        #expect(try #require(unit.info(kAudioUnitProperty_ParameterList)).size == 16)
        #expect(try #require(unit.info(kAudioUnitProperty_ParameterList, kAudioUnitScope_Input)).size == 0)
        var ids = [AudioUnitParameterID](repeating: 99, count: 4)
        var size: UInt32 = 16
        #expect(AudioUnitGetProperty(unit, kAudioUnitProperty_ParameterList, global, 0, &ids, &size) == noErr)
        #expect(ids == [0, 1, 2, 3])
        var info = AudioUnitParameterInfo()
        delay.feedback = -70
        #expect(unit.get(kAudioUnitProperty_ParameterInfo, &info, global, 2) == noErr)
        #expect(info.minValue == -100 && info.maxValue == 100 && info.defaultValue == 50 && info.unit == .percent)
        #expect(info.cfNameString?.takeUnretainedValue() == NSString(string: "Feedback"))
        #expect(withUnsafeBytes(of: info.name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) } == "Feedback")
        let flags: AudioUnitParameterOptions = [.flag_IsReadable, .flag_IsWritable, .flag_HasCFNameString]
        #expect(info.flags.isSuperset(of: flags) && !info.flags.contains(.flag_CFNameRelease))
        #expect(unit.get(kAudioUnitProperty_ParameterInfo, &info, global, 4) == kAudioUnitErr_InvalidParameter)
        // The layout is that of C.
        #expect(MemoryLayout<AudioUnitParameterInfo>.stride == 104)
        #expect(MemoryLayout<AudioUnitParameterInfo>.offset(of: \.cfNameString) == 72)
        #expect(MemoryLayout<AUPreset>.size == 16 && MemoryLayout<AudioUnitParameterUnit>.size == 4)
    }

    @Test("Values have texts, and texts values")
    func texts() throws {
        let equaliser = AVAudioUnitEQ(numberOfBands: 1)
        let unit = equaliser.audioUnit
        var value: Float = 2
        let text = try withUnsafePointer(to: &value) { value in
            var question = AudioUnitParameterStringFromValue(inParamID: 2_000, inValue: value)
            #expect(unit.get(kAudioUnitProperty_ParameterStringFromValue, &question) == noErr)
            return try #require(question.outString).takeRetainedValue()
        }
        var question = AudioUnitParameterValueFromString(inParamID: 2_000, inString: .passUnretained(text))
        #expect(unit.get(kAudioUnitProperty_ParameterValueFromString, &question) == noErr && question.outValue == 2)
        var strings: NSArray?
        #expect(unit.get(kAudioUnitProperty_ParameterValueStrings, &strings, global, 2_000) == noErr)
        #expect(try #require(strings).count == 11 && strings?.object(at: 2) as? NSString == text)
        #expect(
            unit.get(kAudioUnitProperty_ParameterValueStrings, &strings, global, 0) == kAudioUnitErr_InvalidProperty
        )
        question.inString = nil
        #expect(
            unit.get(kAudioUnitProperty_ParameterValueFromString, &question) == kAudioUnitErr_InvalidPropertyValue
        )
        question.inParamID = 77
        #expect(unit.get(kAudioUnitProperty_ParameterValueFromString, &question) == kAudioUnitErr_InvalidParameter)
    }

    @Test("Presets and rooms are shared with the node")
    func presets() throws {
        let reverb = AVAudioUnitReverb()
        let unit = reverb.audioUnit
        var presets: CFArray?
        #expect(unit.get(kAudioUnitProperty_FactoryPresets, &presets) == noErr)
        let list = try #require(presets)
        #expect(CFArrayGetCount(list) == 13 && CFArrayGetValueAtIndex(list, 13) == nil)
        let cathedral = try #require(CFArrayGetValueAtIndex(list, 8)).assumingMemoryBound(to: AUPreset.self).pointee
        #expect(
            cathedral.presetNumber == 8 && cathedral.presetName?.takeUnretainedValue() == NSString(string: "cathedral")
        )
        #expect(unit.set(kAudioUnitProperty_PresentPreset, cathedral) == noErr)
        #expect(reverb.auAudioUnit.currentPreset?.number == 8)
        var room: UInt32 = 99
        #expect(unit.get(kAudioUnitProperty_ReverbRoomType, &room) == noErr && room == 8)
        #expect(unit.set(kAudioUnitProperty_ReverbRoomType, AUReverbRoomType.reverbRoomType_Plate.rawValue) == noErr)
        var present = AUPreset()
        #expect(unit.get(kAudioUnitProperty_PresentPreset, &present) == noErr && present.presetNumber == 5)
        #expect(present.presetName?.takeRetainedValue() == NSString(string: "plate"))
        #expect(unit.set(kAudioUnitProperty_ReverbRoomType, UInt32(13)) == kAudioUnitErr_InvalidPropertyValue)
        present = AUPreset(presetNumber: 77)
        #expect(unit.set(kAudioUnitProperty_PresentPreset, present) == kAudioUnitErr_InvalidPropertyValue)
        let own = NSString(string: "mine")
        #expect(
            unit.set(kAudioUnitProperty_PresentPreset, AUPreset(presetNumber: -1, presetName: .passUnretained(own)))
                == noErr
        )
        #expect(reverb.auAudioUnit.currentPreset?.name == "mine")
        let delay = AVAudioUnitDelay()
        #expect(delay.audioUnit.get(kAudioUnitProperty_FactoryPresets, &presets) == kAudioUnitErr_InvalidProperty)
        #expect(delay.audioUnit.get(kAudioUnitProperty_ReverbRoomType, &room) == kAudioUnitErr_InvalidProperty)
    }

    @Test("A state is carried to another unit of the kind, and no other")
    func state() throws {
        let delay = AVAudioUnitDelay()
        delay.delayTime = 0.25
        var info: NSDictionary?
        #expect(delay.audioUnit.get(kAudioUnitProperty_ClassInfo, &info) == noErr)
        let state = try #require(info)
        #expect((state["subtype"] as? NSNumber)?.uint32Value == kAudioUnitSubType_Delay)
        let other = AVAudioUnitDelay()
        #expect(other.audioUnit.set(kAudioUnitProperty_ClassInfo, Unmanaged.passUnretained(state)) == noErr)
        #expect(other.delayTime == 0.25)
        let reverb = AVAudioUnitReverb()
        let refused = reverb.audioUnit.set(kAudioUnitProperty_ClassInfo, Unmanaged.passUnretained(state))
        #expect(refused == kAudioUnitErr_InvalidPropertyValue)
        #expect(reverb.audioUnit.set(kAudioUnitProperty_ClassInfo, UInt(0)) == kAudioUnitErr_InvalidPropertyValue)
        let text = NSString(string: "no dictionary")
        let wrong = reverb.audioUnit.set(kAudioUnitProperty_ClassInfo, Unmanaged.passUnretained(text))
        #expect(wrong == kAudioUnitErr_InvalidPropertyValue)
    }

    @Test("Bypass, latency, tail and quality are those of the node")
    func values() throws {
        let limiter = try made(kAudioUnitSubType_PeakLimiter)
        var latency = 0.0
        // The attack, and 80 frames of the interpolation.
        #expect(limiter.get(kAudioUnitProperty_Latency, &latency) == noErr)
        #expect(abs(latency - 0.012 - 80.0 / 44_100) < 0.000_2)
        let delay = AVAudioUnitDelay()
        var tail = 0.0
        #expect(delay.audioUnit.get(kAudioUnitProperty_TailTime, &tail) == noErr && tail == delay.tailTime && tail > 1)
        #expect(delay.audioUnit.set(kAudioUnitProperty_BypassEffect, UInt32(1)) == noErr && delay.bypass)
        delay.bypass = false
        var isBypassed: UInt32 = 9
        #expect(delay.audioUnit.get(kAudioUnitProperty_BypassEffect, &isBypassed) == noErr && isBypassed == 0)
        #expect(delay.audioUnit.set(kAudioUnitProperty_TailTime, 1.0) == kAudioUnitErr_PropertyNotWritable)
        let sampler = AVAudioUnitSampler()
        #expect(sampler.audioUnit.get(kAudioUnitProperty_BypassEffect, &isBypassed) == kAudioUnitErr_InvalidProperty)
        var quality: UInt32 = 0
        #expect(limiter.set(kAudioUnitProperty_RenderQuality, kRenderQuality_Low) == noErr)
        #expect(limiter.get(kAudioUnitProperty_RenderQuality, &quality) == noErr && quality == kRenderQuality_Max)
        #expect(limiter.set(kAudioUnitProperty_RenderQuality, UInt32(128)) == kAudioUnitErr_InvalidPropertyValue)
        var isOffline: UInt32 = 9
        #expect(limiter.set(kAudioUnitProperty_OfflineRender, UInt32(1)) == noErr)
        #expect(limiter.get(kAudioUnitProperty_OfflineRender, &isOffline) == noErr && isOffline == 1)
        let name = NSString(string: "Track 1")
        #expect(delay.audioUnit.set(kAudioUnitProperty_ContextName, Unmanaged.passUnretained(name)) == noErr)
        #expect(delay.auAudioUnit.contextName == "Track 1")
    }

    @Test("Formats are set before a unit is initialised, and refused where they do not fit")
    func formats() throws {
        let unit = try made(kAudioUnitSubType_LowPassFilter)
        let (input, output) = (kAudioUnitScope_Input, kAudioUnitScope_Output)
        var known = AudioStreamBasicDescription()
        let format = planarFloats(48_000, 1)
        #expect(unit.set(kAudioUnitProperty_StreamFormat, format, input) == noErr)
        #expect(AudioUnitInitialize(unit.unit) == kAudioUnitErr_FormatNotSupported)
        #expect(unit.set(kAudioUnitProperty_StreamFormat, format, output) == noErr)
        #expect(unit.get(kAudioUnitProperty_StreamFormat, &known, output) == noErr && known.mSampleRate == 48_000)
        #expect(unit.set(kAudioUnitProperty_SampleRate, 32_000.0) == noErr)
        var rate = 0.0
        #expect(unit.get(kAudioUnitProperty_SampleRate, &rate, input) == noErr && rate == 32_000)
        var short = format
        short.mBitsPerChannel = 16
        #expect(unit.set(kAudioUnitProperty_StreamFormat, short, input) == kAudioUnitErr_FormatNotSupported)
        for description in hostileFormats {
            #expect(unit.set(kAudioUnitProperty_StreamFormat, description, input) == kAudioUnitErr_FormatNotSupported)
        }
        for rate in [0.0, -1, .nan, .infinity, 1e300, 1e-300, 999, 768_001] {
            #expect(unit.set(kAudioUnitProperty_SampleRate, rate, input) == kAudioUnitErr_FormatNotSupported)
        }
        for count in [UInt32(0), .max] {
            #expect(unit.set(kAudioUnitProperty_MaximumFramesPerSlice, count) == kAudioUnitErr_InvalidPropertyValue)
        }
        #expect(unit.set(kAudioUnitProperty_MaximumFramesPerSlice, UInt32(333)) == noErr)
        #expect(AudioUnitInitialize(unit.unit) == noErr && AudioUnitInitialize(unit.unit) == noErr)
        #expect(unit.set(kAudioUnitProperty_StreamFormat, format, input) == kAudioUnitErr_Initialized)
        #expect(unit.set(kAudioUnitProperty_MaximumFramesPerSlice, UInt32(4)) == kAudioUnitErr_Initialized)
        #expect(AudioUnitUninitialize(unit.unit) == noErr)
        #expect(unit.set(kAudioUnitProperty_StreamFormat, format, input) == noErr)
        let sampler = try made(kAudioUnitSubType_Sampler, type: kAudioUnitType_MusicDevice)
        var channels = [AUChannelInfo](repeating: AUChannelInfo(), count: 2)
        var size: UInt32 = 8
        let status = AudioUnitGetProperty(
            sampler.unit,
            kAudioUnitProperty_SupportedNumChannels,
            global,
            0,
            &channels,
            &size
        )
        #expect(status == noErr && channels.map(\.inChannels) == [0, 0] && channels.map(\.outChannels) == [1, 2])
        #expect(
            sampler.set(kAudioUnitProperty_StreamFormat, planarFloats(44_100, 3), output)
                == kAudioUnitErr_FormatNotSupported
        )
    }

    private var hostileFormats: [AudioStreamBasicDescription] {
        let good = planarFloats(44_100, 2)
        var formats = [AudioStreamBasicDescription](repeating: good, count: 6)
        formats[0].mChannelsPerFrame = .max
        formats[1].mChannelsPerFrame = 0
        formats[2].mBytesPerFrame = .max
        formats[3].mSampleRate = .nan
        formats[4].mFormatID = kAudioFormatMPEG4AAC
        formats[5].mBytesPerFrame = 0
        return formats
    }

    @Test("Unknown properties, places and sizes have their own failures")
    func failures() throws {
        let unit = try made(kAudioUnitSubType_Delay)
        var word: UInt32 = 0
        #expect(unit.get(99_999, &word) == kAudioUnitErr_InvalidProperty)
        #expect(unit.set(99_999, word) == kAudioUnitErr_InvalidProperty)
        #expect(unit.unit.info(99_999) == nil)
        for scope in [kAudioUnitScope_Part, kAudioUnitScope_Note, AudioUnitScope.max] {
            #expect(unit.get(kAudioUnitProperty_ElementCount, &word, scope) == kAudioUnitErr_InvalidScope)
        }
        #expect(unit.get(kAudioUnitProperty_ElementCount, &word, kAudioUnitScope_Input) == noErr && word == 1)
        #expect(unit.set(kAudioUnitProperty_ElementCount, UInt32(1), kAudioUnitScope_Input) == noErr)
        #expect(
            unit.set(kAudioUnitProperty_ElementCount, UInt32(2), kAudioUnitScope_Input)
                == kAudioUnitErr_PropertyNotWritable
        )
        var format = AudioStreamBasicDescription()
        for element in [AudioUnitElement(1), .max] {
            let status = unit.get(kAudioUnitProperty_StreamFormat, &format, kAudioUnitScope_Input, element)
            #expect(status == kAudioUnitErr_InvalidElement)
            #expect(
                unit.set(kAudioUnitProperty_StreamFormat, format, kAudioUnitScope_Output, element)
                    == kAudioUnitErr_InvalidElement
            )
        }
        // Sizes that are too small, whatever they say.
        for id in [kAudioUnitProperty_StreamFormat, kAudioUnitProperty_SetRenderCallback] {
            let scope = kAudioUnitScope_Input
            for size in [UInt32(0), 4, 7] {
                #expect(
                    AudioUnitSetProperty(unit.unit, id, scope, 0, &format, size) == kAudioUnitErr_InvalidPropertyValue
                )
            }
            #expect(AudioUnitSetProperty(unit.unit, id, scope, 0, nil, .max) == kAudioUnitErr_InvalidPropertyValue)
        }
        for id in [
            kAudioUnitProperty_ClassInfo, kAudioUnitProperty_ParameterStringFromValue, kAudioUnitProperty_Latency,
        ] {
            var size: UInt32 = 3
            #expect(AudioUnitGetProperty(unit.unit, id, global, 0, &word, &size) == kAudioUnitErr_InvalidPropertyValue)
        }
        let connection = AudioUnitConnection(sourceAudioUnit: unit.unit)
        #expect(
            unit.set(kAudioUnitProperty_MakeConnection, connection, kAudioUnitScope_Input)
                == kAudioUnitErr_PropertyNotWritable
        )
        #expect(unit.unit.info(kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input)?.isWritable == false)
        #expect(unit.unit.info(kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input)?.isWritable == true)
        #expect(AudioUnitReset(unit.unit, global, 0) == noErr)
        #expect(AudioUnitReset(unit.unit, kAudioUnitScope_Note, 0) == kAudioUnitErr_InvalidScope)
        #expect(AudioUnitReset(unit.unit, kAudioUnitScope_Input, 1) == kAudioUnitErr_InvalidElement)
    }

    @Test("Listeners hear of a change until they are removed")
    func listeners() throws {
        let delay = AVAudioUnitDelay()
        let unit = delay.audioUnit
        final class Heard: Sendable { let changes = Mutex<[[UInt32]]>([]) }
        let heard = Heard()
        let context = Unmanaged.passUnretained(heard).toOpaque()
        let listener: AudioUnitPropertyListenerProc = { context, _, id, scope, element in
            let heard = Unmanaged<Heard>.fromOpaque(context).takeUnretainedValue()
            heard.changes.withLock { $0.append([id, scope, element]) }
        }
        #expect(AudioUnitAddPropertyListener(unit, kAudioUnitProperty_BypassEffect, listener, context) == noErr)
        #expect(AudioUnitAddPropertyListener(unit, kAudioUnitProperty_StreamFormat, listener, context) == noErr)
        #expect(unit.set(kAudioUnitProperty_BypassEffect, UInt32(1)) == noErr)
        #expect(unit.set(kAudioUnitProperty_StreamFormat, planarFloats(44_100, 2), kAudioUnitScope_Output) == noErr)
        #expect(unit.set(kAudioUnitProperty_BypassEffect, UInt8(1)) != noErr)
        #expect(heard.changes.withLock { $0 } == [[kAudioUnitProperty_BypassEffect, 0, 0], [8, 2, 0]])
        let other = UnsafeMutableRawPointer(bitPattern: 16)
        AudioUnitRemovePropertyListenerWithUserData(unit, kAudioUnitProperty_BypassEffect, listener, other)
        #expect(unit.set(kAudioUnitProperty_BypassEffect, UInt32(0)) == noErr)
        AudioUnitRemovePropertyListenerWithUserData(unit, kAudioUnitProperty_BypassEffect, listener, context)
        AudioUnitRemovePropertyListener(unit, kAudioUnitProperty_StreamFormat, listener)
        #expect(unit.set(kAudioUnitProperty_BypassEffect, UInt32(1)) == noErr)
        #expect(unit.set(kAudioUnitProperty_StreamFormat, planarFloats(44_100, 2), kAudioUnitScope_Output) == noErr)
        #expect(heard.changes.withLock { $0.count } == 3)
    }

    @Test("The engine decides what a node in it has")
    func nodesInAnEngine() throws {
        let rig = try OfflineRig(sampleRate: 32_000, channels: 1)
        let delay = AVAudioUnitDelay()
        rig.engine.attach(delay)
        rig.engine.connect(delay, to: rig.engine.mainMixerNode, format: rig.format)
        var format = AudioStreamBasicDescription()
        let output = kAudioUnitScope_Output
        #expect(delay.audioUnit.get(kAudioUnitProperty_StreamFormat, &format, output) == noErr)
        #expect(format.mSampleRate == 32_000 && format.mChannelsPerFrame == 1)
        #expect(
            delay.audioUnit.set(kAudioUnitProperty_StreamFormat, format, output) == kAudioUnitErr_PropertyNotWritable
        )
        let callback = AURenderCallbackStruct(inputProc: { _, _, _, _, _, _ in noErr }, inputProcRefCon: nil)
        #expect(
            delay.audioUnit.set(kAudioUnitProperty_SetRenderCallback, callback, kAudioUnitScope_Input)
                == kAudioUnitErr_PropertyNotWritable
        )
        #expect(AudioUnitInitialize(delay.audioUnit) == kAudioUnitErr_CannotDoInCurrentContext)
        rig.engine.detach(delay)
        #expect(AudioUnitInitialize(delay.audioUnit) == noErr && AudioUnitUninitialize(delay.audioUnit) == noErr)
    }

    @Test("A sampler's parameters are its settings, and it loads by properties")
    func sampler() throws {
        let sampler = AVAudioUnitSampler()
        let unit = sampler.audioUnit
        func value(_ id: AudioUnitParameterID) -> Float {
            var value: Float = .nan
            AudioUnitGetParameter(unit, id, global, 0, &value)
            return value
        }
        sampler.globalTuning = -250
        sampler.overallGain = -12
        sampler.stereoPan = 29
        #expect(value(kAUSamplerParam_CoarseTuning) == -2 && value(kAUSamplerParam_FineTuning) == -50)
        #expect(value(kAUSamplerParam_Gain) == -12 && value(kAUSamplerParam_Pan) == 0.29 && sampler.stereoPan == 29)
        #expect(AudioUnitSetParameter(unit, kAUSamplerParam_CoarseTuning, global, 0, 5, 0) == noErr)
        #expect(AudioUnitSetParameter(unit, kAUSamplerParam_FineTuning, global, 0, -30, 0) == noErr)
        #expect(sampler.globalTuning == 470 && value(kAUSamplerParam_CoarseTuning) == 5)
        #expect(
            AudioUnitSetParameter(unit, kAUSamplerParam_Gain, global, 0, 13, 0) == kAudioUnitErr_InvalidParameterValue
        )
        sampler.auAudioUnit.parameterTree?.parameter(withAddress: 903)?.value = -1
        #expect(sampler.stereoPan == -100)
        let missing = NSURL(fileURLWithPath: "/no/such/file.wav")
        var data = AUSamplerInstrumentData(
            fileURL: .passUnretained(missing),
            instrumentType: kInstrumentType_Audiofile,
            bankMSB: UInt8(kAUSampler_DefaultMelodicBankMSB),
            bankLSB: 0,
            presetID: 0
        )
        #expect(MemoryLayout<AUSamplerInstrumentData>.offset(of: \.presetID) == 11)
        #expect(unit.set(kAUSamplerProperty_LoadInstrument, data) != noErr)
        data.instrumentType = kInstrumentType_EXS24
        #expect(unit.set(kAUSamplerProperty_LoadInstrument, data) == kAudioUnitErr_UnknownFileType)
        #expect(unit.set(kAUSamplerProperty_LoadInstrument, UInt64(0)) == kAudioUnitErr_InvalidPropertyValue)
        let folder = try ScratchDirectory()
        let url = URL(fileURLWithPath: folder.file("tone.wav"))
        try write([sine(1_000, 44_100)], to: url)
        let file = NSURL(fileURLWithPath: url.path)
        data.fileURL = .passUnretained(file)
        data.instrumentType = kInstrumentType_Audiofile
        #expect(unit.set(kAUSamplerProperty_LoadInstrument, data) == noErr)
        let rig = try OfflineRig(channels: 1)
        rig.engine.attach(sampler)
        rig.engine.connect(sampler, to: rig.engine.mainMixerNode, format: rig.format)
        sampler.globalTuning = 0
        sampler.stereoPan = 0
        #expect(MusicDeviceMIDIEvent(unit, 0x90, 60, 127, 100) == noErr)
        try rig.engine.start()
        let output = try rig.render(8_192)[0]
        #expect(output[..<100].allSatisfy { $0 == 0 })
        #expect(amplitude(of: 1_000, in: output[2_000...]) > 0.01)
        let delay = AVAudioUnitDelay()
        #expect(MusicDeviceMIDIEvent(delay.audioUnit, 0x90, 60, 127, 0) == kAudioUnitErr_InvalidProperty)
        #expect(MusicDeviceMIDIEvent(unit, 0x90, 60, 127, 5_000) == kAudio_ParamError)
    }
}
