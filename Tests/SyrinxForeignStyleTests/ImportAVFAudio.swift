import AVFAudio.AVAudioEngine

enum ImportAVFAudio {
    static func touch() -> [Any] { [Data(), AudioBufferList(), AVAudioEngine.self, TimeInterval(1)] }
}
