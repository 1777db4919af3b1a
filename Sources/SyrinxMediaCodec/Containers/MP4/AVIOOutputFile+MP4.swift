internal import CSyrinxFFmpeg

extension AVIOOutputFile {
    /// Prepares the index of an MP4 file, exact to the frame and at the start of the file, so that playback can start
    /// during a download.
    func prepare(
        _ container: OutputContainer,
        _ muxer: UnsafeMutablePointer<AVFormatContext>,
        sampleRate: Int32,
        _ options: inout OpaquePointer?
    ) {
        guard container.delay == .editList else { return }
        av_dict_set(&options, "movie_timescale", String(sampleRate), 0)
        guard canBeReadBack else { return }
        letReadBack(muxer)
        av_dict_set(&options, "movflags", "+faststart", 0)
    }
}
