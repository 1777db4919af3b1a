public import CSyrinxCoreMedia
public import Foundation

// Foundation holds structures as their bytes, of a type that it does not look into: an array of as many.
private let timeType = "[24C]"
private let rangeType = "[48C]"
private let mappingType = "[96C]"

extension NSValue {
    /// A value that holds `time`.
    public convenience init(time: CMTime) {
        self.init(bytesOf: time, type: timeType)
    }

    /// A value that holds `timeRange`.
    public convenience init(timeRange: CMTimeRange) {
        self.init(bytesOf: timeRange, type: rangeType)
    }

    /// A value that holds `timeMapping`.
    public convenience init(timeMapping: CMTimeMapping) {
        self.init(bytesOf: timeMapping, type: mappingType)
    }

    /// The time that the value holds; `invalid` if it holds something else.
    public var timeValue: CMTime { contents(timeType) ?? .invalid }

    /// The range that the value holds; `invalid` if it holds something else.
    public var timeRangeValue: CMTimeRange { contents(rangeType) ?? .invalid }

    /// The mapping that the value holds; `invalid` if it holds something else.
    public var timeMappingValue: CMTimeMapping { contents(mappingType) ?? .invalid }

    private convenience init<Structure: BitwiseCopyable>(bytesOf structure: Structure, type: String) {
        // Swift's assignments need not copy padding; these structures have none.
        var structure = structure
        self.init(bytes: &structure, objCType: type)
    }

    private func contents<Structure: BitwiseCopyable & TimeStructure>(_ type: String) -> Structure? {
        guard String(cString: objCType) == type else { return nil }
        var structure = Structure()
        withUnsafeMutableBytes(of: &structure) { bytes in
            if let base = bytes.baseAddress { getValue(base) }
        }
        return structure
    }
}

/// A structure that begins as zeros.
private protocol TimeStructure {
    init()
}

extension CMTime: TimeStructure {}
extension CMTimeRange: TimeStructure {}
extension CMTimeMapping: TimeStructure {}
