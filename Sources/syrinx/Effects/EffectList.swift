import SyrinxListening

/// Creates the output of `--effect-list`.
enum EffectList {
    /// Returns lines of text that list each effect with its keys, ranges, defaults and presets.
    static func lines() -> [String] {
        EffectKind.all.flatMap { kind in
            ["\(kind.name): \(kind.summary)"]
                + kind.nameKeys.flatMap { key in
                    wrapped(key.values, label: "  \(key.name): ")
                }
                + kind.numberKeys.map { key in
                    let unit = key.unit.isEmpty ? "" : " \(key.unit)"
                    return
                        "  \(key.name): \(SoundLimits.help(key.range))\(unit), default \(SoundLimits.help(key.initial))"
                }
        }
    }

    /// Wraps a list of names to lines of at most 78 columns.
    private static func wrapped(_ names: [String], label: String) -> [String] {
        var lines = [label]
        for (index, name) in names.enumerated() {
            let text = index + 1 < names.count ? "\(name)," : name
            let line = lines[lines.count - 1]
            if line.count + text.count + 1 > 78, line != label {
                lines.append("    " + text)
            } else {
                lines[lines.count - 1] = line.hasSuffix(" ") ? line + text : "\(line) \(text)"
            }
        }
        return lines
    }

    /// The JSON description of an effect.
    struct Entry: Encodable {
        /// A key with a numeric value.
        struct Number: Encodable {
            let minimum, maximum, initial: Double
            let unit: String
        }

        let name, summary: String
        let names: [String: [String]]
        let numbers: [String: Number]

        init(_ kind: EffectKind) {
            (name, summary) = (kind.name, kind.summary)
            names = Dictionary(uniqueKeysWithValues: kind.nameKeys.map { ($0.name, $0.values) })
            numbers = Dictionary(
                uniqueKeysWithValues: kind.numberKeys.map { key in
                    let range = key.range
                    return (
                        key.name,
                        Number(
                            minimum: range.lowerBound,
                            maximum: range.upperBound,
                            initial: key.initial,
                            unit: key.unit
                        )
                    )
                }
            )
        }
    }
}
