/// `bytes` as a broadcast sends them: with a block of metadata after every `interval` of them, `titles` in turn, then empty ones.
public func woven(_ bytes: [UInt8], every interval: Int, _ titles: [[UInt8]]) -> [UInt8] {
    var woven: [UInt8] = []
    for (index, start) in stride(from: 0, to: bytes.count, by: interval).enumerated() {
        woven += bytes[start..<min(bytes.count, start + interval)]
        guard start + interval <= bytes.count else { break }
        let title = index < titles.count ? titles[index] : []
        let sixteens = (title.count + 15) / 16
        woven += [UInt8(sixteens)] + title + [UInt8](repeating: 0, count: sixteens * 16 - title.count)
    }
    return woven
}
