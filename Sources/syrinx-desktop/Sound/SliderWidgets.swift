import SyrinxGTK

/// A slider, with a label that shows its value.
@MainActor
struct SliderWidgets {
    let slider: Widget
    let value: Widget
    let adjustment: Object

    /// Looks the widgets up.
    /// - Parameter name: The name of the slider.
    init(_ description: Builder, _ name: String) {
        slider = description.get(name)
        (value, adjustment) = (description.get("\(name)Value"), description.get("\(name)Adjustment"))
    }

    /// Shows a value; the slider shows the nearest that it has.
    /// - Parameters:
    ///   - value: The value, in the units of the slider.
    ///   - text: The value for a screen reader, and for the label unless `shown` is given.
    ///   - shown: The text of the label.
    func show(_ value: Double, text: String, shown: String? = nil) {
        adjustment.set("value", .double(value))
        self.value.set("label", .string(shown ?? text))
        slider.setAccessibleValueText(text)
    }

    /// Returns the widgets in GTK's XML.
    nonisolated static func description(
        _ id: String,
        label: String,
        lower: Double,
        upper: Double,
        step: Double,
        page: Double,
        value: Double,
        hasOrigin: Bool = false
    ) -> String {
        """
        <object class="GtkBox">
          <property name="spacing">6</property>
          <child><object class="GtkLabel" id="\(id)Label">
            <property name="label">\(label)</property>
            <property name="xalign">0</property><property name="width-chars">7</property>
          </object></child>
          <child><object class="GtkScale" id="\(id)">
            <property name="hexpand">True</property>
            <property name="has-origin">\(hasOrigin ? "True" : "False")</property>
            <property name="round-digits">-1</property>
            <property name="tooltip-text">\(label) (double-click to reset)</property>
            <style><class name="compact"/></style>
            <property name="adjustment"><object class="GtkAdjustment" id="\(id)Adjustment">
              <property name="lower">\(lower)</property>
              <property name="upper">\(upper)</property>
              <property name="step-increment">\(step)</property>
              <property name="page-increment">\(page)</property>
              <property name="value">\(value)</property>
            </object></property>
            <accessibility><property name="label">\(label)</property></accessibility>
          </object></child>
          <child><object class="GtkLabel" id="\(id)Value">
            <property name="xalign">1</property><property name="width-chars">6</property>
            <style><class name="numeric"/><class name="dim-label"/></style>
          </object></child>
        </object>
        """
    }
}
