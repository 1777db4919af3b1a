extension Container {
    /// AIFF and AIFF-C.
    static let aiff = Container("aiff") {
        $0.fileType = 0x4149_4646  // AIFF
        $0.tagFormat = .id3
        $0.cutting = .samples
        $0.seeksDirectly = true
    }
}

extension OutputContainer {
    /// AIFF.
    static let aiff = OutputContainer("aiff", endings: ["aiff", "aif", "aifc"], [.pcm]) {
        $0.hasBigEndianSamples = true
        $0.picture = .stream
        // Its own chunks have room for a few tags only.
        $0.optionsForTags = ["write_id3v2": "1"]
        $0.growing = .aiff
    }
}
