/// The style of a cell.
package struct Style: Hashable, Sendable {
    /// Text attributes, such as bold.
    package struct Attributes: OptionSet, Hashable, Sendable {
        // As large as a color, so that a cell has no padding, and rows can be compared as memory.
        package let rawValue: UInt32
        package init(rawValue: UInt32) { self.rawValue = rawValue }
        package static let bold = Self(rawValue: 1)
        package static let dim = Self(rawValue: 2)
        package static let italic = Self(rawValue: 4)
        package static let underlined = Self(rawValue: 8)
        package static let reversed = Self(rawValue: 16)
    }

    /// The text color.
    package var foreground: Color
    /// The background color.
    package var background: Color
    /// The attributes.
    package var attributes: Attributes

    /// Creates a style, by default with the terminal's colors.
    package init(
        foreground: Color = .standard,
        background: Color = .standard,
        attributes: Attributes = []
    ) {
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
    }

    /// Returns the style with additional attributes.
    package func adding(_ more: Attributes) -> Self {
        var result = self
        result.attributes.formUnion(more)
        return result
    }

    /// Returns the style with another background.
    package func on(_ background: Color) -> Self {
        var result = self
        result.background = background
        return result
    }
}

extension Style {
    /// Appends the SGR sequence that selects this style.
    ///
    /// - Parameter previous: The current style; `nil` if it is unknown.
    func appendSequence(to bytes: inout [UInt8], after previous: Style?, depth: ColorDepth) {
        guard self != previous else { return }
        bytes.append(sequence: "\u{1B}[")
        var isFirst = true
        func separate(_ bytes: inout [UInt8]) {
            if !isFirst { bytes.append(0x3B) }
            isFirst = false
        }
        var from = previous
        if previous?.attributes != attributes {
            // Terminals disagree about how bold and dim are turned off, so reset everything.
            separate(&bytes)
            bytes.append(0x30)
            from = Style()
            for (attribute, code) in Self.codes where attributes.contains(attribute) {
                separate(&bytes)
                bytes.append(code)
            }
        }
        if depth != .none {
            if from?.foreground != foreground {
                separate(&bytes)
                foreground.appendCode(to: &bytes, depth: depth, first: 30)
            }
            if from?.background != background {
                separate(&bytes)
                background.appendCode(to: &bytes, depth: depth, first: 40)
            }
        }
        if isFirst {
            // Without colors, no parameter was added.
            bytes.removeLast(2)
        } else {
            bytes.append(UInt8(ascii: "m"))
        }
    }

    private static let codes: [(Attributes, UInt8)] = [
        (.bold, UInt8(ascii: "1")), (.dim, UInt8(ascii: "2")), (.italic, UInt8(ascii: "3")),
        (.underlined, UInt8(ascii: "4")), (.reversed, UInt8(ascii: "7")),
    ]
}
