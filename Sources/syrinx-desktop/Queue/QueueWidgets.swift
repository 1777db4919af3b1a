import SyrinxDesktopModel
import SyrinxGTK

/// The widgets of the pane beside the pages: chapters, bookmarks and the queue.
@MainActor
struct QueueWidgets {
    let pane: Widget
    let scroller: Widget
    /// The box that is scrolled.
    let content: Widget
    let chapters: PlaceListWidgets
    let bookmarks: PlaceListWidgets
    let summary: Widget
    let shuffle: Widget
    let repetition: Widget
    let search: QueueSearchWidgets
    let list: ListBox
    let placeholder: Widget

    init(_ description: Builder) {
        (pane, scroller) = (description.get("queuePane"), description.get("queueScroller"))
        content = description.get("queueContent")
        chapters = PlaceListWidgets(description, "chapter")
        bookmarks = PlaceListWidgets(description, "bookmark")
        (summary, shuffle) = (description.get("queueSummary"), description.get("shuffleButton"))
        repetition = description.get("repeatButton")
        search = QueueSearchWidgets(description)
        (list, placeholder) = (description.get("queueList"), description.get("queuePlaceholder"))
    }

    /// The widgets, in GTK's XML.
    nonisolated static let description = """
        <object class="GtkBox" id="queuePane">
          <property name="orientation">vertical</property><property name="width-request">280</property>
          <property name="hexpand">False</property>
          <style><class name="background"/><class name="queue-pane"/></style>
          <child><object class="GtkScrolledWindow" id="queueScroller">
            <property name="hscrollbar-policy">never</property><property name="vexpand">True</property>
            <property name="child"><object class="GtkBox" id="queueContent">
              <property name="orientation">vertical</property>
              \(PlaceListWidgets.description("Chapters", id: "chapter"))
              \(PlaceListWidgets.description("Bookmarks", id: "bookmark"))
              <child><object class="GtkBox">
                <property name="margin-start">12</property><property name="margin-end">6</property>
                <property name="margin-top">6</property>
                <child><object class="GtkBox">
                  <property name="orientation">vertical</property><property name="valign">center</property>
                  <property name="margin-end">6</property><property name="hexpand">True</property>
                  <child><object class="GtkLabel">
                    <property name="label">Queue</property><property name="xalign">0</property>
                    <style><class name="heading"/></style>
                  </object></child>
                  <child><object class="GtkLabel" id="queueSummary">
                    <property name="xalign">0</property><property name="ellipsize">end</property>
                    <property name="visible">False</property>
                    <style><class name="caption"/><class name="numeric"/><class name="dim-label"/></style>
                  </object></child>
                </object></child>
                <child><object class="GtkToggleButton" id="queueSearchButton">
                  <property name="icon-name">system-search-symbolic</property>
                  <property name="tooltip-text">Search in the Queue (Ctrl+F)</property>
                  <style><class name="flat"/></style>
                  <accessibility><property name="label">Search in the Queue</property></accessibility>
                </object></child>
                <child><object class="GtkToggleButton" id="shuffleButton">
                  <property name="icon-name">media-playlist-shuffle-symbolic</property>
                  <property name="tooltip-text">Shuffle (S)</property>
                  <style><class name="flat"/></style>
                  <accessibility><property name="label">Shuffle</property></accessibility>
                </object></child>
                <child><object class="GtkToggleButton" id="repeatButton">
                  <style><class name="flat"/></style>
                </object></child>
                <child><object class="GtkMenuButton" id="queueMenuButton">
                  <property name="icon-name">view-more-symbolic</property>
                  <property name="menu-model">queueMenu</property>
                  <property name="tooltip-text">More of the Queue</property>
                  <style><class name="flat"/></style>
                  <accessibility><property name="label">More of the Queue</property></accessibility>
                </object></child>
              </object></child>
              <child><object class="GtkRevealer" id="queueSearch">
                <property name="child"><object class="GtkSearchEntry" id="queueSearchEntry">
                  <property name="visible">False</property>
                  <property name="placeholder-text">Title, performer, album</property>
                  <property name="margin-start">12</property><property name="margin-end">12</property>
                  <property name="margin-top">6</property>
                  <accessibility><property name="label">Words to Search for in the Queue</property></accessibility>
                </object></property>
              </object></child>
              <child><object class="GtkListBox" id="queueList">
                <property name="selection-mode">none</property>
                <style><class name="navigation-sidebar"/></style>
                <accessibility><property name="label">Queue</property></accessibility>
                <child type="placeholder"><object class="GtkLabel" id="queuePlaceholder">
                  <property name="label">\(QueueRows.emptyText(isSearch: false))</property>
                  <property name="wrap">True</property><property name="margin-top">24</property>
                  <property name="margin-bottom">24</property><property name="margin-start">12</property>
                  <property name="margin-end">12</property><property name="justify">center</property>
                  <style><class name="dim-label"/></style>
                </object></child>
              </object></child>
            </object></property>
          </object></child>
        </object>
        """
}

/// The widgets of the search in the queue.
@MainActor
struct QueueSearchWidgets {
    let button: Widget
    let revealer: Widget
    let entry: Widget

    init(_ description: Builder) {
        (button, revealer) = (description.get("queueSearchButton"), description.get("queueSearch"))
        entry = description.get("queueSearchEntry")
    }
}
