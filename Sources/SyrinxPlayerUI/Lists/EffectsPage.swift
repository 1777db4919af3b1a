import SyrinxListening
import SyrinxTerminal

/// The page of the effects.
struct EffectsPage: ListPage {
    var list = ListState()

    static func count(in view: PlayerView) -> Int { EffectRow.count(view.effects) }

    static func text(of entry: Int, in view: PlayerView) -> String {
        EffectRow.all(view.effects)[entry].name(in: view.effects)
    }

    static func isSame(in left: PlayerView, _ right: PlayerView) -> Bool { left.effects == right.effects }

    mutating func carryOut(_ command: FaceCommand, in view: PlayerView) -> PageAnswer {
        if command == .chooseEffect { return .prompt(Prompt(.addEffect)) }
        guard let entry = list.selectedEntry else { return .nothing }
        switch command {
        case .remove, .moveUp, .moveDown: return rearrange(entry, command, in: view)
        default: return .actions(change(entry, command, in: view))
        }
    }

    /// Removes the effect of a row, or moves it.
    ///
    /// The tone, which cannot be switched off, stays at the end.
    private mutating func rearrange(_ entry: Int, _ command: FaceCommand, in view: PlayerView) -> PageAnswer {
        let index =
            switch EffectRow.all(view.effects)[entry] {
            case .effect(let index), .parameter(let index, _): index
            }
        let movable = view.effects.prefix(while: \.isSwitchable)
        guard movable.indices.contains(index) else { return .nothing }
        if command == .remove { return .actions([.command(.removeEffect(index))]) }
        let target = command == .moveUp ? index - 1 : index + 1
        // With a filter, the neighbor may be hidden, so effects are not moved.
        guard movable.indices.contains(target), list.filter.isEmpty else { return .nothing }
        let neighbor = 1 + view.effects[target].parameters.count
        list.window.move(by: target < index ? -neighbor : neighbor)
        return .actions([.command(.moveEffect(from: index, to: target))])
    }

    /// Changes an effect or a value of it.
    private func change(_ entry: Int, _ command: FaceCommand, in view: PlayerView) -> [PlayerAction] {
        switch EffectRow.all(view.effects)[entry] {
        case .effect(let index):
            let effect = view.effects[index]
            switch command {
            case .toggleEffect where effect.isSwitchable: return [.setEffectEnabled(effect: index, !effect.isEnabled)]
            case .reset:
                return effect.parameters.indices.compactMap { place in
                    let parameter = effect.parameters[place]
                    guard parameter.value != parameter.initial else { return nil }
                    return .setParameter(effect: index, parameter: place, parameter.initial)
                }
            default: return []
            }
        case .parameter(let index, let place):
            let effect = view.effects[index]
            let parameter = effect.parameters[place]
            let value: Double
            switch command {
            case .toggleEffect where effect.isSwitchable: return [.setEffectEnabled(effect: index, !effect.isEnabled)]
            case .toggleEffect where parameter.choices.count == 2: value = 1 - parameter.value
            case .lower: value = parameter.moved(by: -1)
            case .raise: value = parameter.moved(by: 1)
            case .lowerMuch: value = parameter.moved(by: -10)
            case .raiseMuch: value = parameter.moved(by: 10)
            case .reset: value = parameter.initial
            default: return []
            }
            return value == parameter.value ? [] : [.setParameter(effect: index, parameter: place, value)]
        }
    }

    func title(in view: PlayerView) -> String {
        let title = PlayerPage.effects.title
        return view.sound.keptFor.map { "\(title), settings kept for \($0)" } ?? title
    }

    func countText(in view: PlayerView) -> String { "\(view.effects.count)" }

    func emptyText(in view: PlayerView) -> String {
        "No effects are in the graph. Press a to add one."
    }

    var hints: [KeyHint] {
        [
            ([.face(.lower), .face(.raise)], "change"), ([.face(.toggleEffect)], "on/off"),
            ([.face(.reset)], "reset"), ([.face(.chooseEffect)], "add"), ([.face(.remove)], "remove"),
        ]
    }

    func draw(_ entry: Int, in view: PlayerView, styles: Styles, area: CellArea, _ grid: inout CellGrid) {
        switch EffectRow.all(view.effects)[entry] {
        case .effect(let index):
            let effect = view.effects[index]
            let sign = effect.isSwitchable ? effect.isEnabled ? "●" : "○" : "·"
            grid.draw(sign, column: area.column + 1, row: area.row, style: effect.isEnabled ? styles.good : styles.dim)
            let end = grid.draw(
                effect.name,
                column: area.column + 3,
                row: area.row,
                width: area.columns - 4,
                style: effect.isEnabled ? styles.title : styles.dim
            )
            if !effect.isEnabled { grid.draw("off", column: end + 2, row: area.row, style: styles.dim) }
        case .parameter(let index, let place):
            let effect = view.effects[index]
            draw(effect.parameters[place], isEnabled: effect.isEnabled, styles, in: area, &grid)
        }
    }

    private func draw(
        _ parameter: EffectView.Parameter,
        isEnabled: Bool,
        _ styles: Styles,
        in area: CellArea,
        _ grid: inout CellGrid
    ) {
        let nameWidth = min(max(area.columns / 3, 10), 24)
        let isChanged = parameter.value != parameter.initial
        let style = !isEnabled ? styles.dim : isChanged ? styles.accent : styles.text
        grid.draw(
            parameter.name,
            column: area.column + 5,
            row: area.row,
            width: nameWidth - 5,
            style: isEnabled ? styles.text : styles.dim
        )
        let column = area.column + nameWidth + 1
        if !parameter.choices.isEmpty {
            let name =
                parameter.choices.indices.first { Double($0) == parameter.value }.map { parameter.choices[$0] } ?? "–"
            grid.draw("‹ \(name) ›", column: column, row: area.row, width: max(area.end - column - 1, 0), style: style)
            return
        }
        let text = FloatText.text(parameter.value) + (parameter.unit.isEmpty ? "" : " " + parameter.unit)
        let barWidth = min(area.end - 1 - column - 16, 60)
        if barWidth >= 8 {
            let knob = Int((parameter.fraction * Double(barWidth - 1)).rounded())
            for place in 0..<barWidth {
                let isFilled = place < knob
                let glyph: Unicode.Scalar = place == knob ? "●" : isFilled ? "━" : "─"
                grid.put(
                    glyph,
                    column: column + place,
                    row: area.row,
                    style: place <= knob ? style : styles.seekBar.missing
                )
            }
        }
        grid.draw(text, endingAt: area.end - 1, row: area.row, width: 15, style: style)
    }
}

/// A row of the effects page.
enum EffectRow: Equatable, Sendable {
    case effect(Int)
    case parameter(effect: Int, Int)

    static func count(_ effects: [EffectView]) -> Int { effects.reduce(0) { $0 + 1 + $1.parameters.count } }

    static func all(_ effects: [EffectView]) -> [EffectRow] {
        effects.indices.flatMap { index in
            [.effect(index)] + effects[index].parameters.indices.map { .parameter(effect: index, $0) }
        }
    }

    func name(in effects: [EffectView]) -> String {
        switch self {
        case .effect(let index): effects[index].name
        case .parameter(let index, let place): effects[index].name + " " + effects[index].parameters[place].name
        }
    }
}

extension EffectView.Parameter {
    /// Whether equal steps multiply the value, as for frequencies, whose range spans decades.
    var isLogarithmic: Bool { choices.isEmpty && range.lowerBound > 0 && range.upperBound / range.lowerBound >= 100 }

    /// The position of the value within the range, 0…1.
    var fraction: Double {
        let (low, high) = (range.lowerBound, range.upperBound)
        guard high > low, value.isFinite else { return 0 }
        let value = min(max(value, low), high)
        return isLogarithmic
            ? FloatText.logarithm(value / low) / FloatText.logarithm(high / low) : (value - low) / (high - low)
    }

    /// Returns the value after a number of steps, each a hundredth of the range or the next choice.
    func moved(by steps: Double) -> Double {
        if !choices.isEmpty {
            let last = Double(choices.count - 1)
            return min(max((value.isFinite ? value : 0) + (steps > 0 ? 1 : -1), 0), last)
        }
        let (low, high) = (range.lowerBound, range.upperBound)
        guard value.isFinite, high > low else { return initial }
        let moved =
            isLogarithmic
            ? value * FloatText.power(high / low, steps / 100)
            : value + (high - low) * steps / 100
        return min(max(FloatText.rounded(moved), low), high)
    }
}
