extension String {
    /// The text as a full sentence: with a capital at the beginning and a full stop at the end.
    ///
    /// The messages of all public errors have this form.
    package var asSentence: String {
        guard let first, let last else { return self }
        let end = ".!?…".contains(last) ? "" : "."
        return first.uppercased() + dropFirst() + end
    }
}
