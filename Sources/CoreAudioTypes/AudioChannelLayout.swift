public import CSyrinxCoreAudioTypes

extension AudioChannelLayout {
    /// The bytes that a layout of `maximumDescriptions` channel descriptions takes.
    public static func sizeInBytes(maximumDescriptions: Int) -> Int {
        let offset = MemoryLayout<AudioChannelLayout>.offset(of: \AudioChannelLayout.mChannelDescriptions) ?? 0
        return offset + max(maximumDescriptions, 0) * MemoryLayout<AudioChannelDescription>.stride
    }

    /// Allocates a layout with room for `maximumDescriptions` descriptions, all of them zero.
    ///
    /// Its `mNumberChannelDescriptions` is that number. Free it with `deallocate()`.
    package static func allocate(maximumDescriptions: Int) -> UnsafeMutablePointer<AudioChannelLayout> {
        let size = max(sizeInBytes(maximumDescriptions: maximumDescriptions), MemoryLayout<AudioChannelLayout>.size)
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: size,
            alignment: MemoryLayout<AudioChannelLayout>.alignment
        )
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        let layout = memory.bindMemory(to: AudioChannelLayout.self, capacity: 1)
        layout.pointee.mNumberChannelDescriptions = UInt32(maximumDescriptions)
        return layout
    }
}

extension UnsafePointer<AudioChannelLayout> {
    /// The channel descriptions, of which C declares one and the layout has any number.
    package var descriptions: [AudioChannelDescription] {
        let first = UnsafeRawPointer(self) + AudioChannelLayout.sizeInBytes(maximumDescriptions: 0)
        let count = Int(pointee.mNumberChannelDescriptions)
        return (0..<count).map {
            first.load(
                fromByteOffset: $0 * MemoryLayout<AudioChannelDescription>.stride,
                as: AudioChannelDescription.self
            )
        }
    }
}

extension UnsafeMutablePointer<AudioChannelLayout> {
    /// Writes the description of a channel, for which there has to be room.
    package func setDescription(_ description: AudioChannelDescription, at index: Int) {
        precondition(index >= 0 && index < Int(pointee.mNumberChannelDescriptions), "no room for channel \(index)")
        let first = UnsafeMutableRawPointer(self) + AudioChannelLayout.sizeInBytes(maximumDescriptions: 0)
        first.storeBytes(
            of: description,
            toByteOffset: index * MemoryLayout<AudioChannelDescription>.stride,
            as: AudioChannelDescription.self
        )
    }
}
