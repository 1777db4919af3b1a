package import SyrinxHTTPStream

extension HTTPByteStream.Options {
    /// Adds the headers of an item; its `User-Agent` replaces the existing one.
    package mutating func add(_ own: [String: String]) {
        for (name, value) in own.sorted(by: { $0.key < $1.key }) {
            if name.lowercased() == "user-agent" {
                userAgent = value
            } else {
                headers.append((name, value))
            }
        }
    }
}
