import Dispatch
import Synchronization
import SyrinxMediaCodec
import SyrinxTerminal

/// Decodes the cover of what plays, on a thread of its own.
final class CoverLoader: Sendable {
    private struct State {
        var source: MediaPicture?
        var picture: Picture?
        var count: UInt32 = 0
    }

    /// The longer side of a decoded cover in pixels: enough for any terminal.
    private static let side = 640

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "syrinx.cover", qos: .utility)
    private let didLoad: @Sendable () -> Void

    /// A loader that calls `didLoad` on another thread when a picture is ready.
    init(didLoad: @escaping @Sendable () -> Void) { self.didLoad = didLoad }

    /// The pixels of the cover that was asked for last; `nil` while they are being decoded, and if they cannot be.
    var picture: Picture? { state.withLock { $0.picture } }

    /// Begins to decode a cover, unless that has been done; `nil` forgets the one before.
    func load(_ source: MediaPicture?) {
        let number = state.withLock { state -> UInt32? in
            if state.source == source { return nil }
            state.source = source
            state.picture = nil
            state.count &+= 1
            return max(state.count, 1)
        }
        guard let number, let source else { return }
        queue.async { [self] in
            guard let decoded = Self.decode(source, id: number) else { return }
            let isWanted = state.withLock { state in
                guard state.source == source else { return false }
                state.picture = decoded
                return true
            }
            if isWanted { didLoad() }
        }
    }

    /// Decodes a picture and reduces it.
    static func decode(_ source: MediaPicture, id: UInt32) -> Picture? {
        guard let reader = try? VideoReader.openPicture(source.data, name: "cover"), let frame = try? reader.next(),
            frame.width > 0,
            frame.height > 0
        else { return nil }
        let scale = min(1, Double(side) / Double(max(frame.width, frame.height)))
        let width = max(1, Int(Double(frame.width) * scale))
        let height = max(1, Int(Double(frame.height) * scale))
        // The converter may write 64 bytes more.
        var pixels = [UInt8](repeating: 0, count: width * height * 4 + 64)
        let isConverted = pixels.withUnsafeMutableBytes { bytes -> Bool in
            guard let base = bytes.baseAddress else { return false }
            let plane = PicturePlane(base: base, bytesPerRow: width * 4)
            let converter = PictureConverter(name: "cover")
            return (try? converter.convert(frame, to: .rgba, width: width, height: height, planes: [plane])) != nil
        }
        guard isConverted else { return nil }
        pixels.removeLast(64)
        return Picture(id: id, width: width, height: height, pixels: pixels)
    }
}
