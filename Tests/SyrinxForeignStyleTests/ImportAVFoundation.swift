import AVFoundation

// What this one import brings on Apple's systems.
enum ImportAVFoundation {
    static func touch() -> [Any] {
        let queue = DispatchQueue(label: "foreign")
        let url = URL(fileURLWithPath: "/tmp")
        let format = AVAudioFormat()
        let description = AudioStreamBasicDescription()
        let flags: AudioUnitRenderActionFlags = [.unitRenderAction_OutputIsSilence]
        let status: AUAudioUnitStatus = noErr
        let frames: AUAudioFrameCount = 1
        let value: AUValue = 0.5
        let address: AUParameterAddress = 1
        let name: Unmanaged<CFString>? = nil
        let properties: CFPropertyList = NSNumber(value: 1)
        return [
            name as Any, properties, queue, url, format, description, flags, status, frames, value, address,
            kAudioFileMP3Type,
        ]
    }
}
