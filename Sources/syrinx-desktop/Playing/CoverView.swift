import Foundation
import SyrinxByteStream
import SyrinxDesktopModel
import SyrinxGTK
import SyrinxMediaCodec

/// The cover of the recording that plays, and the colours that the window takes from it.
@MainActor
final class CoverView {
    private struct Decoded: Sendable {
        var picture: DecodedPicture
        var colors: CoverColors?
    }

    /// The side in pixels to which covers are reduced.
    private nonisolated static let side = 1024
    /// The side in pixels of the picture whose colours are counted.
    private nonisolated static let sampleSide = 32
    /// The side in logical pixels for which a cover asks.
    private static let shownSide = 400.0
    private static var count = 0

    /// Called when the colour beneath the waveform changes; `nil` for the theme's.
    var onTint: (CoverTint?) -> Void = { _ in }
    private let picture: Widget
    private let page: Widget
    private let rules = StyleRules()
    private let className: String
    private var styleChanges: [SignalConnection] = []
    private var shown: MediaPicture?
    private var texture: Texture?
    private var colors: CoverColors?
    private var isHidden = false

    /// Shows no cover.
    /// - Parameters:
    ///   - picture: The `GtkPicture`.
    ///   - page: The widget that gets the colours.
    init(picture: Widget, page: Widget) {
        (self.picture, self.page) = (picture, page)
        Self.count += 1
        className = "cover-\(Self.count)"
        styleChanges = Style.onChange { [weak self] in self?.showTint() }
    }

    /// Ends following the theme.
    func close() {
        for connection in styleChanges { connection.disconnect() }
        styleChanges = []
    }

    /// Hides the cover while a film is shown, or shows it again.
    func hide(_ isHidden: Bool) {
        guard isHidden != self.isHidden else { return }
        self.isHidden = isHidden
        showCover()
    }

    /// Shows a cover as soon as it has been decoded, or none.
    /// - Returns: Whether it is another one than before.
    @discardableResult
    func show(_ artwork: MediaPicture?) -> Bool {
        let artwork = artwork.flatMap { $0.data.count <= DecodedPicture.maximumFileSize ? $0 : nil }
        guard artwork != shown else { return false }
        shown = artwork
        guard let artwork else {
            (texture, colors) = (nil, nil)
            showCover()
            return true
        }
        Task { [weak self] in
            let decoded = await Task.detached(priority: .utility) { Self.decode(artwork.data) }.value
            self?.take(decoded, artwork)
        }
        return true
    }

    private func take(_ decoded: Decoded?, _ artwork: MediaPicture) {
        guard shown == artwork else { return }
        texture = decoded?.picture.texture
        colors = decoded?.colors
        showCover()
    }

    private nonisolated static func decode(_ bytes: [UInt8]) -> Decoded? {
        guard let picture = DecodedPicture(bytes: bytes, side: side) else { return nil }
        let sample = DecodedPicture(bytes: bytes, side: sampleSide)
        return Decoded(picture: picture, colors: sample.flatMap { CoverColors(pixels: $0.pixels) })
    }

    private func showCover() {
        picture.set("paintable", .object(texture?.reduced(to: Self.shownSide, in: picture)))
        picture.isVisible = texture != nil && !isHidden
        showTint()
    }

    private func showTint() {
        let tint = isHidden || texture == nil || Style.isHighContrast ? nil : makeTint()
        page.setClass(className, tint != nil)
        page.setClass("tinted", tint != nil)
        if let tint { rules.set(Self.css(tint, className)) }
        onTint(tint)
    }

    private func makeTint() -> CoverTint? {
        guard let colors, let background = page.color("window_bg_color"), let text = page.color("window_fg_color")
        else { return nil }
        return CoverTint(colors, background: Color(background), text: Color(text), isDark: Style.isDark)
    }

    // A gradient along the rows is the same in each, which GTK's Cairo renderer makes use of: a frame of a zoom at 3840 pixels takes
    // 2.8 ms, and 4.4 with a gradient along the diagonal.
    private static func css(_ tint: CoverTint, _ name: String) -> String {
        """
        .\(name) { background: linear-gradient(to right, \(tint.start.css), \(tint.end.css)); }
        .\(name) .queue-pane { background: linear-gradient(to bottom, \(tint.pane.top.css), \(tint.pane.bottom.css)); }
        """
    }

    /// Returns a hash of the bytes of a picture.
    nonisolated static func hash(_ bytes: [UInt8]) -> UInt64 {
        // The ends differ between pictures, and the middle.
        let places = stride(from: 0, to: bytes.count, by: max(bytes.count / 4096, 1))
        return FNV1a.hash(of: places.lazy.map { bytes[$0] }) ^ UInt64(bytes.count)
    }

    /// The rules of the style sheet.
    static let style = """
        .cover { border-radius: 12px; box-shadow: 0 1px 3px alpha(black, 0.3), 0 4px 14px alpha(black, 0.18); }
        .tinted .dim-label { opacity: \(CoverTint.dimOpacity); }
        """
}

extension Color {
    /// A colour of the theme.
    init(_ color: RGBA) {
        self.init(
            red: Double(color.red),
            green: Double(color.green),
            blue: Double(color.blue),
            alpha: Double(color.alpha)
        )
    }
}
