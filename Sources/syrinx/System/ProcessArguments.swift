import Glibc
import SyrinxByteStream

/// The arguments of the process.
enum ProcessArguments {
    /// All of them but the command's own name, as text.
    ///
    /// One that is not UTF-8 carries its bytes (`ByteText`), so that a path gets to the system as it was given.
    static var texts: [String] {
        let arguments = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
        return arguments.dropFirst().compactMap { argument in
            argument.map { ByteText.text(carrying: UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
        }
    }
}
