import Foundation
import SyrinxDesktopModel
import SyrinxGTK
import SyrinxMediaCodec
import SyrinxPlayback
import SyrinxStreaming

/// The part of a window that shows the recording: waveform or spectrogram, moving pictures or cover, chapters and the play button.
@MainActor
final class RecordingPane {
    /// Receives a position that the listener goes to, in seconds.
    var onSeek: (Double) -> Void = { _ in }
    /// Called when a seek has been handed over.
    var onSeekFinished: () -> Void = {}
    /// Called with `true` when the listener begins to drag the position, and with `false` at the end.
    var onScrub: (Bool) -> Void = { _ in }
    /// Called when the waveform has measured the length.
    var onLength: () -> Void = {}
    /// Called when moving pictures are shown.
    var onVideo: () -> Void = {}
    /// Returns the position that is heard, in seconds.
    var heardTime: () -> Double = { 0 }
    let waveform: WaveformView
    let loader = WaveformLoader()
    let cover: CoverView
    let chapters: ChapterPanel
    let playButton: PlayButton
    /// The level of the sound, for the play button.
    let meter: LevelMeter
    let marks: BookmarkPanel
    var bookmarks = BookmarkList() {
        didSet {
            waveform.places.bookmarks = bookmarks.bookmarks.map(\.position)
            marks.show(bookmarks)
        }
    }
    private(set) var seekUndo = SeekUndo()
    private(set) var isTicking = false
    private let spectrogram = SpectrogramLoader()
    private let video = VideoPictures()
    private let videoWidget: Widget
    private let frameLog = FrameLog()
    private var isLogging = false
    private var styleChanges: [SignalConnection] = []

    /// Puts the pane's widgets into a window.
    init(_ widgets: WindowWidgets, _ streamer: TimePitchStreamer) {
        let player = widgets.player
        waveform = WaveformView(player.waveform)
        cover = CoverView(picture: player.cover, page: widgets.page)
        chapters = ChapterPanel(widgets.queue.chapters, label: player.chapter)
        marks = BookmarkPanel(widgets.queue.bookmarks)
        playButton = PlayButton(signs: player.transport.signs, box: player.transport.meter)
        meter = LevelMeter(streamer.engine)
        videoWidget = player.video
        video.picture = MovingPicture.make(in: videoWidget)
        video.onShow = { [weak self] in self?.showVideo() }
        player.waveformArea.limitHeight()
        connect()
    }

    private func connect() {
        loader.onGrowth = { [weak self] frames, peak in
            guard let self else { return }
            self.waveform.places.pauses = self.loader.silences.pauses
            self.waveform.grew(frames, peak: peak)
        }
        loader.onCompletion = { [weak self] in
            guard let self else { return }
            self.waveform.complete()
            if let length = self.loader.length { self.waveform.setExtent(.known(length)) }
            self.onLength()
            // The analyser's reader and its index of packets have just been freed, or are about to be.
            repeatEvery(milliseconds: 1000) {
                trimHeap()
                return false
            }
        }
        waveform.source = { [weak self] in self?.loader }
        waveform.spectrogramSource = { [weak self] in self?.spectrogram }
        spectrogram.onTile = { [weak self] key, columns, isWhole in
            self?.waveform.take(columns, for: key, isWhole: isWhole)
        }
        waveform.onRequest = { [weak self] in self?.take($0) }
        styleChanges = Style.onChange { [weak self] in self?.waveform.redraw() }
        cover.onTint = { [weak self] in self?.waveform.background = $0?.middle }
    }

    /// Writes the times of frames to a log, if the environment names one.
    func log(_ window: Window) {
        guard let log = frameLog, !isLogging else { return }
        isLogging = true
        waveform.onDraw = { log.draw($0) }
        log.follow(window)
    }

    private func take(_ request: WaveformView.Request) {
        switch request {
        case .seek(let seek):
            seekUndo.sought(from: heardTime())
            loader.prefer(seek.time)
            // A drag over a film shows pictures alone: decoding its sound would slow them down.
            if seek.isExact || !video.isShown { onSeek(seek.time) }
            waveform.handle(.seekFinished(id: seek.id))
            onSeekFinished()
            video.scrub(to: seek.time, isExact: seek.isExact)
        case .scrubbing(let isOn):
            seekUndo.dragged(isOn, at: isOn ? heardTime() : waveform.position)
            onScrub(isOn)
        }
    }

    /// Goes back to the position before the last seek.
    func undoSeek() { if let position = seekUndo.position { waveform.handle(.jump(position)) } }

    // MARK: Recordings

    /// Shows a recording that has been opened; one that begins again keeps its waveform.
    /// - Parameters:
    ///   - streamer: The streamer that has opened it.
    ///   - info: The facts about it.
    ///   - time: The position in seconds.
    ///   - list: The chapters of the file and of the feed.
    ///   - film: The address of its moving pictures, if it may have some.
    func open(_ streamer: Streamer, _ info: MediaInfo, at time: Double, chapters list: [MediaChapter], film: URL?) {
        seekUndo.clear()
        if loader.length == nil {
            waveform.reset(info.duration.map { .known($0) } ?? .unknown)
            loader.load(streamer, duration: info.duration)
            video.open(film)
            waveform.isFilm = false
            videoWidget.isVisible = false
            cover.hide(false)
        }
        waveform.setPosition(time)
        loader.prefer(time)
        spectrogram.load(streamer, sampleRate: info.sampleRate)
        show(list, duration: info.duration)
    }

    /// Shows chapters, which may come later than the recording.
    func show(_ list: [MediaChapter], duration: Double?) {
        chapters.show(list, duration: duration)
        waveform.places.chapterStarts = list.map(\.start)
    }

    /// Forgets the recording: another one is opened.
    func forget() {
        loader.cancel()
        spectrogram.cancel()
        bookmarks = BookmarkList()
        seekUndo.clear()
        chapters.show([], duration: nil)
        waveform.reset(.unknown)
    }

    /// Ends all work.
    func close() {
        loader.cancel()
        spectrogram.cancel()
        video.close()
    }

    /// Ends following the theme: the window is freed.
    func release() {
        for connection in styleChanges { connection.disconnect() }
        styleChanges = []
        cover.close()
    }

    /// Whether moving pictures are shown.
    var showsVideo: Bool { videoWidget.isVisible }

    private func showVideo() {
        frameLog?.note("picture \(video.shownStart)")
        guard !videoWidget.isVisible else { return }
        videoWidget.isVisible = true
        cover.hide(true)
        waveform.isFilm = true
        onVideo()
    }

    // MARK: Movement

    /// Follows the position and the level while something moves, and not longer.
    /// - Parameter frame: Returns the position to draw, in seconds; `nil` while nothing plays.
    func startTicking(_ frame: @escaping @MainActor () -> Double?) {
        guard !isTicking else { return }
        isTicking = true
        meter.setOn(true)
        waveform.addTick { [weak self] in
            guard let self else { return false }
            let position = frame()
            if let position {
                self.waveform.setPosition(position)
                if !self.waveform.interaction.isScrubbing { self.video.play(at: position) }
            }
            let moves = self.playButton.tick(position == nil ? 0 : self.meter.rootMeanSquare)
            if position != nil || moves { return true }
            self.isTicking = false
            self.meter.setOn(false)
            return false
        }
    }
}
