/// Determines how long a response may be used without validation (RFC 9111, 4.2).
extension ResponseHead {
    /// The freshness in seconds if the server states none.
    static let heuristicFreshness = 86_400.0

    /// Whether the response may be stored on disk.
    var mayBeStored: Bool { !cacheDirectives.contains { $0.name == "no-store" } }

    /// The maximum freshness in seconds, 68 years (RFC 9111, 1.2.2).
    private static let longestFreshness = 0x1p31

    /// Returns the freshness in seconds; 0 if each use needs validation.
    ///
    /// `now` is in seconds since 1970.
    func freshness(now: Double) -> Double { min(statedFreshness(now: now), Self.longestFreshness) }

    private func statedFreshness(now: Double) -> Double {
        let directives = cacheDirectives
        func has(_ name: String) -> Bool { directives.contains { $0.name == name } }
        if has("no-cache") { return 0 }
        if directives.isEmpty, value("pragma")?.lowercased().contains("no-cache") == true { return 0 }
        let age = value("age").flatMap { Int64($0) }.map { Double(max(0, $0)) } ?? 0
        if has("max-age") {
            // Of several values, the smallest counts; an invalid one means that the response is stale (4.2.1).
            let ages = directives.filter { $0.name == "max-age" }.map { Double($0.value.flatMap { Int64($0) } ?? 0) }
            return max(0, (ages.min() ?? 0) - age)
        }
        if let expires = value("expires") {
            // An invalid date, such as `0`, is in the past (5.3).
            guard let end = HTTPDate.seconds(expires) else { return 0 }
            return max(0, end - (value("date").flatMap(HTTPDate.seconds) ?? now) - age)
        }
        // A server that requires revalidation and states no freshness wants validation each time.
        return has("must-revalidate") ? 0 : Self.heuristicFreshness
    }

    /// All directives of `Cache-Control`, with names in lower case and values without quotes.
    private var cacheDirectives: [(name: String, value: String?)] {
        values("cache-control").flatMap { $0.split(separator: ",") }.map { text in
            let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            func trimmed(_ text: Substring) -> String { text.filter { !$0.isWhitespace && $0 != "\"" } }
            return (trimmed(halves[0]).lowercased(), halves.count > 1 ? trimmed(halves[1]) : nil)
        }
    }
}
