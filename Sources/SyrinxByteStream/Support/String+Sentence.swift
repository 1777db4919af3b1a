extension String {
    /// The text as a complete sentence, with an initial capital and a final full stop.
    ///
    /// The messages of all public errors have this form.
    package var asSentence: String {
        guard let first, let last else { return self }
        let end = ".!?…".contains(last) ? "" : "."
        return first.uppercased() + dropFirst() + end
    }
}
