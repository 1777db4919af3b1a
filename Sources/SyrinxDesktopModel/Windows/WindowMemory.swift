/// The window size and the places of recordings, stored as JSON between runs.
///
/// Decoding is lenient: values that are missing, invalid or out of range have their defaults, so that a damaged file
/// loses only the damaged parts.
public struct WindowMemory: Sendable, Equatable, Codable {
    /// The size and state of a window.
    public struct Window: Sendable, Equatable, Codable {
        /// The width in logical pixels, 360…16,384.
        public var width: Int
        /// The height in logical pixels, 200…16,384.
        public var height: Int
        /// Whether the window is maximized.
        public var isMaximized: Bool

        /// Creates a size; values out of range are clamped.
        /// - Parameters:
        ///   - width: The width in logical pixels (default: 720).
        ///   - height: The height in logical pixels (default: 540).
        ///   - isMaximized: Whether the window is maximized (default: `false`).
        public init(width: Int = 720, height: Int = 540, isMaximized: Bool = false) {
            self.width = width.clamped(to: 360...16_384)
            self.height = height.clamped(to: 200...16_384)
            self.isMaximized = isMaximized
        }

        /// Decodes a value, with defaults for invalid parts.
        /// - Parameter decoder: The decoder.
        /// - Throws: The error of the decoder if the value has another type.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            self.init(
                width: values.lenient(Int.self, .width) ?? 720,
                height: values.lenient(Int.self, .height) ?? 540,
                isMaximized: values.lenient(Bool.self, .isMaximized) ?? false
            )
        }
    }

    /// The stored state of a file or URL.
    public struct Place: Sendable, Equatable, Codable {
        /// The key of the input, such as its URL without a password.
        public var input: String
        /// The visible part of the waveform in seconds; `nil` for the whole waveform.
        public var visible: ClosedRange<Double>?
        /// The title of a radio station, which has no position to resume at; `nil` for other inputs.
        public var station: String?

        private enum CodingKeys: String, CodingKey {
            case input, start, end, station
        }

        /// The maximum length of a stored title, in characters.
        private static let maximumTitleLength = 200

        /// Creates a place.
        /// - Parameters:
        ///   - input: The key of the input.
        ///   - visible: The visible part of the waveform; `nil` for the whole waveform.
        ///   - station: The title of a radio station; `nil` for other inputs.
        public init(input: String, visible: ClosedRange<Double>? = nil, station: String? = nil) {
            self.input = input
            self.station = station.map { String($0.prefix(Self.maximumTitleLength)) }
            self.visible = visible.flatMap { Self.part($0.lowerBound, $0.upperBound) }
        }

        private static func part(_ start: Double, _ end: Double) -> ClosedRange<Double>? {
            start.isFinite && end.isFinite && start >= 0 && start < end && end <= 1e9 ? start...end : nil
        }

        /// Decodes a value, with defaults for invalid parts.
        /// - Parameter decoder: The decoder.
        /// - Throws: The error of the decoder if the value has another type.
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

        /// Encodes the value.
        /// - Parameter encoder: The encoder.
        /// - Throws: The error of the encoder.
        public func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: CodingKeys.self)
            try values.encode(input, forKey: .input)
            try values.encodeIfPresent(visible?.lowerBound, forKey: .start)
            try values.encodeIfPresent(visible?.upperBound, forKey: .end)
            try values.encodeIfPresent(station, forKey: .station)
        }
    }

    /// The version of the file format.
    ///
    /// A file of a newer version is neither read nor overwritten.
    public static let version = 1
    /// The maximum number of inputs.
    public static let maximumPlaces = 200
    /// The maximum length of an input's key, in bytes.
    public static let maximumInputLength = 4096

    /// The size of the next window.
    public var window = Window()
    /// The places, most recently used first.
    public private(set) var places: [Place] = []
    /// Whether the file was written by a newer version, and must not be overwritten.
    public private(set) var isNewer = false

    private enum CodingKeys: String, CodingKey {
        case version, window, places
    }

    /// Creates a memory without places.
    public init() {}

    /// Decodes a value, with defaults for invalid parts.
    /// - Parameter decoder: The decoder.
    /// - Throws: The error of the decoder if the value has another type.
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
            // Skip an entry that cannot be decoded.
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

    /// Encodes the value.
    /// - Parameter encoder: The encoder.
    /// - Throws: The error of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(Self.version, forKey: .version)
        try values.encode(window, forKey: .window)
        try values.encode(places, forKey: .places)
    }

    private static func isUsable(_ input: String) -> Bool { !input.isEmpty && input.utf8.count <= maximumInputLength }

    /// Returns the place of an input.
    /// - Parameter input: The key of the input.
    /// - Returns: The place; `nil` if none is stored.
    public func place(of input: String) -> Place? { places.first { $0.input == input } }

    /// Stores a place as the most recently used one, and evicts the least recently used one if there are too many.
    /// - Parameter place: The place, which is ignored if its key is empty or too long.
    public mutating func keep(_ place: Place) {
        guard Self.isUsable(place.input) else { return }
        places.removeAll { $0.input == place.input }
        places.insert(place, at: 0)
        if places.count > Self.maximumPlaces { places.removeLast(places.count - Self.maximumPlaces) }
    }
}

extension KeyedDecodingContainer {
    /// Returns a value; `nil` if it is missing or invalid.
    fileprivate func lenient<Value: Decodable>(_ type: Value.Type, _ key: Key) -> Value? {
        try? decodeIfPresent(type, forKey: key)
    }
}
