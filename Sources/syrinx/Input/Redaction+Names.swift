import SyrinxByteStream
import SyrinxTerminal

extension Redaction {
    /// Returns the name of an input or an output without the user of a URL; otherwise unchanged.
    ///
    /// If invisible characters keep a password from being found, the name is returned as it is printed, without them.
    static func redact(name: String) -> String {
        let exact = redact(name)
        let printed = redact(PrintableText.line(name))
        return PrintableText.line(exact) == printed ? exact : printed
    }
}
