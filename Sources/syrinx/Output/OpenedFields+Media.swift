import SyrinxMediaCodec

extension OpenedFields {
    /// Takes over what the decoder says of the input that the user calls `url`.
    init(_ info: MediaInfo, url: String) {
        self.init(
            url: url,
            container: info.container,
            codec: info.codec,
            sampleRate: info.sampleRate,
            channels: info.channelCount,
            duration: info.duration,
            frames: info.frameCount,
            seekable: info.isSeekable,
            contentLength: info.size
        )
    }
}
