import CSyrinxGTK

extension Widget {
    /// Adds a widget at the start of an `AdwHeaderBar`.
    package func packStart(_ child: Widget) { adw_header_bar_pack_start(opaque, child.widget) }

    /// Adds actions `<prefix>.<name>` for the widgets inside this one.
    package func addActions(_ prefix: String, _ actions: [(name: String, handler: @MainActor () -> Void)]) {
        guard let raw = g_simple_action_group_new() else { return }
        let group = Object(owned: UnsafeMutableRawPointer(raw))
        for (name, handler) in actions {
            let action = Application.action(name, handler)
            withExtendedLifetime(action) { g_action_map_add_action(group.opaque, action.opaque) }
        }
        withExtendedLifetime(group) { gtk_widget_insert_action_group(widget, prefix, group.opaque) }
    }

    /// Adds a page to a `GtkStack`.
    package func addPage(_ child: Widget, name: String) { _ = gtk_stack_add_named(opaque, child.widget, name) }

    /// Displays a fraction 0…1 in a `GtkProgressBar`; `nil` pulses it, for unknown progress.
    package func showProgress(_ share: Double?) {
        if let share {
            gtk_progress_bar_set_fraction(opaque, share)
        } else {
            gtk_progress_bar_pulse(opaque)
        }
    }

    /// Scrolls a `GtkScrolledWindow` to its start.
    package func scrollToStart() {
        guard let adjustment = gtk_scrolled_window_get_vadjustment(opaque) else { return }
        gtk_adjustment_set_value(adjustment, gtk_adjustment_get_lower(adjustment))
    }
}

/// The pixels of a picture, which can be decoded on any thread.
package struct DecodedPicture: Sendable {
    fileprivate let width: Int
    fileprivate let height: Int
    /// The pixels by rows, each with alpha, red, green and blue from the highest byte, premultiplied.
    package let pixels: [UInt32]
    /// The maximum number of pixels of a decoded file, to limit memory use.
    static let maximumPixelCount: Int64 = 40_000_000

    /// Decodes a picture file and scales it down to fit into a square; `nil` if it cannot be decoded.
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - side: The side of the square in pixels, 1…1024.
    package init?(path: String, side: Int) {
        let side = gint(min(max(side, 1), 1024))
        var (fullWidth, fullHeight): (gint, gint) = (0, 0)
        guard gdk_pixbuf_get_file_info(path, &fullWidth, &fullHeight) != nil, fullWidth > 0, fullHeight > 0,
            Int64(fullWidth) * Int64(fullHeight) <= Self.maximumPixelCount,
            let picture = gdk_pixbuf_new_from_file_at_scale(path, side, side, 1, nil)
        else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(picture)) }
        self.init(picture)
    }

    /// Copies the pixels of a picture whose sides are 1…1024 pixels.
    init?(_ picture: OpaquePointer) {
        let (width, height) = (Int(gdk_pixbuf_get_width(picture)), Int(gdk_pixbuf_get_height(picture)))
        let (stride, channels) = (Int(gdk_pixbuf_get_rowstride(picture)), Int(gdk_pixbuf_get_n_channels(picture)))
        guard let source = gdk_pixbuf_read_pixels(picture), (1...1024).contains(width), (1...1024).contains(height),
            channels == 3 || channels == 4
        else { return nil }
        var pixels: [UInt32] = []
        pixels.reserveCapacity(width * height)
        for row in 0..<height {
            for column in 0..<width {
                let pixel = source + row * stride + column * channels
                let opacity = channels == 4 ? UInt32(pixel[3]) : 255
                let (red, green, blue) = (
                    UInt32(pixel[0]) * opacity / 255, UInt32(pixel[1]) * opacity / 255, UInt32(pixel[2]) * opacity / 255
                )
                pixels.append(opacity << 24 | red << 16 | green << 8 | blue)
            }
        }
        (self.width, self.height, self.pixels) = (width, height, pixels)
    }

    /// A texture of the pixels.
    @MainActor package var texture: Texture? { Texture.make(width: width, height: height, pixels: pixels) }
}
