import Foundation
import SyrinxDesktopModel
import SyrinxGTK
import SyrinxPodcastLibrary

/// The page of an episode, which replaces the list: its notes and its actions.
@MainActor
final class EpisodePage {
    /// The episode; `nil` while the list is shown.
    private(set) var episode: PodcastEpisode?
    private let widgets: EpisodeWidgets

    /// Creates the page from its widgets.
    /// - Parameters:
    ///   - onWish: Receives the actions on the episode.
    ///   - onTime: Receives a time of the episode that was chosen in its notes, in seconds.
    init(
        _ widgets: EpisodeWidgets,
        onWish: @escaping @MainActor (EpisodeWish, Int64) -> Void,
        onTime: @escaping @MainActor (Double, Int64) -> Void
    ) {
        self.widgets = widgets
        EpisodeWish.addActions(to: widgets.page) { [weak self] wish in
            (self?.episode?.id).map { onWish(wish, $0) }
        }
        widgets.notes.followTargets { [weak self] target in
            guard let time = ShowNotes.time(ofTarget: target) else { return false }
            (self?.episode?.id).map { onTime(time, $0) }
            return true
        }
    }

    /// Shows an episode, whose notes follow.
    func open(_ episode: PodcastEpisode) {
        close()
        show(episode, isPlaying: false)
        widgets.scroller.scrollToStart()
        widgets.play.grabFocus()
    }

    /// Ends the page.
    func close() {
        episode = nil
        setNotes(nil)
    }

    /// Shows the notes; `nil` as long as they have not been read.
    func setNotes(_ notes: ShowNotes?) {
        let text = notes.map { $0.lines.isEmpty ? "There are no notes." : $0.markup } ?? ""
        widgets.notes.set("label", .string(text))
    }

    /// Shows the episode as it is now.
    func show(_ episode: PodcastEpisode, isPlaying: Bool) {
        self.episode = episode
        widgets.title.set("label", .string(episode.title))
        let detail = PodcastText.detail(episode, now: Date(), calendar: .current)
        widgets.detail.set("label", .string(isPlaying ? "Now playing · \(detail)" : detail))
        let isBegun = episode.share != nil
        widgets.play.set("label", .string(isPlaying ? "Show the Player" : isBegun ? "Continue" : "Play"))
        for button in [widgets.play, widgets.next, widgets.last, widgets.download] {
            button.isVisible = episode.hasRecording
        }
        let queue = episode.isQueued ? ("Remove from the Queue", "episode.dequeue") : ("Play Last", "episode.last")
        widgets.last.set("label", .string(queue.0))
        widgets.last.set("action-name", .string(queue.1))
        let mark = episode.isPlayed ? ("Mark as Unplayed", "episode.unplayed") : ("Mark as Played", "episode.played")
        widgets.mark.set("label", .string(mark.0))
        widgets.mark.set("action-name", .string(mark.1))
        let (_, action, label) = episode.download.button
        widgets.download.set("label", .string(label))
        widgets.download.set("action-name", .string(action))
    }
}

extension ShowNotes {
    /// Returns the link target that represents a time in markup.
    private static let timeScheme = "time:"

    /// Returns the time that a link target represents; `nil` for a web address.
    static func time(ofTarget target: String) -> Double? {
        target.hasPrefix(timeScheme) ? Double(target.dropFirst(timeScheme.count)) : nil
    }

    /// The notes as Pango's markup: all texts are escaped, and links lead to the web or to a time.
    var markup: String {
        lines.map { line in
            let parts = line.parts.map { part in
                let text = part.text.escapedMarkup
                switch part.target {
                case .link(let address):
                    let target = address.escapedMarkup
                    return "<a href=\"\(target)\" title=\"\(target.escapedMarkup)\">\(text)</a>"
                case .time(let seconds): return "<a href=\"\(Self.timeScheme)\(seconds)\">\(text)</a>"
                case nil: return text
                }
            }
            return (line.beginsParagraph ? "\n" : "") + (line.isItem ? "• " : "") + parts.joined()
        }
        .joined(separator: "\n")
    }
}

/// The widgets of the page of an episode.
@MainActor
struct EpisodeWidgets {
    let scroller: Widget
    let page: Widget
    let title: Widget
    let detail: Widget
    let play: Widget
    let next: Widget
    let last: Widget
    let download: Widget
    let mark: Widget
    let notes: Widget

    init(_ description: Builder) {
        (scroller, page) = (description.get("episodePageScroller"), description.get("episodePage"))
        (title, detail) = (description.get("episodeTitle"), description.get("episodeDetail"))
        (play, next) = (description.get("episodePlay"), description.get("episodeNext"))
        (last, download) = (description.get("episodeLast"), description.get("episodeDownload"))
        (mark, notes) = (description.get("episodeMark"), description.get("episodeNotes"))
    }

    private nonisolated static func pill(
        _ id: String,
        _ label: String,
        _ action: String,
        _ style: String = ""
    ) -> String {
        """
        <child><object class="GtkFlowBoxChild"><property name="focusable">False</property><property name="child">
        <object class="GtkButton" id="\(id)">
          <property name="label">\(label)</property>
          <property name="action-name">episode.\(action)</property>
          \(style)
        </object>
        </property></object></child>
        """
    }

    /// The widgets, in GTK's XML.
    nonisolated static let description = """
        <object class="GtkScrolledWindow" id="episodePageScroller">
          <property name="hscrollbar-policy">never</property>
          <property name="child"><object class="AdwClamp">
            <property name="maximum-size">760</property>
            <property name="child"><object class="GtkBox" id="episodePage">
              <property name="orientation">vertical</property><property name="spacing">12</property>
              <property name="margin-top">18</property><property name="margin-bottom">18</property>
              <property name="margin-start">18</property><property name="margin-end">18</property>
              <child><object class="GtkLabel" id="episodeTitle">
                <property name="xalign">0</property><property name="wrap">True</property>
                <property name="wrap-mode">word-char</property>
                <style><class name="title-2"/></style>
              </object></child>
              <child><object class="GtkLabel" id="episodeDetail">
                <property name="xalign">0</property><property name="wrap">True</property>
                <style><class name="dim-label"/></style>
              </object></child>
              <child><object class="GtkFlowBox">
                <property name="selection-mode">none</property><property name="max-children-per-line">5</property>
                <property name="column-spacing">6</property><property name="row-spacing">6</property>
                <property name="halign">start</property>
                <accessibility><property name="label">Episode</property></accessibility>
                \(pill("episodePlay", "Play", "play", "<style><class name=\"suggested-action\"/></style>"))
                \(pill("episodeNext", "Play Next", "first"))
                \(pill("episodeLast", "Play Last", "last"))
                \(pill("episodeDownload", "Download", "download"))
                \(pill("episodeMark", "Mark as Played", "played"))
              </object></child>
              <child><object class="GtkLabel" id="episodeNotes">
                <property name="xalign">0</property><property name="use-markup">True</property>
                <property name="wrap">True</property><property name="wrap-mode">word-char</property>
                <property name="selectable">True</property><property name="margin-top">6</property>
              </object></child>
            </object></property>
          </object></property>
        </object>
        """
}
