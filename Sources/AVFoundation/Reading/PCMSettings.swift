internal import AVFAudio
internal import CoreAudioTypes
internal import Foundation

/// The uncompressed audio format in output settings.
struct PCMSettings {
    let description: AudioStreamBasicDescription

    /// Reads the format from `settings`; the default sample rate and channel count are those of the source.
    /// - Throws: A sentence about the unsupported setting.
    init(_ settings: [String: Any], sampleRate: Double, channelCount: Int) throws(Refusal) {
        var complete = settings
        let format = Self.number(settings[AVFormatIDKey]) ?? Double(kAudioFormatLinearPCM)
        guard format == Double(kAudioFormatLinearPCM) else {
            throw Refusal(sentence: "A reader returns only linear PCM.")
        }
        if complete[AVSampleRateKey] == nil { complete[AVSampleRateKey] = sampleRate }
        if complete[AVNumberOfChannelsKey] == nil, complete[AVChannelLayoutKey] == nil {
            complete[AVNumberOfChannelsKey] = channelCount
        }
        if complete[AVNumberOfChannelsKey] == nil, let data = complete[AVChannelLayoutKey] as? Data {
            complete[AVNumberOfChannelsKey] = Self.channelCount(of: data) ?? channelCount
        }
        guard let made = AVAudioFormat(settings: complete) else {
            throw Refusal(sentence: "The output settings contain no supported sample format.")
        }
        description = made.streamDescription.pointee
    }

    /// The reason why settings are refused.
    struct Refusal: Error {
        let sentence: String
    }

    private static func number(_ value: Any?) -> Double? {
        switch value {
        case let value as any BinaryInteger: Double(value)
        case let value as any BinaryFloatingPoint: Double(value)
        case let value as NSNumber: value.doubleValue
        default: nil
        }
    }

    private static func channelCount(of layout: Data) -> Int? {
        guard layout.count >= 4 else { return nil }
        let tag = layout.prefix(4).enumerated().reduce(UInt32(0)) { $0 | UInt32($1.element) << UInt32(8 * $1.offset) }
        let count = Int(AudioChannelLayoutTag_GetNumberOfChannels(tag))
        return count > 0 ? count : nil
    }
}
