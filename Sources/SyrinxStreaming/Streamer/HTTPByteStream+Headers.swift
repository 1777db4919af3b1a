package import SyrinxHTTPStream

extension HTTPByteStream.Options {
    /// Adds headers of one input; its `User-Agent` takes the place of the one there is.
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
