import SyrinxListening
import SyrinxPlayerUI
import SyrinxTerminal

/// A view with something on every page.
enum SampleView {
    static func make(queueLength: Int = 12, at time: Double = 754) -> PlayerView {
        var view = PlayerView()
        view.item.title = "The harbour at night"
        view.item.artist = "Fern and Field"
        view.item.album = "Sounds of the coast"
        view.item.format = "MP3 · 128 kbit/s · 44.1 kHz · stereo"
        view.state.kind = .playing
        view.state.time = time
        view.state.duration = 2_412
        view.state.peaks = (0..<1_000).map(peak)
        view.state.received = [0...0.78]
        view.state.loopStart = 900
        view.state.loopEnd = 1_200
        view.state.timeSaved = 95
        view.sound.rate = 1.5
        view.sound.volume = 0.8
        view.sound.smartSpeed = true
        view.sound.sleep = .time(1_799)
        view.sound.levels = [-9, -14]
        view.chapters = (0..<5).map { ChapterEntry(title: "Part \($0 + 1) of the night", start: Double($0) * 480) }
        view.currentChapter = 1
        view.queue = (0..<queueLength).map {
            QueueEntry(title: "Episode \($0 + 1)", detail: "Fern and Field", duration: 1_200 + Double($0 % 7) * 60)
        }
        if queueLength > 3 { view.queue[3].failure = "The server does not answer." }
        view.currentIndex = 1
        view.bookmarks = [BookmarkEntry(id: 4, title: "The bell", item: "The harbour at night", time: 512)]
        view.effects = [
            EffectView(
                name: "eq",
                parameters: [
                    .init(
                        name: "type",
                        value: 1,
                        range: 0...2,
                        initial: 0,
                        choices: ["parametric", "lowShelf", "highShelf"]
                    ),
                    .init(name: "frequency", value: 1_000, range: 20...20_000, initial: 1_000, unit: "Hz"),
                    .init(name: "gain", value: 6, range: -24...24, initial: 0, unit: "dB"),
                ]
            ),
            EffectView(
                name: "reverb",
                isEnabled: false,
                parameters: [.init(name: "wetDryMix", value: 40, range: 0...100, initial: 40, unit: "%")]
            ),
        ]
        view.files = FolderView(
            path: "/home/listener/Music",
            entries: [
                .init(name: "Live", isFolder: true),
                .init(name: "日本語の歌.flac", isFolder: false, detail: "31 MB"),
                .init(name: "evil\u{1B}[31m\u{202E}name.mp3", isFolder: false, detail: "4.2 MB"),
            ]
        )
        view.podcasts = PodcastsView(
            shows: [
                .init(id: 7, title: "Fern and Field", author: "M. Lind", episodeCount: 120, unplayedCount: 3),
                .init(
                    id: 9,
                    title: "Slow news",
                    author: "A. Reyes",
                    episodeCount: 44,
                    failure: "The feed is gone (410)."
                ),
            ],
            openShow: 7,
            episodes: [
                .init(id: 70, title: "The harbour at night", published: "2026-11-24", duration: 2_412, position: 754),
                .init(
                    id: 71,
                    title: "Rain on slate",
                    published: "2026-11-17",
                    duration: 1_900,
                    download: .running(0.42)
                ),
                .init(
                    id: 72,
                    title: "The old mill",
                    published: "2026-11-10",
                    duration: 2_000,
                    isPlayed: true,
                    download: .done
                ),
            ]
        )
        view.transcript.lines = (0..<40).map {
            TranscriptLine(
                start: Double($0) * 60,
                speaker: $0 % 5 == 0 ? "Mara" : nil,
                text: "Passage \($0 + 1): the tide turns."
            )
        }
        return view
    }

    private static func peak(_ index: Int) -> Float {
        guard index < 720 else { return -1 }
        let fine = Float((index * 7_919) % 83) / 110
        let coarse = Float(40 + (index / 9) % 60) / 100
        return fine * coarse + 0.05
    }
}
