import AudioToolbox
import Foundation
import SyrinxTestSupport
import Testing

@Suite struct ConverterServiceTests {
    private func bytes(_ samples: [Float]) -> [UInt8] { samples.withUnsafeBytes { Array($0) } }

    private func feeder(_ samples: [Float], piece: Int) -> Feeder {
        let feeder = Feeder(
            stride(from: 0, to: samples.count, by: piece).map {
                bytes(Array(samples[$0..<min($0 + piece, samples.count)]))
            }
        )
        feeder.isPCM = true
        feeder.bytesPerPacket = 4
        return feeder
    }

    private func make(_ from: AudioStreamBasicDescription, _ to: AudioStreamBasicDescription) throws
        -> AudioConverterRef
    {
        var from = from
        var to = to
        var ref: AudioConverterRef?
        #expect(AudioConverterNew(&from, &to, &ref) == noErr)
        return try #require(ref)
    }

    @Test("An input procedure that fails once loses no sample")
    func aFailingProcedureLosesNothing() throws {
        let tone = (0..<10_000).map { Float(sin(Double($0) * 0.1)) }
        let converter = try make(floatFormat(44100, 1), floatFormat(48000, 1))
        defer { _ = AudioConverterDispose(converter) }
        let whole = drain(converter, feeder(tone, piece: 10_000), channels: 1, room: 20_000)
        #expect(whole.samples.count == Int((10_000 * 48000.0 / 44100).rounded()))
        #expect(whole.failures.isEmpty)
        #expect(AudioConverterReset(converter) == noErr)
        let failing = feeder(tone, piece: 700)
        failing.failingCall = 5
        let pieces = drain(converter, failing, channels: 1, room: 512)
        #expect(pieces.failures == [1234])
        #expect(pieces.samples == whole.samples)
    }

    @Test("Properties of a converter are read and set")
    func properties() throws {
        let converter = try make(floatFormat(48000, 1), floatFormat(24000, 2))
        defer { _ = AudioConverterDispose(converter) }
        var map: [Int32] = [-1, 0]
        #expect(AudioConverterSetProperty(converter, kAudioConverterChannelMap, 8, &map) == noErr)
        var prime = AudioConverterPrimeInfo()
        var size = UInt32(MemoryLayout<AudioConverterPrimeInfo>.size)
        #expect(AudioConverterGetProperty(converter, kAudioConverterPrimeInfo, &size, &prime) == noErr)
        #expect(prime.trailingFrames == 128)
        var room: UInt32 = 800
        size = 4
        #expect(
            AudioConverterGetProperty(converter, kAudioConverterPropertyCalculateInputBufferSize, &size, &room) == noErr
        )
        #expect(room == 800)
        size = 2
        #expect(
            AudioConverterGetProperty(converter, kAudioConverterPrimeMethod, &size, &room)
                == kAudioConverterErr_BadPropertySizeError
        )
        var writable: DarwinBoolean = false
        #expect(AudioConverterGetPropertyInfo(converter, kAudioConverterPrimeMethod, &size, &writable) == noErr)
        #expect(size == 4)
        #expect(writable.boolValue)
        #expect(AudioConverterGetPropertyInfo(converter, 1, &size, nil) == kAudioConverterErr_PropertyNotSupported)
        let output = drain(converter, feeder([Float](repeating: 0.5, count: 4800), piece: 100), channels: 2, room: 64)
            .samples
        #expect(output.count == 4800)
        #expect((0..<2400).allSatisfy { output[2 * $0] == 0 })
        #expect(abs(output[2 * 1200 + 1] - 0.5) < 1e-3)
    }

    @Test("Impossible formats are refused")
    func impossibleFormats() {
        var from = floatFormat(44100, 2)
        var to = floatFormat(44100, 2)
        to.mFormatID = 0x3F3F_3F3F
        var ref: AudioConverterRef?
        #expect(AudioConverterNew(&from, &to, &ref) == kAudioConverterErr_FormatNotSupported)
        to = floatFormat(0, 2)
        #expect(AudioConverterNew(&from, &to, &ref) == kAudioConverterErr_OutputSampleRateOutOfRange)
        #expect(ref == nil)
    }

    @Test("An extended audio file is read in the client's format")
    func filesAreReadInTheClientsFormat() throws {
        let folder = try ScratchDirectory()
        let url = try makeFile(folder, "a.m4a", ["-c:a", "aac", "-aac_pns", "0"])
        var ref: ExtAudioFileRef?
        #expect(ExtAudioFileOpenURL(url as CFURL, &ref) == noErr)
        let file = try #require(ref)
        defer { #expect(ExtAudioFileDispose(file) == noErr) }
        var length: Int64 = 0
        var size: UInt32 = 8
        #expect(ExtAudioFileGetProperty(file, kExtAudioFileProperty_FileLengthFrames, &size, &length) == noErr)
        #expect(length == 22_050)
        var client = AudioStreamBasicDescription(
            mSampleRate: 22050,
            mFormatID: kAudioFormatLinearPCM,
            mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked,
            mBytesPerPacket: 4,
            mFramesPerPacket: 1,
            mBytesPerFrame: 4,
            mChannelsPerFrame: 2,
            mBitsPerChannel: 16,
            mReserved: 0
        )
        let asked = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
        #expect(ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, asked, &client) == noErr)
        func read(_ wanted: Int) -> [Int16] {
            var all: [Int16] = []
            var memory = [Int16](repeating: 0, count: 2 * 1000)
            while all.count < 2 * wanted {
                var count = UInt32(min(1000, wanted - all.count / 2))
                let status = memory.withUnsafeMutableBytes { bytes -> OSStatus in
                    var list = AudioBufferList()
                    list.mNumberBuffers = 1
                    list.mBuffers = AudioBuffer(
                        mNumberChannels: 2,
                        mDataByteSize: UInt32(bytes.count),
                        mData: bytes.baseAddress
                    )
                    return ExtAudioFileRead(file, &count, &list)
                }
                #expect(status == noErr)
                if count == 0 { break }
                all += memory[..<(2 * Int(count))]
            }
            return all
        }
        let whole = read(20_000)
        #expect(whole.count == 2 * 11_025)
        #expect(whole.map { abs(Int($0)) }.max() ?? 0 > 8000)
        #expect(ExtAudioFileSeek(file, 10_000) == noErr)
        var position: Int64 = 0
        #expect(ExtAudioFileTell(file, &position) == noErr)
        #expect(position == 10_000)
        // Away from where the filter begins anew.
        let part = read(3000)
        let worst = (200..<3000).map { abs(Int(part[2 * $0]) - Int(whole[2 * (5000 + $0)])) }.max() ?? 1000
        #expect(worst <= 2, "\(worst)")
        #expect(ExtAudioFileOpenURL(folder.url("none.mp3") as CFURL, &ref) == kAudioFileFileNotFoundError)
    }
}
