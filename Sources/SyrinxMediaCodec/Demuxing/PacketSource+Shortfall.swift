internal import SyrinxByteStream

extension PacketTimeline {
    /// The shortest jump in timestamps that counts as lost data: 50 ms, in frames.
    var shortestGap: Int64 { sampleRate / 20 }
}

extension PacketSource {
    /// Returns the error for a recording that ends at frame `last`, before its `stated` number of frames.
    func shortfall(endingAt last: Int64, of stated: Int64?, damagedPackets count: Int) -> SyrinxError {
        let seconds = { (frames: Int64) in Self.clock(Double(frames) / Double(self.timing.sampleRate)) }
        let damage = count > 0 ? ", and \(count) of the packets before \(count == 1 ? "is" : "are") damaged" : ""
        let expected = stated.map { "but it states a length of \(seconds($0))" } ?? "where its stream is cut off"
        let message = "It ends at \(seconds(last)), \(expected): the rest is missing\(damage)."
        return SyrinxError(.truncated, message, name: stream.name)
    }

    private static func clock(_ seconds: Double) -> String {
        guard let thousandths = Int(exactly: (seconds * 1000).rounded()) else { return "\(seconds) s" }
        let pad = { (number: Int, width: Int) in
            String(repeating: "0", count: max(width - String(number).count, 0)) + String(number)
        }
        let minutes = thousandths / 60000
        let hours = minutes >= 60 ? "\(minutes / 60):\(pad(minutes % 60, 2))" : "\(minutes)"
        return "\(hours):\(pad(thousandths / 1000 % 60, 2)).\(pad(thousandths % 1000, 3))"
    }
}
