import Testing

/// Screens as they were looked at, and found good.
enum ScreenGoldens {
    /// A screen after some keys.
    struct Golden: Sendable, CustomTestStringConvertible {
        var keys: [String]
        var columns: Int
        var rows: Int
        var text: String
        var testDescription: String { "\(keys.joined(separator: " ")) at \(columns)×\(rows)" }
    }

    static let all: [Golden] = [
        Golden(
            keys: [],
            columns: 80,
            rows: 24,
            text: #"""
                 1Playing 2Queue 3Chapters 4Bookmarks 5Effects 6Files 7Podcasts 8Transcript

                  The harbour at night
                  Fern and Field
                  Sounds of the coast
                  Chapter 2/5  −3:26  Part 2 of the night
                  ► playing   1.5×   volume 80 %
                  A–B 15:00–20:00 · sleep in 29:59 · silences shortened, 1:35 saved
                  Effects  eq
                  Item 2 of 12  next  Episode 3
                  MP3 · 128 kbit/s · 44.1 kHz · stereo


                  ╷              ▾◆           A ╷      B       ╷              ╷
                                   ▁  ▁▁▁▂▂▁▂▂▂▃▂▃▃▂▃▃▄▄▃▄▄▂
                  ▅▆▆▆▆▆▆▇▇▇▇▇▇█▇███████████████████████████▆▆▆▆▆▆▇▆▇▇▇█▇────╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌
                  ▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀██▀████████████████▀▀▀▀▀▀▀▀▀▀▀▀▀
                                               ▔  ▔ ▔▔▔▔▔▔▔
                  12:34                                         18:25 at 1.5×   −27:38 / 40:12

                  L ████████████████████████████████████████████████████████▉╌╌╌╌╌╌╌╌╌╌     −9
                  R ███████████████████████████████████████████████████▎╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌    −14

                 Space pause   ← → 5 s   9 0 volume   [ ] rate   < > item   Tab page     ? help
                """#
        ),
        Golden(
            keys: ["2", "down"],
            columns: 80,
            rows: 24,
            text: #"""
                 1Playing 2Queue 3Chapters 4Bookmarks 5Effects 6Files 7Podcasts 8Transcript

                  Queue                                                            12  4:31:00
                    1  Episode 1                 Fern and Field                          20:00
                 ►  2  Episode 2                 Fern and Field                          21:00
                    3  Episode 3                 Fern and Field                          22:00
                 !  4  Episode 4                 The server does not answer.            failed
                    5  Episode 5                 Fern and Field                          24:00
                    6  Episode 6                 Fern and Field                          25:00
                    7  Episode 7                 Fern and Field                          26:00
                    8  Episode 8                 Fern and Field                          20:00
                    9  Episode 9                 Fern and Field                          21:00
                   10  Episode 10                Fern and Field                          22:00
                   11  Episode 11                Fern and Field                          23:00
                   12  Episode 12                Fern and Field                          24:00





                 ──────────────────────────────────────────────────────────────────────────────
                 ► Fern and Field – The harbour at night                          12:34 / 40:12
                 ▂▃▃▃▃▃▃▃▃▄▄▄▄▄▄▄▄▄▄▄▄▄▅▅▅▅▅▅▅▅▅▅▅▆▅▆▆▆▆▆▆▆▅▃▃▃▃▃▃▃▃▃▃▄▄▄▃────╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌
                 Enter play   d remove   K J move   / filter   Space pause   ← → 5 s     ? help
                """#
        ),
        Golden(
            keys: ["5"],
            columns: 80,
            rows: 24,
            text: #"""
                 1Playing 2Queue 3Chapters 4Bookmarks 5Effects 6Files 7Podcasts 8Transcript

                  Effects                                                                    2
                 ● eq
                     type                ‹ lowShelf ›
                     frequency           ━━━━━━━━━━━━━━━━━━━━●────────────────         1000 Hz
                     gain                ━━━━━━━━━━━━━━━━━━━━━━━●─────────────            6 dB
                 ○ reverb  off
                     wetDryMix           ━━━━━━━━━━━━━━●──────────────────────            40 %











                 ──────────────────────────────────────────────────────────────────────────────
                 ► Fern and Field – The harbour at night                          12:34 / 40:12
                 ▂▃▃▃▃▃▃▃▃▄▄▄▄▄▄▄▄▄▄▄▄▄▅▅▅▅▅▅▅▅▅▅▅▆▅▆▆▆▆▆▆▆▅▃▃▃▃▃▃▃▃▃▃▄▄▄▃────╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌
                 ← → change   Enter on/off   r reset   a add   d remove   Space pause    ? help
                """#
        ),
        Golden(
            keys: ["7", "enter"],
            columns: 80,
            rows: 24,
            text: #"""
                 1Playing 2Queue 3Chapters 4Bookmarks 5Effects 6Files 7Podcasts 8Transcript

                  Fern and Field                                                             3
                 ◐ The harbour at night    2026-11-24                           −27:38 / 40:12
                 • Rain on slate           2026-11-17                            ↓ 42 %  31:40
                 ✓ The old mill            2026-11-10                                 ↓  33:20














                 ──────────────────────────────────────────────────────────────────────────────
                 ► Fern and Field – The harbour at night                          12:34 / 40:12
                 ▂▃▃▃▃▃▃▃▃▄▄▄▄▄▄▄▄▄▄▄▄▄▅▅▅▅▅▅▅▅▅▅▅▆▅▆▆▆▆▆▆▆▅▃▃▃▃▃▃▃▃▃▃▄▄▄▃────╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌
                 Enter play   i notes   e append   d download   x played                 ? help
                """#
        ),
        Golden(
            keys: ["8", "?"],
            columns: 80,
            rows: 24,
            text: #"""
                ╭─ Keys: Transcript ───────────────────────────────────────────────────────────╮
                │ Transcript                                                                   ▐
                │ Enter                  Go to the passage                                     ▐
                │ c                      Follow what plays                                     ▐
                │                                                                              ▐
                │ In lists                                                                     ▐
                │ ↑ k ↓ j                Select                                                ▐
                │ PgUp PgDn              A page up, down                                       ▐
                │ Home g End G           First, last entry                                     ▐
                │ /                      Filter                                                │
                │ Escape                 End the filter, or go back                            │
                │                                                                              │
                │ Everywhere                                                                   │
                │ Space p                Pause or play                                         │
                │ ← →                    5 s back, forward                                     │
                │ Shift-← Shift-→        1 s back, forward                                     │
                │ Shift-↓ Shift-↑        5 s back, forward                                     │
                │ Shift-PgDn Shift-PgUp  10 min back, forward                                  │
                │ Shift-Backspace u      Back to before the last seek                          │
                │ < >                    Previous, next item                                   │
                │ #                      Next audio track                                      │
                │ Shift-Home Shift-End   First, last item                                      │
                ╰──────────────────────────────────────────────────────────────────────────────╯
                 ↑↓ scroll   any key close
                """#
        ),
        Golden(
            keys: [],
            columns: 40,
            rows: 10,
            text: #"""
                 1 Playing  2  3  4  5  6  7  8
                 The harbour at night
                 Fern and Field
                 Chapter 2/5  −3:26  Part 2 of the nig…
                 ► playing   1.5×   volume 80 %
                 ▃▃▃▃▄▄▄▄▄▄▅▅▅▅▅▅▆▆▆▆▆▃▃▃▃▄▄▄──╌╌╌╌╌╌╌╌
                 12:34                   −27:38 / 40:12
                 L ██████████████████████████████▌╌╌╌╌╌
                 R ███████████████████████████▌╌╌╌╌╌╌╌╌
                 Space pause   ← → 5 s           ? help
                """#
        ),
        Golden(
            keys: ["2"],
            columns: 40,
            rows: 10,
            text: #"""
                 1  2 Queue  3  4  5  6  7  8
                  Queue                    12  4:31:00
                 ► Episode 2                     21:00 ▐
                   Episode 3                     22:00 ▐
                 ! Episode 4                    failed
                   Episode 5                     24:00
                   Episode 6                     25:00
                 ► Fern and Field – The…  12:34 / 40:12
                 ▃▃▃▃▄▄▄▄▄▄▅▅▅▅▅▅▆▆▆▆▆▃▃▃▃▄▄▄──╌╌╌╌╌╌╌╌
                 Enter play   d remove           ? help
                """#
        ),
        Golden(
            keys: [],
            columns: 20,
            rows: 4,
            text: #"""
                 The harbour at ni…
                 ▃▃▄▄▄▅▅▆▆▆▃▃▄─╌╌╌╌
                 12:34        40:12
                             ? help
                """#
        ),
        Golden(
            keys: [],
            columns: 120,
            rows: 40,
            text: #"""
                 1 Playing   2 Queue   3 Chapters   4 Bookmarks   5 Effects   6 Files   7 Podcasts   8 Transcript             ► playing

                  The harbour at night                                                                   Up next
                  Fern and Field
                  Sounds of the coast                                                                    Episode 3               22:00
                                                                                                         Episode 4               23:00
                  Chapter 2/5  −3:26  Part 2 of the night                                                Episode 5               24:00
                                                                                                         Episode 6               25:00
                  ► playing   1.5×   volume 80 %                                                         Episode 7               26:00
                  A–B 15:00–20:00 · sleep in 29:59 · silences shortened, 1:35 saved                      Episode 8               20:00
                  Effects  eq                                                                            Episode 9               21:00
                                                                                                         Episode 10              22:00
                  Item 2 of 12  next  Episode 3                                                          Episode 11              23:00
                  MP3 · 128 kbit/s · 44.1 kHz · stereo                                                   Episode 12              24:00




                  ╷                      ▾◆                  A  ╷          B           ╷                      ╷

                                                                                ▂
                                                             ▁ ▃ ▂ ▂▄▁▆ ▅▇▄▆▃█▃██
                                            ▂ ▂ ▃ ▃▅▃▄▇▄▆▃█▅▇█▇█▆█▅██████████████
                         ▁ ▁ ▃ ▃▄▂▆▂▅▂▅▇▅█▅██████▇███████████████████████████████      ▁ ▁▂▁▄▂▄▂▄▅▃▇▃▅
                  ▄▅▆▅█▆█████████████████████████████████████████████████████████▅▇▅▇▅▇█▇█████████████
                  ████████████████████████████████████████████████████████████████████████████████████
                  ████████████████████████████████████████████████████████████████████████████████████──────╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌
                  ████████████████████████████████████████████████████████████████████████████████████
                  ▀▀█▀█▀█████████████████████████████████████████████████████████▀█▀█▀████████████████
                      ▔ ▔▔▔▔▔▀▔▀▀▀▀▔▀▔▀▀▀▀▀▀█▀█▀█▀███████████████████████████████      ▔ ▔▔▔▀▔▀▔▀▀▀▀▀▀
                                                ▔ ▔▔ ▔▀▔▀▔▀▔▀▀▀▀▀▀▔▀▀▀█▀▀█▀█▀█▀██
                                                                         ▔   ▔ ▔▀


                  12:34                                                                                 18:25 at 1.5×   −27:38 / 40:12

                  L ██████████████████████████████████████████████████████████████████████████████████████████▉╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌     −9
                  R ██████████████████████████████████████████████████████████████████████████████████▏╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌    −14

                 Space pause   ← → 5 s   9 0 volume   [ ] rate   < > item   Tab page   q quit                                    ? help
                """#
        ),
    ]
}
