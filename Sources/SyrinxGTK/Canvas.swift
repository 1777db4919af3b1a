import CSyrinxGTK

/// A picture in memory that can be drawn without conversion.
@MainActor
package final class Texture: Object {
    /// Creates a texture from premultiplied 32-bit pixels, with blue, green, red and alpha in this byte order.
    /// - Returns: `nil` if a side is not positive, or there are too few pixels.
    package static func make(width: Int, height: Int, pixels: [UInt32]) -> Texture? {
        let count = width.multipliedReportingOverflow(by: height)
        guard width > 0, height > 0, !count.overflow, pixels.count >= count.partialValue else { return nil }
        let bytes = pixels.withUnsafeBytes { g_bytes_new($0.baseAddress, gsize(count.partialValue * 4)) }
        defer { g_bytes_unref(bytes) }
        return gdk_memory_texture_new(
            gint(clamping: width),
            gint(clamping: height),
            GDK_MEMORY_B8G8R8A8_PREMULTIPLIED,
            bytes,
            gsize(width * 4)
        ).map { Texture(owned: UnsafeMutableRawPointer($0)) }
    }

    /// Creates a texture from rows of pixels, which are copied, with the bytes blue, green, red and 255.
    /// - Parameters:
    ///   - width: The width in pixels, greater than 0.
    ///   - height: The height in pixels, greater than 0.
    ///   - stride: The distance between rows in bytes, at least four times the width.
    ///   - rows: The bytes of all rows.
    /// - Returns: `nil` if the sizes are invalid.
    package static func make(width: Int, height: Int, stride: Int, rows: UnsafeRawBufferPointer) -> Texture? {
        let size = stride.multipliedReportingOverflow(by: height)
        guard width > 0, height > 0, stride / 4 >= width, !size.overflow, rows.count >= size.partialValue else {
            return nil
        }
        let bytes = g_bytes_new(rows.baseAddress, gsize(size.partialValue))
        defer { g_bytes_unref(bytes) }
        return gdk_memory_texture_new(
            gint(clamping: width),
            gint(clamping: height),
            // The fourth byte must be 255, because the picture is opaque.
            GDK_MEMORY_B8G8R8A8_PREMULTIPLIED,
            bytes,
            gsize(stride)
        ).map { Texture(owned: UnsafeMutableRawPointer($0)) }
    }

    /// The picture as a Cairo surface, created on first use; `nil` if there is not enough memory.
    private(set) lazy var surface: OpaquePointer? = {
        let (width, height) = (gdk_texture_get_width(opaque), gdk_texture_get_height(opaque))
        guard let made = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height),
            let data = cairo_image_surface_get_data(made)
        else { return nil }
        gdk_texture_download(opaque, data, gsize(cairo_image_surface_get_stride(made)))
        cairo_surface_mark_dirty(made)
        hasSurface = true
        return made
    }()
    private var hasSurface = false

    isolated deinit {
        if hasSurface, let surface { cairo_surface_destroy(surface) }
    }

    /// Creates a texture from the bytes of a picture file; `nil` if GDK does not support its format.
    package static func make(file: [UInt8]) -> Texture? {
        let bytes = file.withUnsafeBytes { g_bytes_new($0.baseAddress, gsize($0.count)) }
        defer { g_bytes_unref(bytes) }
        return gdk_texture_new_from_bytes(bytes, nil).map { Texture(owned: UnsafeMutableRawPointer($0)) }
    }
}

extension Texture {
    /// Returns a picture with a smaller nominal size than the texture, which stays sharp on high-resolution displays.
    /// - Parameters:
    ///   - side: The side of the square into which it fits, in logical pixels.
    ///   - view: The widget that displays it.
    package func reduced(to side: Double, in view: Widget) -> Object? {
        guard let snapshot = gtk_snapshot_new() else { return nil }
        let (columns, rows) = (Double(gdk_texture_get_width(opaque)), Double(gdk_texture_get_height(opaque)))
        let scale = min(side / max(columns, rows, 1), 1)
        let (width, height) = (columns * scale, rows * scale)
        let drawing = Drawing(snapshot: snapshot, context: view.widget)
        drawing.draw(self, x: 0, y: 0, width: width, height: height)
        var size = graphene_size_t(width: Float(width), height: Float(height))
        return gtk_snapshot_free_to_paintable(snapshot, &size).map { Object(owned: UnsafeMutableRawPointer($0)) }
    }
}

/// Drawing operations for a widget, in logical pixels.
@MainActor
package struct Drawing {
    let snapshot: OpaquePointer
    let context: UnsafeMutablePointer<GtkWidget>

    private func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> graphene_rect_t {
        graphene_rect_t(
            origin: graphene_point_t(x: Float(x), y: Float(y)),
            size: graphene_size_t(width: Float(width), height: Float(height))
        )
    }

    /// Fills a rectangle, with optional rounded corners.
    package func fill(
        x: Double,
        y: Double,
        width: Double,
        height: Double,
        radius: Double = 0,
        _ color: RGBA
    ) {
        guard width > 0, height > 0 else { return }
        var (bounds, rgba) = (rectangle(x, y, width, height), color.rgba)
        if radius > 0 { pushRounded(bounds, radius) }
        gtk_snapshot_append_color(snapshot, &rgba, &bounds)
        if radius > 0 { gtk_snapshot_pop(snapshot) }
    }

    /// Draws the border of a rectangle, inside it.
    package func frame(
        x: Double,
        y: Double,
        width: Double,
        height: Double,
        radius: Double,
        thickness: Double,
        _ color: RGBA
    ) {
        var outline = GskRoundedRect()
        var bounds = rectangle(x, y, width, height)
        gsk_rounded_rect_init_from_rect(&outline, &bounds, Float(radius))
        let widths = [Float](repeating: Float(thickness), count: 4)
        let colors = [GdkRGBA](repeating: color.rgba, count: 4)
        gtk_snapshot_append_border(snapshot, &outline, widths, colors)
    }

    /// Draws a texture into a rectangle.
    ///
    /// GTK 4.8's Cairo renderer would convert the texture to floating point and back for each frame, so it draws a
    /// Cairo surface instead.
    package func draw(_ texture: Texture, x: Double, y: Double, width: Double, height: Double) {
        guard width > 0, height > 0 else { return }
        var bounds = rectangle(x, y, width, height)
        guard usesCairo, let surface = texture.surface, let cairo = gtk_snapshot_append_cairo(snapshot, &bounds) else {
            gtk_snapshot_append_texture(snapshot, texture.opaque, &bounds)
            return
        }
        let (columns, rows) = (gdk_texture_get_width(texture.opaque), gdk_texture_get_height(texture.opaque))
        cairo_translate(cairo, x, y)
        cairo_scale(cairo, width / Double(max(columns, 1)), height / Double(max(rows, 1)))
        cairo_set_source_surface(cairo, surface, 0, 0)
        // Otherwise a scaled picture would fade at its edges, and show a seam next to an adjacent one.
        cairo_pattern_set_extend(cairo_get_source(cairo), CAIRO_EXTEND_PAD)
        cairo_paint(cairo)
        cairo_destroy(cairo)
    }

    /// Whether the window is drawn by Cairo instead of the GPU.
    private var usesCairo: Bool { Self.usesCairo(context) }

    /// Whether a widget is drawn by Cairo; false before its window is shown.
    static func usesCairo(_ widget: UnsafeMutablePointer<GtkWidget>) -> Bool {
        guard let native = gtk_widget_get_native(widget), let renderer = gtk_native_get_renderer(native) else {
            return false
        }
        let instance = UnsafeMutableRawPointer(renderer).assumingMemoryBound(to: GTypeInstance.self)
        return g_type_check_instance_is_a(instance, gsk_cairo_renderer_get_type()) != 0
    }

    /// Restricts the drawing in `body` to a rectangle.
    package func clipped(x: Double, y: Double, width: Double, height: Double, radius: Double = 0, _ body: () -> Void) {
        pushRounded(rectangle(x, y, width, height), radius)
        body()
        gtk_snapshot_pop(snapshot)
    }

    private func pushRounded(_ bounds: graphene_rect_t, _ radius: Double) {
        var (outline, bounds) = (GskRoundedRect(), bounds)
        gsk_rounded_rect_init_from_rect(&outline, &bounds, Float(radius))
        gtk_snapshot_push_rounded_clip(snapshot, &outline)
    }

    /// Returns the size of a line of text.
    package func size(of text: String, scale: Double = 1) -> (width: Double, height: Double) {
        let layout = makeLayout(text, scale)
        defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
        var (width, height): (gint, gint) = (0, 0)
        pango_layout_get_pixel_size(layout, &width, &height)
        return (Double(width), Double(height))
    }

    /// Draws a line of text with its upper left corner at a position.
    package func text(_ text: String, x: Double, y: Double, scale: Double = 1, _ color: RGBA) {
        let layout = makeLayout(text, scale)
        defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
        var (place, rgba) = (graphene_point_t(x: Float(x), y: Float(y)), color.rgba)
        gtk_snapshot_save(snapshot)
        gtk_snapshot_translate(snapshot, &place)
        gtk_snapshot_append_layout(snapshot, layout, &rgba)
        gtk_snapshot_restore(snapshot)
    }

    private func makeLayout(_ text: String, _ scale: Double) -> OpaquePointer {
        guard let layout = gtk_widget_create_pango_layout(context, text) else { fatalError("Pango made no layout") }
        let attributes = pango_attr_list_new()
        pango_attr_list_insert(attributes, pango_attr_scale_new(scale))
        pango_attr_list_insert(attributes, pango_attr_font_features_new("tnum"))
        pango_layout_set_attributes(layout, attributes)
        pango_attr_list_unref(attributes)
        return layout
    }
}

/// A widget that is drawn by a closure.
@MainActor
package final class Canvas: Widget {
    private final class Painter {
        var draw: (@MainActor (Drawing) -> Void)?
        var width: gint = 0
        var height: gint = 0
    }

    private static let key = "syrinx-painter"

    /// Creates an empty canvas.
    /// - Parameters:
    ///   - width: The minimum width, in logical pixels.
    ///   - height: The minimum height, in logical pixels.
    package static func make(width: Int, height: Int) -> Canvas {
        guard let instance = g_object_new_with_properties(type, 0, nil, nil) else { fatalError("GTK made no canvas") }
        let canvas = Canvas(UnsafeMutableRawPointer(instance))
        gtk_widget_set_overflow(canvas.widget, GTK_OVERFLOW_HIDDEN)
        let painter = Painter()
        (painter.width, painter.height) = (gint(clamping: width), gint(clamping: height))
        g_object_set_data_full(instance, key, Unmanaged.passRetained(painter).toOpaque()) { data in
            data.map { Unmanaged<Painter>.fromOpaque($0).release() }
        }
        return canvas
    }

    /// Sets the closure that draws the canvas.
    /// - Parameter draw: The closure, which must capture the owner of the canvas weakly.
    package func onDraw(_ draw: @escaping @MainActor (Drawing) -> Void) {
        Self.painter(widget)?.draw = draw
        queueDraw()
    }

    private static func painter(_ widget: UnsafeMutablePointer<GtkWidget>?) -> Painter? {
        guard let widget else { return nil }
        let object = UnsafeMutableRawPointer(widget).assumingMemoryBound(to: GObject.self)
        return g_object_get_data(object, key).map { Unmanaged<Painter>.fromOpaque($0).takeUnretainedValue() }
    }

    private static let type: GType = g_type_register_static_simple(
        gtk_widget_get_type(),
        "SyrinxCanvas",
        guint(MemoryLayout<GtkWidgetClass>.size),
        { gClass, _ in
            let widgetClass = gClass?.assumingMemoryBound(to: GtkWidgetClass.self)
            widgetClass?.pointee.snapshot = { widget, snapshot in
                nonisolated(unsafe) let (widget, snapshot) = (widget, snapshot)
                MainActor.assumeIsolated {
                    guard let widget, let snapshot, let painter = Canvas.painter(widget) else { return }
                    painter.draw?(Drawing(snapshot: snapshot, context: widget))
                }
            }
            widgetClass?.pointee.measure = { widget, orientation, _, minimum, natural, _, _ in
                nonisolated(unsafe) let widget = widget
                let (width, height) = MainActor.assumeIsolated {
                    let painter = Canvas.painter(widget)
                    return (painter?.width ?? 0, painter?.height ?? 0)
                }
                let size = orientation == GTK_ORIENTATION_HORIZONTAL ? width : height
                minimum?.pointee = size
                natural?.pointee = size
            }
        },
        guint(MemoryLayout<GtkWidget>.size),
        nil,
        GTypeFlags(rawValue: 0)
    )
}
