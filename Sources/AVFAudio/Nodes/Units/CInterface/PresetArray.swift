import Foundation

/// An array of presets.
///
/// Its elements are C structures for `CFArrayGetValueAtIndex`, and names for Foundation.
final class PresetArray: NSArray {
    // Set once by `make`, before the array is shared.
    private var names: [CFString] = []
    private var presets: UnsafeMutablePointer<AUPreset>?

    static func make(_ presets: [AUAudioUnitPreset]) -> PresetArray {
        let array = PresetArray()
        array.names = presets.map { NSString(string: $0.name) }
        let memory = UnsafeMutablePointer<AUPreset>.allocate(capacity: presets.count)
        for (index, preset) in presets.enumerated() {
            let name = Unmanaged.passUnretained(array.names[index])
            (memory + index).initialize(
                to: AUPreset(presetNumber: Int32(clamping: preset.number), presetName: name)
            )
        }
        array.presets = memory
        return array
    }

    deinit { presets?.deallocate() }

    override var count: Int { names.count }

    override func object(at index: Int) -> Any { names[index] }

    /// Returns the structure at a place.
    func pointer(at index: Int) -> UnsafeRawPointer? {
        guard names.indices.contains(index) else { return nil }
        return presets.map { UnsafeRawPointer($0 + index) }
    }
}
