package import SyrinxByteStream

/// A byte stream of known format, which is not detected.
package protocol FormattedByteStream: ByteStream {
    /// libavformat's name of the format; `nil` if it is unknown.
    var format: String? { get }
}
