import SyrinxListening
import SyrinxMediaCodec
import SyrinxPlayback

extension PlayOptions {
    /// Returns the start of a chapter.
    ///
    /// - Parameters:
    ///   - number: The number of the chapter, from 1.
    ///   - input: The input, which is opened to read its chapters.
    ///   - feed: The chapters that the feed states. If the feed links to a chapter document, the document is fetched
    ///     and its chapters are added.
    ///   - context: The context of the command.
    /// - Throws: `usage.arguments` if there is no such chapter, or the error of opening the input.
    func chapterStart(
        _ number: Int,
        of input: ListeningInput,
        _ feed: inout FeedChapters?,
        in context: CommandContext
    ) throws(Failure) -> ClockTime {
        let options = network.options(isHeard: false)
        if let document = feed?.document {
            feed?.document = nil
            do throws(Failure) {
                let found = try feed?.read(document, network: options)
                feed?.lists[.podcastDocument] = found
            } catch {
                context.console.say(error.warningLine)
            }
        }
        let info = try input.withReader(network: options, interruption: context.interruption) { $0.info }
        let merged = (feed?.lists ?? [:]).merged(with: info.chapters, duration: info.duration)
        let chapters = merged.filter { $0.start.isFinite && $0.start >= 0 }.sorted { $0.start < $1.start }
        guard chapters.indices.contains(number - 1) else {
            throw .usage("There is no chapter \(number): the input has \(chapters.count).", name: "--chapter")
        }
        return ClockTime(seconds: chapters[number - 1].start)
    }
}
