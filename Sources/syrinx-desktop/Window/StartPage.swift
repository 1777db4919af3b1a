import Foundation
import SyrinxByteStream
import SyrinxDesktopModel
import SyrinxGTK
import SyrinxListening
import SyrinxPodcastLibrary

/// The list on the start page of recordings that can be resumed.
@MainActor
final class StartPage {
    /// Called with the entry that was chosen.
    var onChoose: (StartList.Entry) -> Void = { _ in }
    /// Called when the list has been read.
    var onChange: () -> Void = {}
    /// The recordings that are listed; `nil` until they have been read.
    private(set) var list: StartList?
    private let listBox: ListBox
    private let worker: LibraryWorker
    private let tags = QueueTags()
    private var rows: [StartRow] = []
    private var request = 0
    fileprivate static let coverSide = 48

    /// Shows nothing yet.
    init(_ listBox: ListBox, _ worker: LibraryWorker) {
        (self.listBox, self.worker) = (listBox, worker)
        listBox.onActivate { [weak self] index in
            guard let self, let list = self.list, list.entries.indices.contains(index) else { return }
            self.onChoose(list.entries[index])
        }
        tags.onRead = { [weak self] _ in self?.fill() }
    }

    /// Reads the recordings that can be resumed.
    /// - Parameter stations: Broadcasts with their titles, the last one first.
    func read(stations: [(input: ListeningInput, title: String)]) {
        request += 1
        let number = request
        Task { [weak self, worker] in
            let episodes = await Self.episodes(worker)
            let (session, positions) = await SavedState.positions.heard()
            let list = await Task.detached {
                let known = Self.keptStations() + stations
                return StartList(session: session, positions: positions, episodes: episodes, stations: known) {
                    if case .file(let path) = $0.location { path.status != nil } else { true }
                }
            }.value
            guard let self, number == self.request else { return }
            self.take(list)
        }
    }

    /// The stations that were heard last in any player, and the favorites.
    nonisolated private static func keptStations() -> [(input: ListeningInput, title: String)] {
        guard let radio = SavedState.positions.lists?.radio else { return [] }
        let favorites = (try? radio.favorites())?.stations ?? []
        return (radio.recent().stations + favorites).compactMap { station in
            station.input.map { (input: $0, title: station.name) }
        }
    }

    /// The episodes that have been begun.
    private static func episodes(_ worker: LibraryWorker) async -> [StartList.Entry] {
        // Looking for podcasts makes no library.
        guard FilePath(LibraryWorker.file.path).status != nil else { return [] }
        let found = await worker.use { library throws(PodcastError) -> [StartList.Entry] in
            var filter = PodcastLibrary.EpisodeFilter()
            filter.isInProgressOnly = true
            let begun = try library.episodes(filter).filter { $0.playedAt != nil && $0.position > 0 }
            let last = begun.sorted { ($0.playedAt ?? .distantPast) > ($1.playedAt ?? .distantPast) }
            return try last.prefix(StartList.maximumCount).map { episode throws(PodcastError) in
                StartList.Entry(
                    .episode(episode.id),
                    title: episode.title,
                    show: try library.podcast(episode.podcastID).title,
                    position: episode.position,
                    duration: episode.duration,
                    date: episode.playedAt?.timeIntervalSince1970 ?? 0
                )
            }
        }
        return (try? found.get()) ?? []
    }

    private func take(_ list: StartList) {
        let isSame = list == self.list
        self.list = list
        if !isSame {
            for row in rows { listBox.remove(row.row) }
            rows = list.entries.map { _ in StartRow() }
            for row in rows { listBox.appendRow(row.row) }
            let inputs = list.entries.compactMap(\.input)
            tags.read(inputs)
            tags.see(inputs.compactMap(\.file), side: Self.coverSide * listBox.scaleFactor)
            fill()
        }
        onChange()
    }

    /// Fills the rows with the recordings.
    private func fill() {
        for (row, entry) in zip(rows, list?.entries ?? []) {
            let tags = entry.input.map { self.tags.known.tags(of: $0) } ?? ListeningTags()
            let text = QueueRowText(name: entry.title, tags: tags)
            let detail = entry.detail(tags)
            row.title.set("label", .string(text.title))
            row.detail.set("label", .string(detail))
            row.detail.isVisible = !detail.isEmpty
            row.share.isVisible = entry.share != nil
            row.share.showProgress(entry.share ?? 0)
            row.row.tooltip = text.title
            row.row.setAccessibleLabel(detail.isEmpty ? text.title : "\(text.title), \(detail)")
            row.cover.showImage(
                entry.input?.file.flatMap { self.tags.cover(of: $0) },
                size: Self.coverSide,
                icon: entry.input == nil ? "syrinx-podcasts-symbolic" : "audio-x-generic-symbolic"
            )
        }
    }

    /// Ends reading.
    func close() {
        request += 1
        tags.close()
    }

    /// The page, with the list `startList`.
    nonisolated static let content = """
        <object class="GtkScrolledWindow">
          <property name="hscrollbar-policy">never</property>
          <property name="child"><object class="AdwClamp">
            <property name="maximum-size">560</property>
            <property name="child"><object class="GtkBox">
              <property name="orientation">vertical</property><property name="spacing">18</property>
              <property name="valign">center</property>
              <!-- A message covers the lower edge. -->
              <property name="margin-top">18</property><property name="margin-bottom">72</property>
              <property name="margin-start">12</property><property name="margin-end">12</property>
              <child><object class="GtkLabel">
                <property name="label">Continue</property><property name="xalign">0</property>
                <property name="margin-start">6</property>
                <style><class name="title-2"/></style>
              </object></child>
              <child><object class="GtkListBox" id="startList">
                <property name="selection-mode">none</property>
                <style><class name="boxed-list"/></style>
                <accessibility><property name="label">Continue</property></accessibility>
              </object></child>
              <child><object class="GtkBox">
                <property name="spacing">12</property><property name="halign">center</property>
                <child><object class="GtkButton">
                  <property name="label">Open…</property><property name="action-name">win.open</property>
                  <style><class name="pill"/></style>
                </object></child>
                <child><object class="GtkButton">
                  <property name="label">Open Address…</property>
                  <property name="action-name">win.open-address</property>
                  <style><class name="pill"/></style>
                </object></child>
              </object></child>
            </object></property>
          </object></property>
        </object>
        """

    /// The rules of the style sheet.
    static let style = ".start-cover { border-radius: 6px; }"
}

/// A row of the list.
@MainActor
private struct StartRow {
    let row: Widget
    let cover: Widget
    let title: Widget
    let detail: Widget
    let share: Widget

    init() {
        let description = Builder(Self.description)
        (row, cover, title) = (description.get("row"), description.get("cover"), description.get("title"))
        (detail, share) = (description.get("detail"), description.get("share"))
    }

    private static let description = """
        <interface><object class="GtkListBoxRow" id="row"><property name="child"><object class="GtkBox">
        <property name="spacing">12</property>
        <property name="margin-top">9</property><property name="margin-bottom">9</property>
        <property name="margin-start">9</property><property name="margin-end">12</property>
        <child><object class="GtkImage" id="cover">
        <property name="width-request">\(StartPage.coverSide)</property><property name="height-request">\(StartPage.coverSide)</property>
        <property name="valign">center</property><property name="overflow">hidden</property>
        <style><class name="start-cover"/></style>
        <accessibility><property name="label"></property></accessibility>
          </object></child>
          <child><object class="GtkBox">
          <property name="orientation">vertical</property><property name="valign">center</property>
          <property name="hexpand">True</property><property name="spacing">3</property>
          <child><object class="GtkLabel" id="title">
          <property name="xalign">0</property><property name="ellipsize">end</property>
          <property name="single-line-mode">True</property>
            </object></child>
            <child><object class="GtkLabel" id="detail">
            <property name="xalign">0</property><property name="ellipsize">end</property>
            <property name="single-line-mode">True</property>
            <style><class name="caption"/><class name="numeric"/><class name="dim-label"/></style>
            </object></child>
            <child><object class="GtkProgressBar" id="share">
            <property name="margin-top">3</property>
            <accessibility><property name="label">Heard</property></accessibility>
            </object></child>
          </object></child>
        </object></property></object></interface>
        """
}
