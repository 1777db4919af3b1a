import SyrinxDesktopModel
import SyrinxGTK

/// A row of the queue, whose content is made when it is about to be seen.
@MainActor
final class QueueRow {
    let row: Widget
    /// A number that stays when the row moves.
    let number: Int
    private var content: QueueRowWidgets?
    private var text: QueueRowText
    private var cover: Texture?
    private var isPlaying = false
    private var dragSource: DragSource?
    private let onRemove: @MainActor () -> Void
    static let coverSide = 40

    /// Creates an empty row.
    /// - Parameters:
    ///   - text: The texts.
    ///   - number: A number that no other row of the list has.
    ///   - onRemove: Called when the row is to be taken out of the queue.
    init(_ text: QueueRowText, number: Int, onRemove: @escaping @MainActor () -> Void) {
        (self.text, self.number, self.onRemove) = (text, number, onRemove)
        row = Builder(
            """
            <interface><object class="GtkListBoxRow" id="row">
            <property name="height-request">52</property>
            <style><class name="queue-row"/></style>
            </object></interface>
            """
        )
        .get("row")
        row.tooltip = text.title
        row.setAccessibleLabel(text.spoken)
    }

    /// Whether the row is shown, and not hidden by a search.
    var isShown = true {
        didSet { if isShown != oldValue { row.isVisible = isShown } }
    }

    /// Whether the row can be dragged to another place.
    var isDraggable = true {
        didSet { if isDraggable != oldValue { dragSource?.setOn(isDraggable) } }
    }

    /// Enables dragging of the row.
    /// - Parameters:
    ///   - text: The text of the dragged row.
    ///   - handler: Called with true when a drag begins, and with false when it ends.
    func setDragged(_ text: String, _ handler: @escaping @MainActor (Bool) -> Void) {
        dragSource = row.setDragged(text, handler)
    }

    /// Creates the content of a row that is seen; releases the cover of one that is not.
    func setSeen(_ isSeen: Bool) {
        guard isSeen else {
            if content != nil, cover != nil { show(text, cover: nil) }
            return
        }
        guard content == nil else { return }
        let content = QueueRowWidgets()
        self.content = content
        row.setChild(content.box)
        content.remove.on("clicked") { [onRemove] _ in onRemove() }
        show(text, cover: cover)
        show(isPlaying: isPlaying)
    }

    /// Shows texts and a cover.
    func show(_ text: QueueRowText, cover: Texture?) {
        (self.text, self.cover) = (text, cover)
        row.tooltip = text.detail.isEmpty ? text.title : "\(text.title)\n\(text.detail)"
        row.setAccessibleLabel(text.spoken)
        guard let content else { return }
        content.title.set("label", .string(text.title))
        content.detail.set("label", .string(text.detail))
        content.detail.isVisible = !text.detail.isEmpty
        content.length.set("label", .string(text.length))
        content.remove.setAccessibleLabel("Take out \(text.title)")
        showSign()
    }

    /// Marks the row whose recording plays.
    func show(isPlaying: Bool) {
        self.isPlaying = isPlaying
        row.setClass("plays", isPlaying)
        showSign()
    }

    /// Shows the sign of what plays over the cover, or in place of the icon.
    private func showSign() {
        guard let content else { return }
        let icon = isPlaying ? "media-playback-start-symbolic" : "audio-x-generic-symbolic"
        content.cover.showImage(cover, size: Self.coverSide, icon: icon)
        content.sign.isVisible = isPlaying && cover != nil
    }

    /// The rules of the style sheet.
    static let style = """
        .queue-row .artwork { border-radius: 6px; }
        .queue-row.plays .title { font-weight: bold; }
        .playing-sign { color: white; background-color: alpha(black, 0.5); border-radius: 6px; }
        row .remove { min-width: 24px; min-height: 24px; padding: 0; opacity: 0; }
        row:hover .remove, row:focus-within .remove { opacity: 1; }
        row:hover .length, row:focus-within .length { opacity: 0; }
        """
}

/// The content of a row of the queue.
@MainActor
private struct QueueRowWidgets {
    let box: Widget
    let cover: Widget
    let sign: Widget
    let title: Widget
    let detail: Widget
    let length: Widget
    let remove: Widget

    init() {
        let description = Builder(Self.description)
        (box, cover, sign) = (description.get("content"), description.get("cover"), description.get("sign"))
        (title, detail, length) = (description.get("title"), description.get("detail"), description.get("length"))
        remove = description.get("remove")
    }

    private static let description = """
        <interface><object class="GtkBox" id="content">
        <property name="spacing">10</property>
        <child><object class="GtkOverlay">
        <property name="valign">center</property>
        <property name="child"><object class="GtkImage" id="cover">
        <property name="width-request">\(QueueRow.coverSide)</property><property name="height-request">\(QueueRow.coverSide)</property>
        <property name="overflow">hidden</property>
        <style><class name="artwork"/></style>
        <accessibility><property name="label"></property></accessibility>
            </object></property>
            <child type="overlay"><object class="GtkImage" id="sign">
            <property name="icon-name">media-playback-start-symbolic</property>
            <property name="visible">False</property>
            <style><class name="playing-sign"/></style>
            </object></child>
          </object></child>
          <child><object class="GtkBox">
          <property name="orientation">vertical</property><property name="valign">center</property>
          <property name="hexpand">True</property><property name="spacing">1</property>
          <child><object class="GtkLabel" id="title">
          <property name="xalign">0</property><property name="ellipsize">end</property>
          <property name="single-line-mode">True</property><property name="max-width-chars">10</property>
          <style><class name="title"/></style>
            </object></child>
            <child><object class="GtkLabel" id="detail">
            <property name="xalign">0</property><property name="ellipsize">end</property>
            <property name="single-line-mode">True</property><property name="max-width-chars">10</property>
            <style><class name="caption"/><class name="dim-label"/></style>
            </object></child>
          </object></child>
          <child><object class="GtkOverlay">
          <property name="valign">center</property>
          <property name="child"><object class="GtkLabel" id="length">
          <property name="xalign">1</property><property name="width-request">28</property>
          <style><class name="caption"/><class name="numeric"/><class name="dim-label"/><class name="length"/></style>
            </object></property>
            <child type="overlay"><object class="GtkButton" id="remove">
            <property name="icon-name">window-close-symbolic</property>
            <property name="halign">end</property><property name="valign">center</property>
            <property name="tooltip-text">Take Out of the Queue (Delete)</property>
            <property name="focus-on-click">False</property>
            <style><class name="flat"/><class name="circular"/><class name="remove"/></style>
            </object></child>
          </object></child>
        </object></interface>
        """
}
