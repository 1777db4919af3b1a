import AVFoundation

// snippet: parameters
/// A line for each parameter of a unit: its address and identifier, its range and its value.
func describeParameters(of unit: AVAudioUnit) -> [String] {
    let parameters = unit.auAudioUnit.parameterTree?.allParameters ?? []
    return parameters.map { parameter in
        let range = "\(parameter.minValue)…\(parameter.maxValue)"
        return "\(parameter.address) \(parameter.identifier) \(range) \(parameter.unitName ?? ""): \(parameter.value)"
    }
}
// end
