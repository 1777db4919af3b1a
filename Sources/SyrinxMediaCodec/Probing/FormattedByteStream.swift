package import SyrinxByteStream

/// A stream of bytes whose format is known from elsewhere, so that it need not be recognised.
package protocol FormattedByteStream: ByteStream {
    /// libavformat's name of the format; `nil` if it is not known.
    var format: String? { get }
}
