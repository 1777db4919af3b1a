import AVFoundation
import Testing

/// The imports of a program for Apple's systems are enough, and the names it uses have Apple's numbers.
@Suite struct ImportTests {
    @Test("One import brings what it brings on Apple's systems")
    func oneImport() {
        #expect(ImportAVFoundation.touch().count == 12)
        #expect(ImportAVFAudio.touch().count == 4)
        #expect(ImportAudioToolbox.open("/no/such/file") == -43)
        #expect(ImportAudioToolbox.outputUnitCount() == 1)
        #expect(ImportCoreAudio.list().mNumberBuffers == 0)
    }

    @Test("Host time is that of the engine's time stamps")
    func hostTime() {
        let before = ImportCoreAudio.seconds()
        let now = AVAudioTime.seconds(forHostTime: mach_absolute_time())
        #expect(before > 0 && now >= before && now <= ImportCoreAudio.seconds())
        #expect(AudioConvertHostTimeToNanos(AudioConvertNanosToHostTime(12345)) == 12345)
    }

    @Test("A format that says nothing has neither rate nor channels")
    func emptyFormat() {
        let format = AVAudioFormat()
        #expect(format.sampleRate == 0 && format.channelCount == 0)
        #expect(format.commonFormat == .otherFormat)
    }

    @Test("Constants have Apple's numbers")
    func numbers() {
        #expect(kAudioUnitErr_TooManyFramesToProcess == -10874 && kAudioUnitErr_NoConnection == -10876)
        #expect(kAudioUnitErr_InvalidProperty == -10879 && kAudioUnitErr_Unauthorized == -10847)
        #expect(kAudioToolboxErr_TrackNotFound == -10858 && kAudioToolboxErr_CannotDoInCurrentContext == -10863)
        #expect(kAudioUnitScope_Global == 0 && kAudioUnitScope_Output == 2)
        #expect(kAudioUnitType_Effect == 0x6175_6678 && kAudioUnitSubType_RemoteIO == 0x7269_6F63)
        #expect(kAudioConverterErr_HardwareInUse == 0x6877_6975)
        #expect(kAudioConverterErr_NoHardwarePermission == 0x7065_726D)
        #expect(kAudioFilePermissionsError == 0x7072_6D3F && kAudioFileEndOfFileError == -39)
        #expect(AudioUnitRenderActionFlags.unitRenderAction_OutputIsSilence.rawValue == 16)
        #expect(AudioFilePermissions.readWritePermission.rawValue == 3)
        #expect(kAudioUnitProperty_SetRenderCallback == 23 && kAudioUnitProperty_StreamFormat == 8)
        #expect(kAudioOutputUnitProperty_EnableIO == 2003 && kAUSamplerProperty_LoadInstrument == 4102)
        #expect(AudioUnitParameterUnit.decibels.rawValue == 13)
    }
}
