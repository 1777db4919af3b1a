import CSyrinxPulse

/// Selects the speaker positions of a stream's channels.
enum PulseChannelMap {
    /// Returns the channel map for a stream of `channelCount` channels, 1 to 8, in WAVE order.
    ///
    /// If the sink has the same number of channels at other positions, its own map is used, because the server would
    /// mix otherwise.
    static func map(channelCount: Int, sink: pa_channel_map) -> pa_channel_map {
        guard let speakers = Speaker.order(channelCount: channelCount) else { return sink }
        var map = pa_channel_map()
        map.channels = UInt8(channelCount)
        withUnsafeMutableBytes(of: &map.map) { bytes in
            let positions = bytes.bindMemory(to: pa_channel_position_t.self)
            for (index, speaker) in speakers.enumerated() { positions[index] = position(speaker) }
        }
        if Int(sink.channels) == channelCount, mask(sink) != mask(map) { return sink }
        return map
    }

    private static func mask(_ map: pa_channel_map) -> pa_channel_position_mask_t {
        var map = map
        return pa_channel_map_mask(&map)
    }

    private static func position(_ speaker: Speaker) -> pa_channel_position_t {
        switch speaker {
        case .mono: PA_CHANNEL_POSITION_MONO
        case .frontLeft: PA_CHANNEL_POSITION_FRONT_LEFT
        case .frontRight: PA_CHANNEL_POSITION_FRONT_RIGHT
        case .frontCenter: PA_CHANNEL_POSITION_FRONT_CENTER
        case .lowFrequency: PA_CHANNEL_POSITION_LFE
        case .rearLeft: PA_CHANNEL_POSITION_REAR_LEFT
        case .rearRight: PA_CHANNEL_POSITION_REAR_RIGHT
        case .rearCenter: PA_CHANNEL_POSITION_REAR_CENTER
        case .sideLeft: PA_CHANNEL_POSITION_SIDE_LEFT
        case .sideRight: PA_CHANNEL_POSITION_SIDE_RIGHT
        }
    }
}
