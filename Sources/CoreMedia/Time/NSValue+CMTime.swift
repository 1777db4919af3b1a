public import CSyrinxCoreMedia
public import Foundation

// Foundation stores structures as bytes of an opaque type: an array of the same size.
private let timeType = "[24C]"
private let rangeType = "[48C]"
private let mappingType = "[96C]"

extension NSValue {
    /// Creates a value that contains `time`.
    public convenience init(time: CMTime) {
        self.init(bytesOf: time, type: timeType)
    }

    /// Creates a value that contains `timeRange`.
    public convenience init(timeRange: CMTimeRange) {
        self.init(bytesOf: timeRange, type: rangeType)
    }

    /// Creates a value that contains `timeMapping`.
    public convenience init(timeMapping: CMTimeMapping) {
        self.init(bytesOf: timeMapping, type: mappingType)
    }

    /// The contained time; `invalid` if the value contains another type.
    public var timeValue: CMTime { contents(timeType) ?? .invalid }

    /// The contained range; `invalid` if the value contains another type.
    public var timeRangeValue: CMTimeRange { contents(rangeType) ?? .invalid }

    /// The contained mapping; `invalid` if the value contains another type.
    public var timeMappingValue: CMTimeMapping { contents(mappingType) ?? .invalid }

    private convenience init<Structure: BitwiseCopyable>(bytesOf structure: Structure, type: String) {
        // Swift's assignments need not copy padding; these structures have no padding.
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

/// A structure that is initialized with zeros.
private protocol TimeStructure {
    init()
}

extension CMTime: TimeStructure {}
extension CMTimeRange: TimeStructure {}
extension CMTimeMapping: TimeStructure {}
