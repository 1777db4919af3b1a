import Foundation
import SyrinxDesktopModel
import SyrinxGTK

/// A row of the list of podcasts.
@MainActor
final class ShowRow {
    let row: Widget
    private let title: Widget
    private let detail: Widget
    private let count: Widget
    /// The artwork of a row that has some.
    private let picture: Widget?

    /// Creates a row with an icon of the theme, or with artwork.
    init(icon: String?) {
        let description = Builder(
            """
            <interface><object class="GtkListBoxRow" id="row"><property name="child"><object class="GtkBox">
            <property name="spacing">12</property>
            <property name="margin-top">3</property><property name="margin-bottom">3</property>
              <child>\(icon.map { "<object class=\"GtkImage\"><property name=\"icon-name\">\($0)</property></object>" } ?? """
                <object class="GtkPicture" id="picture">
                  <property name="width-request">40</property><property name="height-request">40</property>
                  <property name="can-shrink">True</property><property name="overflow">hidden</property>
                  <property name="valign">center</property>
                  <style><class name="artwork"/></style>
                </object>
                """)</child>
              <child><object class="GtkBox">
              <property name="orientation">vertical</property><property name="valign">center</property>
              <property name="hexpand">True</property>
              <child><object class="GtkLabel" id="title">
              <property name="xalign">0</property><property name="ellipsize">end</property>
              <property name="max-width-chars">1</property>
                </object></child>
                <child><object class="GtkLabel" id="detail">
                <property name="xalign">0</property><property name="ellipsize">end</property>
                <property name="max-width-chars">1</property><property name="visible">False</property>
                <style><class name="caption"/><class name="dim-label"/></style>
                </object></child>
              </object></child>
              <child><object class="GtkLabel" id="count">
              <property name="valign">center</property><property name="visible">False</property>
              <style><class name="count"/><class name="caption"/><class name="numeric"/></style>
              </object></child>
            </object></property></object></interface>
            """
        )
        (row, title, detail) = (description.get("row"), description.get("title"), description.get("detail"))
        count = description.get("count")
        picture = icon == nil ? description.get("picture") : nil
    }

    /// Shows the texts.
    func show(_ title: String, detail: String = "", count: Int = 0) {
        self.title.set("label", .string(title))
        self.detail.set("label", .string(detail))
        self.detail.isVisible = !detail.isEmpty
        self.count.set("label", .string(count > 999 ? "999+" : "\(count)"))
        self.count.isVisible = count > 0
        row.tooltip = title
        let spoken = [title, detail, count > 0 ? "\(count) new" : ""].filter { !$0.isEmpty }
        row.setAccessibleLabel(spoken.joined(separator: ", "))
    }

    /// Shows artwork in a row that has some.
    func show(_ artwork: Texture) { picture?.set("paintable", .object(artwork)) }
}

/// An action of the user on an episode, by its name.
enum EpisodeWish: String, CaseIterable {
    case play, download, first, last, dequeue, played, unplayed
    /// Marks the episodes of the list as played that are older.
    case older
    case removeDownload = "remove"

    /// Adds the actions `episode.<name>` for the widgets within one.
    @MainActor
    static func addActions(to widget: Widget, _ onWish: @escaping @MainActor (EpisodeWish) -> Void) {
        var actions: [(name: String, handler: @MainActor () -> Void)] = []
        for wish in allCases { actions.append((wish.rawValue, { onWish(wish) })) }
        widget.addActions("episode", actions)
    }
}

extension PodcastEpisode.Download {
    /// The button that changes the download: its icon, action and label.
    var button: (icon: String, action: String, label: String) {
        switch self {
        case .none: ("folder-download-symbolic", "episode.download", "Download")
        case .waiting, .failed: ("folder-download-symbolic", "episode.download", "Continue Download")
        case .running: ("process-stop-symbolic", "episode.remove", "Cancel Download")
        case .done: ("user-trash-symbolic", "episode.remove", "Remove Download")
        }
    }
}

/// A row of the list of episodes.
@MainActor
final class EpisodeRow {
    let row: Widget
    private(set) var episode: PodcastEpisode
    private let widgets: EpisodeRowWidgets
    private var isPlaying = false
    private var canMarkOlder = false
    private var shownMenu = ""

    /// Creates a row.
    /// - Parameter onWish: Receives the actions on the episode.
    init(_ episode: PodcastEpisode, onWish: @escaping @MainActor (EpisodeWish, Int64) -> Void) {
        self.episode = episode
        widgets = EpisodeRowWidgets()
        row = widgets.row
        let id = episode.id
        EpisodeWish.addActions(to: row) { onWish($0, id) }
        show(episode, isPlaying: false, canMarkOlder: false, isForced: true)
    }

    /// Shows an episode.
    /// - Parameters:
    ///   - episode: The episode.
    ///   - isPlaying: Whether it is the one that plays.
    ///   - canMarkOlder: Whether the list can mark the older episodes as played.
    ///   - isForced: Whether the texts are set although neither has changed.
    func show(_ episode: PodcastEpisode, isPlaying: Bool, canMarkOlder: Bool, isForced: Bool) {
        let isSame = episode == self.episode && isPlaying == self.isPlaying && canMarkOlder == self.canMarkOlder
        guard isForced || !isSame else { return }
        (self.episode, self.isPlaying, self.canMarkOlder) = (episode, isPlaying, canMarkOlder)
        let detail = PodcastText.detail(episode, now: Date(), calendar: .current)
        let title = widgets.title
        title.set("label", .string(episode.title))
        title.setClass("dim-label", episode.isPlayed && !isPlaying)
        title.setClass("playing-row", isPlaying)
        widgets.detail.set("label", .string(isPlaying ? "Now playing · \(detail)" : detail))
        widgets.dot.set("opacity", .double(episode.isPlayed || !episode.hasRecording ? 0 : 1))
        let play = widgets.play
        play.isVisible = episode.hasRecording
        play.setAccessibleLabel("Play \(episode.title)")
        row.setAccessibleLabel("\(episode.title), \(detail)\(episode.isPlayed ? "" : ", not played")")
        showProgress(episode)
        showButton(episode.download)
        showMenu(episode)
    }

    private func showProgress(_ episode: PodcastEpisode) {
        let bar = widgets.progress
        var share = episode.share
        var isLoading = false
        if case .running(let loaded) = episode.download { (share, isLoading) = (loaded ?? 0, true) }
        bar.isVisible = share != nil
        bar.set("fraction", .double(share ?? 0))
        bar.setAccessibleLabel(isLoading ? "Downloaded" : "Played")
    }

    private func showButton(_ download: PodcastEpisode.Download) {
        let button = widgets.button
        let (icon, action, label) = download.button
        button.set("icon-name", .string(icon))
        button.set("action-name", .string(action))
        button.tooltip = label
        button.setAccessibleLabel(label)
        button.isVisible = episode.hasRecording
    }

    private func showMenu(_ episode: PodcastEpisode) {
        var items = [("Play Next", "first"), ("Play Last", "last")]
        if episode.isQueued { items = [("Play Next", "first"), ("Remove from the Queue", "dequeue")] }
        if !episode.hasRecording { items = [] }
        items.append(episode.isPlayed ? ("Mark as Unplayed", "unplayed") : ("Mark as Played", "played"))
        if canMarkOlder { items.append(("Mark Older as Played", "older")) }
        let menu = Description.items(items.map { ($0.0, "episode.\($0.1)") })
        guard menu != shownMenu else { return }
        shownMenu = menu
        let model = Builder("<interface><menu id=\"menu\"><section>\(menu)</section></menu></interface>")
        widgets.menuButton.set("menu-model", .object(model.get("menu", Object.self)))
    }
}

/// The widgets of a row of the list of episodes.
@MainActor
private struct EpisodeRowWidgets {
    let row: Widget
    let dot: Widget
    let title: Widget
    let detail: Widget
    let progress: Widget
    let play: Widget
    let button: Widget
    let menuButton: Widget

    init() {
        let description = Builder(Self.description)
        (row, dot, title) = (description.get("row"), description.get("dot"), description.get("title"))
        (detail, progress, play) = (description.get("detail"), description.get("progress"), description.get("play"))
        (button, menuButton) = (description.get("button"), description.get("menuButton"))
    }

    private static let description = """
        <interface><object class="GtkListBoxRow" id="row"><property name="child"><object class="GtkBox">
        <property name="spacing">6</property>
        <property name="margin-top">9</property><property name="margin-bottom">9</property>
        <property name="margin-start">12</property><property name="margin-end">6</property>
        <child><object class="GtkBox" id="dot">
        <property name="valign">center</property><property name="margin-end">6</property>
        <style><class name="unplayed-dot"/></style>
          </object></child>
          <child><object class="GtkBox">
          <property name="orientation">vertical</property><property name="spacing">3</property>
          <property name="hexpand">True</property><property name="valign">center</property>
          <child><object class="GtkLabel" id="title">
          <property name="xalign">0</property><property name="wrap">True</property>
          <property name="wrap-mode">word-char</property><property name="lines">2</property>
          <property name="ellipsize">end</property>
            </object></child>
            <child><object class="GtkLabel" id="detail">
            <property name="xalign">0</property><property name="wrap">True</property>
            <property name="lines">2</property><property name="ellipsize">end</property>
            <style><class name="caption"/><class name="dim-label"/></style>
            </object></child>
            <child><object class="GtkProgressBar" id="progress">
            <property name="visible">False</property><property name="margin-top">3</property>
            <property name="margin-end">6</property>
            <style><class name="thin"/></style>
            </object></child>
          </object></child>
          <child><object class="GtkButton" id="play">
          <property name="valign">center</property>
          <property name="icon-name">media-playback-start-symbolic</property>
          <property name="action-name">episode.play</property><property name="tooltip-text">Play</property>
          <style><class name="flat"/><class name="circular"/></style>
          </object></child>
          <child><object class="GtkButton" id="button">
          <property name="valign">center</property>
          <style><class name="flat"/><class name="circular"/></style>
          </object></child>
          <child><object class="GtkMenuButton" id="menuButton">
          <property name="valign">center</property><property name="icon-name">view-more-symbolic</property>
          <property name="tooltip-text">Episode Menu</property>
          <style><class name="flat"/><class name="circular"/></style>
          <accessibility><property name="label">Episode Menu</property></accessibility>
          </object></child>
        </object></property></object></interface>
        """
}
