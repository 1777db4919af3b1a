import SyrinxGTK

/// The widgets of the header, in place of a title bar.
@MainActor
struct HeaderWidgets {
    let bar: Widget
    let title: Widget
    let openButton: Widget
    let queueButton: Widget
    let soundButton: Widget

    init(_ description: Builder) {
        (bar, title, openButton) = (description.get("header"), description.get("title"), description.get("openButton"))
        (queueButton, soundButton) = (description.get("queueButton"), description.get("soundButton"))
    }

    /// The widgets, in GTK's XML.
    nonisolated static let description = """
        <object class="AdwHeaderBar" id="header">
          <style><class name="flat"/></style>
          <property name="title-widget"><object class="AdwSqueezer">
            <property name="homogeneous">False</property><property name="allow-none">True</property>
            <child><object class="AdwWindowTitle" id="title"><property name="title">Syrinx</property></object></child>
          </object></property>
          <child><object class="AdwSplitButton" id="openButton">
            <property name="label">Open</property><property name="action-name">win.open</property>
            <property name="tooltip-text">Open Files (Ctrl+O)</property>
            <property name="menu-model">openMenu</property>
            <property name="dropdown-tooltip">More Ways to Open</property>
          </object></child>
          <child type="end"><object class="GtkMenuButton" id="menuButton">
            <property name="icon-name">open-menu-symbolic</property><property name="menu-model">mainMenu</property>
            <property name="primary">True</property><property name="tooltip-text">Main Menu</property>
            <accessibility><property name="label">Main Menu</property></accessibility>
          </object></child>
          <child type="end"><object class="GtkToggleButton" id="queueButton">
            <property name="icon-name">view-list-symbolic</property>
            <property name="tooltip-text">Queue (F9)</property>
            <property name="active" bind-source="flap" bind-property="reveal-flap" bind-flags="bidirectional|sync-create"/>
            <accessibility><property name="label">Queue</property></accessibility>
          </object></child>
          <child type="end"><object class="GtkMenuButton" id="soundButton">
            <property name="icon-name">syrinx-sound-symbolic</property>
            <property name="tooltip-text">Sound</property>
            <property name="popover"><object class="GtkPopover">
              <property name="child">\(SoundWidgets.description)</property>
            </object></property>
            <accessibility><property name="label">Sound</property></accessibility>
          </object></child>
        </object>
        """
}
