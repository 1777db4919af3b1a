import Foundation
import SyrinxDesktopModel
import SyrinxGTK
import SyrinxMediaCodec
import SyrinxPlayback

extension PlayerWindow {
    /// Follows the position and the level while something moves, and not longer.
    func startTicking() {
        guard !ticks else { return }
        ticks = true
        player.setMeter(true)
        waveform.addTick { [weak self] in
            guard let self else { return false }
            let isPlaying = self.page.page == .player(.playing)
            if isPlaying {
                let time = self.player.time
                let shown = ShownPosition.position(
                    heard: time,
                    rate: self.rate,
                    now: ProcessInfo.processInfo.systemUptime,
                    presentation: self.window.presentationTime,
                    interval: self.window.frameInterval,
                    end: self.info?.duration
                )
                self.waveform.setPosition(shown)
                if !self.waveform.interaction.isScrubbing { self.video.play(at: shown) }
                if let start = self.loop.reached(time) { self.waveform.handle(.jump(start)) }
            }
            self.showTimes()
            let moves = self.playButton.tick(isPlaying ? self.player.rootMeanSquare : 0)
            if isPlaying || moves { return true }
            self.ticks = false
            self.player.setMeter(false)
            return false
        }
    }

    /// Shows the film in place of the cover.
    func showVideo() {
        frameLog?.note("picture \(video.shownStart)")
        let view = widgets.get("video")
        guard !view.isVisible else { return }
        view.isVisible = true
        cover.hide(true)
        waveform.isFilm = true
        inhibitSleep()
    }
}
