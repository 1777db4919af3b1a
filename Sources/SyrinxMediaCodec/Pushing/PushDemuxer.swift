internal import Foundation
package import SyrinxByteStream

/// Receives the results of a `PushDemuxer`, on the demuxer's own thread.
package protocol PushDemuxerDelegate: AnyObject, Sendable {
    /// Called when the container has been recognized.
    func opened(_ demuxer: MediaDemuxer)
    /// Called for each packet.
    func found(_ packet: MediaPacket, by demuxer: MediaDemuxer)
    /// Called at the end of the bytes, after the last packet.
    func ended(_ demuxer: MediaDemuxer)
    /// Called when an error ends demultiplexing.
    func failed(_ error: SyrinxError)
}

/// Demultiplexes bytes that are pushed in pieces of any size.
///
/// libavformat reads and waits for bytes, so it runs on its own thread. `push(_:for:)` returns when that thread waits
/// for more bytes. Push from one thread at a time; `cancel()` may be called from any thread.
package final class PushDemuxer: Sendable {
    /// The bytes that have been pushed.
    package let bytes: PushByteStream
    private let isSeekable: Bool
    private let threadName: String
    private let progress = Monitor(Progress.idle)

    private enum Progress: Sendable {
        case idle
        case running
        case ended
    }

    /// Creates a demuxer without bytes.
    /// - Parameters:
    ///   - name: The name of the bytes in error messages.
    ///   - isSeekable: Whether the demuxer may seek ahead, and then waits until the bytes have been pushed.
    ///   - threadName: The name of the demuxer's thread.
    package init(name: String, isSeekable: Bool, threadName: String) {
        bytes = PushByteStream(name: name)
        self.isSeekable = isSeekable
        self.threadName = threadName
    }

    deinit { bytes.cancel() }

    /// Adds bytes, and waits until the demuxer has returned all complete packets in them.
    package func push(_ data: UnsafeRawBufferPointer, for delegate: any PushDemuxerDelegate) {
        bytes.append(data)
        begin(for: delegate)
        bytes.waitUntilStarved()
    }

    /// Ends the input, and waits until the demuxer has finished.
    ///
    /// Returns at once if the demuxer has not been started.
    package func finish() {
        bytes.finish()
        progress.wait { $0 == .running ? nil : () }
    }

    /// Ends the thread as soon as possible.
    package func cancel() { bytes.cancel() }

    /// Starts the thread, unless it has been started before.
    ///
    /// The delegate is not retained.
    package func begin(for delegate: any PushDemuxerDelegate) {
        let begins = progress.update { progress in
            guard progress == .idle else { return false }
            progress = .running
            return true
        }
        guard begins else { return }
        let (bytes, progress, isSeekable) = (bytes, progress, isSeekable)
        let thread = Thread { [weak delegate] in
            Self.run(bytes, isSeekable: isSeekable) { [weak delegate] in delegate }
            // Release the thread that is blocked in `push` or `finish`.
            bytes.finish()
            progress.update { $0 = .ended }
        }
        thread.name = threadName
        thread.start()
    }

    private static func run(
        _ bytes: PushByteStream,
        isSeekable: Bool,
        _ delegate: () -> (any PushDemuxerDelegate)?
    ) {
        do throws(SyrinxError) {
            let demuxer = try MediaDemuxer.open(PushedBytes(bytes, isSeekable: isSeekable, waits: true))
            // Packet properties are reported only once, so other codecs in a chain are not read.
            demuxer.goesOnInChain = false
            delegate()?.opened(demuxer)
            while let packet = try demuxer.nextPacket() {
                guard let delegate = delegate() else { return }
                delegate.found(packet, by: demuxer)
            }
            delegate()?.ended(demuxer)
        } catch {
            delegate()?.failed(error)
        }
    }
}
