import Terminal

/// The lines that `play` keeps on a terminal: what is playing, and how far it is.
///
/// Pure.
struct TerminalView: Equatable, Sendable {
    /// The input that is playing.
    var nowPlaying: NowPlaying
    /// The last line.
    var line: TerminalLine

    /// The lines for a terminal of this size: one to four, none wider than `width` columns.
    ///
    /// Two rows are left to the text above. The line of the progress matters most, then the title, the chapter and the album.
    func lines(width: Int, height: Int) -> [String] {
        let room = max(0, height - 3)
        var texts = [nowPlaying.itemLine]
        if let album = nowPlaying.album, DisplayWidth.of(texts[0]) > width {
            texts = [nowPlaying.headline, album]
        }
        if let chapter = nowPlaying.chapterLine { texts.append(chapter) }
        if texts.count > room, texts.count == 3 { texts.remove(at: 1) }
        return texts.prefix(room).map { $0.fitted(to: width) } + [line.text(width: width)]
    }
}
