/// The sizes and places that the app keeps from one run to the next.
///
/// It is written as JSON. Reading never fails: what is missing, of another kind or out of range counts as its default, so
/// that a damaged file costs no more than what it held.
public struct WindowMemory: Sendable, Equatable, Codable {
    /// The size and the state of a window.
    public struct Window: Sendable, Equatable, Codable {
        /// The width before scaling, 360 … 16 384.
        public var width: Int
        /// The height before scaling, 200 … 16 384.
        public var height: Int
        /// Whether the window fills the screen, with its frame.
        public var isMaximized: Bool

        /// Creates a size; numbers out of range count as the nearest.
        /// - Parameters:
        ///   - width: The width before scaling; 720 by default.
        ///   - height: The height before scaling; 540 by default.
        ///   - isMaximized: Whether the window fills the screen; not by default.
        public init(width: Int = 720, height: Int = 540, isMaximized: Bool = false) {
            self.width = width.clamped(to: 360...16_384)
            self.height = height.clamped(to: 200...16_384)
            self.isMaximized = isMaximized
        }

        /// Creates a value of what is sound in a stored one.
        /// - Parameter decoder: The source.
        /// - Throws: The error of the source, where it is not of this kind at all.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            self.init(
                width: values.lenient(Int.self, .width) ?? 720,
                height: values.lenient(Int.self, .height) ?? 540,
                isMaximized: values.lenient(Bool.self, .isMaximized) ?? false
            )
        }
    }

    /// The place of an input: a file or an address.
    public struct Place: Sendable, Equatable, Codable {
        /// The key of the input, such as its URL without a password.
        public var input: String
        /// The visible part of the waveform in seconds; `nil` for the whole.
        public var visible: ClosedRange<Double>?
        /// The title of a broadcast, which has no position to be continued at; `nil` for anything else.
        public var station: String?

        private enum CodingKeys: String, CodingKey {
            case input, start, end, station
        }

        /// The longest title that is kept, in characters.
        private static let maximumTitleLength = 200

        /// Creates a place.
        /// - Parameters:
        ///   - input: The key of the input.
        ///   - visible: The visible part of the waveform; `nil` for the whole.
        ///   - station: The title of a broadcast; `nil` for anything else.
        public init(input: String, visible: ClosedRange<Double>? = nil, station: String? = nil) {
            self.input = input
            self.station = station.map { String($0.prefix(Self.maximumTitleLength)) }
            self.visible = visible.flatMap { Self.part($0.lowerBound, $0.upperBound) }
        }

        private static func part(_ start: Double, _ end: Double) -> ClosedRange<Double>? {
            start.isFinite && end.isFinite && start >= 0 && start < end && end <= 1e9 ? start...end : nil
        }

        /// Creates a value of what is sound in a stored one.
        /// - Parameter decoder: The source.
        /// - Throws: The error of the source, where it is not of this kind at all.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            self.init(
                input: try values.decode(String.self, forKey: .input),
                station: values.lenient(String.self, .station)
            )
            if let start = values.lenient(Double.self, .start), let end = values.lenient(Double.self, .end) {
                visible = Self.part(start, end)
            }
        }

        /// Stores the value.
        /// - Parameter encoder: The target.
        /// - Throws: The error of the target.
        public func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: CodingKeys.self)
            try values.encode(input, forKey: .input)
            try values.encodeIfPresent(visible?.lowerBound, forKey: .start)
            try values.encodeIfPresent(visible?.upperBound, forKey: .end)
            try values.encodeIfPresent(station, forKey: .station)
        }
    }

    /// The version of the format.
    ///
    /// A file of a newer version is neither read nor written over.
    public static let version = 1
    /// The greatest number of inputs.
    public static let maximumPlaces = 200
    /// The longest key of an input, in bytes.
    public static let maximumInputLength = 4096

    /// The size of the next window.
    public var window = Window()
    /// The places, of the input used last first.
    public private(set) var places: [Place] = []
    /// Whether the file was written by a newer version, and must not be written over.
    public private(set) var isNewer = false

    private enum CodingKeys: String, CodingKey {
        case version, window, places
    }

    /// Creates a memory without places.
    public init() {}

    /// Creates a value of what is sound in a stored one.
    /// - Parameter decoder: The source.
    /// - Throws: The error of the source, where it is not of this kind at all.
    public init(from decoder: any Decoder) throws {
        guard let values = try? decoder.container(keyedBy: CodingKeys.self) else { return }
        let version = values.lenient(Int.self, .version) ?? 0
        isNewer = version > Self.version
        guard version == Self.version else { return }
        window = values.lenient(Window.self, .window) ?? Window()
        guard var list = try? values.nestedUnkeyedContainer(forKey: .places) else { return }
        var seen: Set<String> = []
        while !list.isAtEnd, places.count < Self.maximumPlaces {
            if (try? list.decodeNil()) == true { continue }
            // An entry that cannot be read is stepped over as whatever it is.
            guard let place = try? list.decode(Place.self) else {
                guard (try? list.decode(Anything.self)) != nil else { break }
                continue
            }
            guard Self.isUsable(place.input), seen.insert(place.input).inserted else { continue }
            places.append(place)
        }
    }

    private struct Anything: Decodable {
        init(from decoder: any Decoder) throws {}
    }

    /// Stores the value.
    /// - Parameter encoder: The target.
    /// - Throws: The error of the target.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(Self.version, forKey: .version)
        try values.encode(window, forKey: .window)
        try values.encode(places, forKey: .places)
    }

    private static func isUsable(_ input: String) -> Bool { !input.isEmpty && input.utf8.count <= maximumInputLength }

    /// Returns the place of an input.
    /// - Parameter input: The key of the input.
    /// - Returns: The place, or `nil` if none is kept.
    public func place(of input: String) -> Place? { places.first { $0.input == input } }

    /// Keeps a place as that of the input used last; the one used the longest ago makes way where there are too many.
    /// - Parameter place: The place; one whose key is empty or too long is left out.
    public mutating func keep(_ place: Place) {
        guard Self.isUsable(place.input) else { return }
        places.removeAll { $0.input == place.input }
        places.insert(place, at: 0)
        if places.count > Self.maximumPlaces { places.removeLast(places.count - Self.maximumPlaces) }
    }
}

extension KeyedDecodingContainer {
    /// Returns a value, or `nil` where it is missing or of another kind.
    fileprivate func lenient<Value: Decodable>(_ type: Value.Type, _ key: Key) -> Value? {
        try? decodeIfPresent(type, forKey: key)
    }
}
