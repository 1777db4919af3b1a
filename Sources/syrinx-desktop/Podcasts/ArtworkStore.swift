import Dispatch
import Foundation
import SyrinxGTK
import SyrinxPodcastLibrary

/// The artwork of podcasts, fetched and decoded off the main thread, and kept on the disk.
@MainActor
final class ArtworkStore {
    private nonisolated static let maximumBytes = 8 << 20
    private nonisolated static let maximumFileCount = 400
    private static let maximumTextureCount = 300
    private nonisolated static let side = 192
    private nonisolated static let queues = (0..<3).map { DispatchQueue(label: "syrinx.artwork.\($0)", qos: .utility) }

    private var textures: [String: Texture] = [:]
    private var waiting: [String: [@MainActor (Texture) -> Void]] = [:]
    private var isCancelled = false

    /// Hands the artwork of an address to `handler`, now or once it is there; never if it cannot be had.
    func load(_ address: String?, _ handler: @escaping @MainActor (Texture) -> Void) {
        guard let address, !isCancelled else { return }
        if let texture = textures[address] { return handler(texture) }
        let isAsked = waiting[address] != nil
        waiting[address, default: []].append(handler)
        guard !isAsked else { return }
        let number = FNV1a.hash(of: address.utf8)
        Self.queues[Int(number % UInt64(Self.queues.count))].async { [weak self] in
            let picture = Self.picture(address, number)
            Task { @MainActor in self?.take(picture?.texture, of: address) }
        }
    }

    /// Ends what waits.
    func cancel() {
        isCancelled = true
        waiting = [:]
    }

    private func take(_ texture: Texture?, of address: String) {
        // Those that could not be had stay in `waiting`, so that each is asked for once.
        guard let texture, !isCancelled else { return }
        if textures.count >= Self.maximumTextureCount { textures = [:] }
        textures[address] = texture
        for handler in waiting.removeValue(forKey: address) ?? [] { handler(texture) }
    }

    private nonisolated static func picture(_ address: String, _ number: UInt64) -> DecodedPicture? {
        guard let folder else { return nil }
        let file = folder.appendingPathComponent(String(number, radix: 16))
        if let picture = DecodedPicture(path: file.path, side: side) { return picture }
        guard let bytes = fetch(address) else { return nil }
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        prune(folder)
        guard (try? Data(bytes).write(to: file, options: .atomic)) != nil else { return nil }
        return DecodedPicture(path: file.path, side: side)
    }

    private nonisolated static var folder: URL? {
        UserFolder.cache.path().map { URL(fileURLWithPath: $0 + "/artwork") }
    }

    private nonisolated static func prune(_ folder: URL) {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        guard files.count >= maximumFileCount else { return }
        for name in files.shuffled().prefix(maximumFileCount / 4) {
            try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
        }
    }

    /// Fetches a small file from the web.
    nonisolated static func fetch(_ address: String, limit: Int = maximumBytes) -> [UInt8]? {
        var options = HTTPByteStream.Options()
        options.maximumOutage = 10
        guard let stream = try? HTTPByteStream(url: address, options: options) else { return nil }
        defer { stream.cancel() }
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
        defer { piece.deallocate() }
        var bytes: [UInt8] = []
        while bytes.count <= limit {
            guard let count = try? stream.read(at: Int64(bytes.count), into: piece) else { return nil }
            if count == 0 { return bytes }
            bytes += piece[..<count]
        }
        return nil
    }
}
