/// Stops the program with a sentence if what a caller has to see to does not hold.
///
/// Not `precondition`, whose sentence is left out of what is built in release.
func require(
    _ condition: Bool,
    _ sentence: @autoclosure () -> String,
    file: StaticString = #file,
    line: UInt = #line
) {
    if !condition { fatalError(sentence(), file: file, line: line) }
}
