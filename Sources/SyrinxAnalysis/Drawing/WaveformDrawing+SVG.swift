internal import Foundation
internal import SyrinxByteStream

extension WaveformDrawing {
    /// The drawing as an SVG file.
    ///
    /// Adjacent bars are merged into one outline, so that no seams appear when the picture is enlarged.
    public var svg: String {
        var text = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width)\" height=\"\(height)\" "
        text += "viewBox=\"0 0 \(width) \(height)\">\n"
        text += "<rect width=\"\(width)\" height=\"\(height)\" \(Self.fill(theme.background))/>\n"
        for row in rows {
            text += "<path \(Self.fill(row.color)) d=\"\(row.radius > 0 ? Self.rounded(row) : Self.outlines(row))\"/>\n"
        }
        if let border = theme.border {
            text += "<rect x=\"0.5\" y=\"0.5\" width=\"\(width - 1)\" height=\"\(height - 1)\" fill=\"none\" "
            text += "stroke=\"\(Self.hexadecimal(border))\" stroke-opacity=\"\(Self.opacity(border))\"/>\n"
        }
        return text + "</svg>\n"
    }

    private static func outlines(_ row: Row) -> String {
        var path = ""
        var start = row.bars.startIndex
        while start < row.bars.endIndex {
            var end = start + 1
            while !row.isLoose, end < row.bars.endIndex,
                row.bars[end].x <= row.bars[end - 1].x + row.bars[end - 1].width
            { end += 1 }
            let run = row.bars[start..<end]
            path += "M\(number(run[start].x)) \(number(run[start].y))"
            for bar in run { path += "V\(number(bar.y))H\(number(bar.x + bar.width))" }
            for bar in run.reversed() { path += "V\(number(bar.y + bar.height))H\(number(bar.x))" }
            path += "Z"
            start = end
        }
        return path
    }

    private static func rounded(_ row: Row) -> String {
        row.bars.map { bar in
            let radius = min(row.radius, bar.width / 2, bar.height / 2)
            let arc = "a\(number(radius)) \(number(radius)) 0 0 1 "
            let straight = (width: number(bar.width - 2 * radius), height: number(bar.height - 2 * radius))
            return "M\(number(bar.x + radius)) \(number(bar.y))h\(straight.width)"
                + "\(arc)\(number(radius)) \(number(radius))v\(straight.height)"
                + "\(arc)\(number(-radius)) \(number(radius))h-\(straight.width)"
                + "\(arc)\(number(-radius)) \(number(-radius))v-\(straight.height)"
                + "\(arc)\(number(radius)) \(number(-radius))Z"
        }.joined()
    }

    private static func fill(_ color: WaveformColor) -> String {
        let opacity = color.opacity == 255 ? "" : " fill-opacity=\"\(opacity(color))\""
        return "fill=\"\(hexadecimal(color))\"\(opacity)"
    }

    private static func hexadecimal(_ color: WaveformColor) -> String {
        let digits = [color.red, color.green, color.blue].map { part in
            (part < 16 ? "0" : "") + String(part, radix: 16)
        }
        return "#" + digits.joined()
    }

    private static func opacity(_ color: WaveformColor) -> String { number(Double(color.opacity) / 255) }

    /// Formats a number with at most three decimals, without trailing zeros.
    private static func number(_ value: Double) -> String {
        let rounded = (value * 1000).rounded() / 1000
        return rounded == rounded.rounded() && abs(rounded) < 1e9 ? String(Int(clamped: rounded)) : String(rounded)
    }
}
