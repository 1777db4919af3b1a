import CSyrinxGTK

extension Widget {
    /// Whether the widget is mapped, that is, displayed if its window is.
    package var isMapped: Bool { gtk_widget_get_mapped(widget) != 0 }

    /// Returns the distance from the top of another widget to the top of this one, in logical pixels.
    ///
    /// Returns `nil` if the two are not in the same window.
    /// - Parameter other: The other widget.
    package func top(in other: Widget) -> Double? {
        var (origin, place) = (graphene_point_t(x: 0, y: 0), graphene_point_t())
        guard gtk_widget_compute_point(widget, other.widget, &origin, &place) != 0 else { return nil }
        return Double(place.y)
    }

    /// The vertical scroll position of a `GtkScrolledWindow` in logical pixels, which its content follows in the next
    /// frame.
    package var scrolledDistance: Double {
        guard let adjustment = gtk_scrolled_window_get_vadjustment(opaque) else { return 0 }
        return gtk_adjustment_get_value(adjustment)
    }

    /// Scrolls a `GtkScrolledWindow` vertically as little as necessary to show a part of its content.
    /// - Parameters:
    ///   - top: The top of the part, in logical pixels from the top of the content.
    ///   - height: The height of the part, in logical pixels.
    package func scroll(toTop top: Double, height: Double) {
        guard let adjustment = gtk_scrolled_window_get_vadjustment(opaque) else { return }
        gtk_adjustment_clamp_page(adjustment, top, top + height)
    }

    /// Returns the height that the widget needs, even if its layout is outdated.
    ///
    /// The widget must have no margins, not even from a style sheet.
    /// - Parameter width: The width, in logical pixels.
    package func neededHeight(atWidth width: Double) -> Double {
        let width = gint(clamping: Int(width))
        guard width > 0 else { return 0 }
        var (least, natural): (gint, gint) = (0, 0)
        gtk_widget_measure(widget, GTK_ORIENTATION_VERTICAL, width, &least, &natural, nil, nil)
        // The measured height includes the border and padding of the style sheet, which the widget's height excludes.
        var bounds = graphene_rect_t()
        guard gtk_widget_compute_bounds(widget, widget, &bounds) != 0 else { return Double(natural) }
        return Double(natural) - (Double(bounds.size.height) - height)
    }

    /// Calls `action` once, after the layout of the next frame.
    /// - Parameter action: The closure, which is not called if the widget is destroyed before.
    package func afterLayout(_ action: @escaping @MainActor () -> Void) {
        var isLaidOut = false
        // The first tick precedes the layout of its frame.
        addTick {
            if isLaidOut { action() }
            isLaidOut.toggle()
            return isLaidOut
        }
    }

    /// Calls `handler` when the vertical scroll position, the content or the height of a `GtkScrolledWindow` changes.
    ///
    /// It may be called during a layout.
    /// - Parameter handler: The closure, which must capture the owner of the widget weakly.
    package func onVerticalChange(_ handler: @escaping @MainActor () -> Void) {
        guard let raw = gtk_scrolled_window_get_vadjustment(opaque) else { return }
        let adjustment = Object(UnsafeMutableRawPointer(raw))
        for signal in ["value-changed", "changed"] { adjustment.on(signal) { _ in handler() } }
    }

    /// Displays a picture or an icon in a `GtkImage`.
    /// - Parameters:
    ///   - texture: The picture; `nil` for the icon.
    ///   - size: The side of the picture, in logical pixels.
    ///   - icon: The name of the icon, which has its default size.
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

    /// Creates an empty set of rules that applies to all windows.
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

    /// Replaces the rules.
    /// - Parameter css: The rules.
    package func set(_ css: String) {
        guard css != shown else { return }
        shown = css
        syrinx_set_rules(provider.pointer(), css)
    }
}

extension Style {
    /// Whether the desktop requests high contrast.
    package static var isHighContrast: Bool {
        adw_style_manager_get_high_contrast(adw_style_manager_get_default()) != 0
    }
}
