import AudioToolbox

// Converts four floats to 16-bit integers.
var float = AudioStreamBasicDescription(
    mSampleRate: 48_000,
    mFormatID: kAudioFormatLinearPCM,
    mFormatFlags: kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked,
    mBytesPerPacket: 4,
    mFramesPerPacket: 1,
    mBytesPerFrame: 4,
    mChannelsPerFrame: 1,
    mBitsPerChannel: 32,
    mReserved: 0
)
var short = float
short.mFormatFlags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked
(short.mBytesPerPacket, short.mBytesPerFrame, short.mBitsPerChannel) = (2, 2, 16)
var converter: AudioConverterRef?
guard AudioConverterNew(&float, &short, &converter) == noErr, let converter else { fatalError("no converter") }
let input: [Float] = [0, 0.5, -0.5, 0.25]
var output = [Int16](repeating: 0, count: 4)
var size = UInt32(8)
let status = AudioConverterConvertBuffer(converter, 16, input, &size, &output)
print(status == noErr && output == [0, 16_384, -16_384, 8_192] ? "ok" : "\(status) \(output)")
