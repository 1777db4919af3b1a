import SyrinxDesktopModel
import SyrinxGTK

/// The widgets of a status page: for an empty window, or for a failure.
@MainActor
struct StatusWidgets {
    let page: Widget
    let button: Widget
    let next: Widget

    /// Looks the widgets up.
    /// - Parameter name: The name of the page.
    init(_ description: Builder, _ name: String) {
        (page, button) = (description.get("\(name)Status"), description.get("\(name)Button"))
        next = description.get("\(name)Next")
    }

    /// Shows texts.
    func show(_ texts: PageTexts) {
        page.set("title", .string(texts.title))
        page.set("description", .string(texts.detail.escapedMarkup))
        button.set("label", .string(texts.button ?? ""))
        button.isVisible = texts.button != nil
    }

    /// Returns the widgets in GTK's XML.
    /// - Parameters:
    ///   - name: The name of the page.
    ///   - icon: The name of its icon.
    ///   - button: The full name of the action of its first button.
    nonisolated static func description(_ name: String, icon: String, button: String) -> String {
        """
        <object class="AdwStatusPage" id="\(name)Status">
          <property name="icon-name">\(icon)</property>
          <property name="child"><object class="GtkBox">
            <property name="orientation">vertical</property><property name="spacing">12</property>
            <property name="halign">center</property>
            <child><object class="GtkButton" id="\(name)Button">
              <property name="action-name">\(button)</property>
              <style><class name="pill"/><class name="suggested-action"/></style>
            </object></child>
            <child><object class="GtkButton" id="\(name)Next">
              <property name="label">Next in the Queue</property><property name="action-name">win.next</property>
              <property name="visible">False</property>
              <style><class name="pill"/></style>
            </object></child>
            <child><object class="GtkButton">
              <property name="label">Open Address…</property>
              <property name="action-name">win.open-address</property>
              <style><class name="pill"/></style>
            </object></child>
          </object></property>
        </object>
        """
    }
}

/// The widgets of the page that is shown while a recording is opened.
@MainActor
struct LoadingWidgets {
    let spinner: Widget
    let label: Widget

    init(_ description: Builder) {
        (spinner, label) = (description.get("spinner"), description.get("loadingLabel"))
    }

    /// The widgets, in GTK's XML.
    nonisolated static let description = """
        <object class="GtkBox">
          <property name="orientation">vertical</property><property name="spacing">18</property>
          <property name="valign">center</property><property name="margin-start">18</property>
          <property name="margin-end">18</property>
          <child><object class="GtkSpinner" id="spinner">
            <property name="width-request">48</property><property name="height-request">48</property>
            <property name="halign">center</property>
          </object></child>
          <child><object class="GtkLabel" id="loadingLabel">
            <property name="wrap">True</property><property name="wrap-mode">word-char</property>
            <property name="justify">center</property><property name="ellipsize">middle</property>
            <property name="lines">2</property>
            <style><class name="dim-label"/></style>
          </object></child>
        </object>
        """
}
