/// Stops the program with a message if a requirement on the caller is not met.
///
/// Unlike `precondition`, it prints the message in release builds too.
func require(
    _ condition: Bool,
    _ sentence: @autoclosure () -> String,
    file: StaticString = #file,
    line: UInt = #line
) {
    if !condition { fatalError(sentence(), file: file, line: line) }
}
