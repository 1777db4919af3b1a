import SyrinxDesktopModel
import SyrinxGTK
import SyrinxPodcastLibrary

/// The header above the episodes of a podcast: its picture, its texts, and its description, shortened or complete.
@MainActor
final class ShowDescription {
    private static let (allLines, firstLines) = (-1, 3)
    /// Bytes that fit into the first lines at most widths.
    private static let shortText = 120

    private let widgets: ShowWidgets
    private let worker: LibraryWorker
    private var reading: Task<Void, Never>?
    /// The description as markup; empty if there is none.
    private var notes = ""
    private var showsAll = false
    /// The podcast whose picture and description are shown; `nil` for none.
    private var opened: Podcast.ID?
    private var isOpen = false

    /// Creates the view from the widgets above the episodes.
    init(_ widgets: ShowWidgets, _ worker: LibraryWorker) {
        (self.widgets, self.worker) = (widgets, worker)
        widgets.notes.followTargets { _ in false }
        widgets.more.on("clicked") { [weak self] _ in
            guard let self else { return }
            self.showsAll.toggle()
            self.show()
        }
    }

    /// Shows the texts of a podcast; `nil` hides them.
    func show(_ show: PodcastShow?) {
        widgets.header.isVisible = show != nil
        guard let show else { return }
        widgets.title.set("label", .string(show.title))
        let counts = "\(PodcastText.count(show.episodeCount, "episode")), \(show.unplayedCount) not played"
        let detail = [show.author ?? "", counts].filter { !$0.isEmpty }.joined(separator: "\n")
        widgets.detail.set("label", .string(detail))
        widgets.failure.isVisible = show.failure != nil
        let failure = show.failure.map { "The last refresh failed: \($0)" } ?? ""
        widgets.failure.set("label", .string(failure))
    }

    /// Shows the picture and the description of a podcast, or none, unless they are shown already.
    func open(_ show: PodcastShow?, _ artwork: ArtworkStore) {
        guard !isOpen || show?.id != opened else { return }
        (isOpen, opened) = (true, show?.id)
        let picture = widgets.picture
        picture.set("paintable", .object(nil))
        artwork.load(show) { [weak self] texture in
            if self?.opened == show?.id { picture.set("paintable", .object(texture)) }
        }
        read(show?.id)
    }

    /// Shows the description of a podcast, or none, as soon as it has been read.
    private func read(_ id: Podcast.ID?) {
        reading?.cancel()
        notes = ""
        showsAll = false
        show()
        guard let id else { return }
        reading = Task { [weak self, worker] in
            let found = await worker.use { library throws(PodcastError) in
                ShowNotes(try library.podcast(id).summary, hasTimes: false)
            }
            // If the description cannot be read, the list of episodes reports the error.
            guard !Task.isCancelled, let self, case .success(let notes) = found else { return }
            self.notes = notes.markup
            self.show()
        }
    }

    private func show() {
        let (label, button) = (widgets.notes, widgets.more)
        label.set("label", .string(notes))
        label.isVisible = !notes.isEmpty
        label.set("lines", .int(showsAll ? Self.allLines : Self.firstLines))
        // Pango's values: none, and at the end.
        label.set("ellipsize", .int(showsAll ? 0 : 3))
        button.isVisible = notes.utf8.count > Self.shortText || notes.contains("\n")
        button.set("label", .string(showsAll ? "Less" : "More"))
    }
}

/// The widgets of a podcast above its episodes.
@MainActor
struct ShowWidgets {
    let header: Widget
    let picture: Widget
    let title: Widget
    let detail: Widget
    let failure: Widget
    let notes: Widget
    let more: Widget

    init(_ description: Builder) {
        (header, picture) = (description.get("showHeader"), description.get("showPicture"))
        (title, detail) = (description.get("showTitle"), description.get("showDetail"))
        (failure, notes) = (description.get("showFailure"), description.get("showNotes"))
        more = description.get("showMore")
    }

    /// The widgets of a podcast above its episodes, in GTK's XML.
    nonisolated static let description = """
        <object class="GtkBox" id="showHeader">
          <property name="spacing">18</property>
          <child><object class="GtkPicture" id="showPicture">
            <property name="width-request">96</property><property name="height-request">96</property>
            <property name="can-shrink">True</property><property name="halign">start</property>
            <property name="valign">start</property><property name="overflow">hidden</property>
            <style><class name="artwork"/></style>
            <accessibility><property name="label">Picture of the Podcast</property></accessibility>
          </object></child>
          <child><object class="GtkBox">
            <property name="orientation">vertical</property><property name="spacing">3</property>
            <property name="valign">center</property><property name="hexpand">True</property>
            <child><object class="GtkLabel" id="showTitle">
              <property name="xalign">0</property><property name="wrap">True</property>
              <property name="wrap-mode">word-char</property><property name="lines">2</property>
              <property name="ellipsize">end</property>
              <style><class name="title-2"/></style>
            </object></child>
            <child><object class="GtkLabel" id="showDetail">
              <property name="xalign">0</property><property name="wrap">True</property>
              <style><class name="dim-label"/></style>
            </object></child>
            <child><object class="GtkLabel" id="showFailure">
              <property name="xalign">0</property><property name="wrap">True</property>
              <property name="visible">False</property>
              <style><class name="error"/><class name="caption"/></style>
            </object></child>
            <child><object class="GtkLabel" id="showNotes">
              <property name="xalign">0</property><property name="use-markup">True</property>
              <property name="wrap">True</property><property name="wrap-mode">word-char</property>
              <property name="visible">False</property><property name="margin-top">6</property>
            </object></child>
            <child><object class="GtkButton" id="showMore">
              <property name="halign">start</property><property name="visible">False</property>
              <style><class name="flat"/></style>
            </object></child>
          </object></child>
        </object>
        """
}
