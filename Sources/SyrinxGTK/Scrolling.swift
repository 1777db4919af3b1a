import CSyrinxGTK

extension Widget {
    /// Whether the widget is on the screen, as far as its window is.
    package var isMapped: Bool { gtk_widget_get_mapped(widget) != 0 }

    /// Returns the logical pixels from the upper edge of another widget down to that of this one; `nil` if they are in no window
    /// together.
    /// - Parameter other: The other widget.
    package func top(in other: Widget) -> Double? {
        var (origin, place) = (graphene_point_t(x: 0, y: 0), graphene_point_t())
        guard gtk_widget_compute_point(widget, other.widget, &origin, &place) != 0 else { return nil }
        return Double(place.y)
    }

    /// The logical pixels by which a `GtkScrolledWindow` is scrolled down, which its content follows in the next frame.
    package var scrolledDistance: Double {
        guard let adjustment = gtk_scrolled_window_get_vadjustment(opaque) else { return 0 }
        return gtk_adjustment_get_value(adjustment)
    }

    /// Scrolls a `GtkScrolledWindow` up or down as far as a part of its content needs to be seen.
    /// - Parameters:
    ///   - top: The upper edge of the part, in logical pixels from that of the content.
    ///   - height: Its height.
    package func scroll(toTop top: Double, height: Double) {
        guard let adjustment = gtk_scrolled_window_get_vadjustment(opaque) else { return }
        gtk_adjustment_clamp_page(adjustment, top, top + height)
    }

    /// Returns the height that the widget would have now: a layout may not have taken note of its content yet.
    ///
    /// The widget must have no margins, nor a style sheet that gives it some.
    /// - Parameter width: Its width in logical pixels.
    package func neededHeight(atWidth width: Double) -> Double {
        let width = gint(clamping: Int(width))
        guard width > 0 else { return 0 }
        var (least, natural): (gint, gint) = (0, 0)
        gtk_widget_measure(widget, GTK_ORIENTATION_VERTICAL, width, &least, &natural, nil, nil)
        // It includes the border and padding of the style sheet, which the height of a widget does not, and its bounds do.
        var bounds = graphene_rect_t()
        guard gtk_widget_compute_bounds(widget, widget, &bounds) != 0 else { return Double(natural) }
        return Double(natural) - (Double(bounds.size.height) - height)
    }

    /// Calls `action` once, when the layout of the next frame has been made.
    /// - Parameter action: Called once; not at all if the widget goes before.
    package func afterLayout(_ action: @escaping @MainActor () -> Void) {
        var isLaidOut = false
        // The first tick comes before the layout of its frame.
        addTick {
            if isLaidOut { action() }
            isLaidOut.toggle()
            return isLaidOut
        }
    }

    /// Calls `handler` when a `GtkScrolledWindow` is scrolled up or down, or its content or its height changes.
    ///
    /// It may be called in the middle of a layout.
    /// - Parameter handler: Called after each change; it must capture what owns the widget weakly.
    package func onVerticalChange(_ handler: @escaping @MainActor () -> Void) {
        guard let raw = gtk_scrolled_window_get_vadjustment(opaque) else { return }
        let adjustment = Object(UnsafeMutableRawPointer(raw))
        for signal in ["value-changed", "changed"] { adjustment.on(signal) { _ in handler() } }
    }

    /// Shows a picture of a size in a `GtkImage`, or an icon.
    /// - Parameters:
    ///   - texture: The picture; `nil` for the icon.
    ///   - size: The side of the picture in logical pixels.
    ///   - icon: The name of the icon, which has its usual size.
    package func showImage(_ texture: Texture?, size: Int, icon: String) {
        gtk_image_set_pixel_size(opaque, texture == nil ? -1 : gint(clamping: size))
        if let texture {
            gtk_image_set_from_paintable(opaque, texture.opaque)
        } else {
            gtk_image_set_from_icon_name(opaque, icon)
        }
    }
}

/// Rules of the style sheet that change while the program runs.
@MainActor
package final class StyleRules {
    private let provider: Object
    private var shown = ""

    /// Makes an empty set of rules, in force for all windows.
    package init() {
        guard let raw = gtk_css_provider_new(), let display = gdk_display_get_default() else {
            fatalError("GTK made no style sheet")
        }
        provider = Object(owned: UnsafeMutableRawPointer(raw))
        gtk_style_context_add_provider_for_display(
            display,
            provider.opaque,
            guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION)
        )
    }

    isolated deinit {
        if let display = gdk_display_get_default() {
            gtk_style_context_remove_provider_for_display(display, provider.opaque)
        }
    }

    /// Puts rules in place of those before.
    /// - Parameter css: The rules.
    package func set(_ css: String) {
        guard css != shown else { return }
        shown = css
        syrinx_set_rules(provider.pointer(), css)
    }
}

extension Style {
    /// Whether the desktop asks for high contrast.
    package static var isHighContrast: Bool {
        adw_style_manager_get_high_contrast(adw_style_manager_get_default()) != 0
    }
}
