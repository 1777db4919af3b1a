/// The namespaces in scope, which determine the names that the parser reports.
///
/// Documents choose their own prefixes. Here each namespace that podcasts use has a fixed prefix with a dot, such as
/// `itunes.author`. RSS, which has no namespace, and XSPF have no prefix.
struct XMLNamespaces {
    private var scopes: [[(prefix: String, canonical: String)]] = []

    /// The prefixes that documents use without declaring them.
    private static let usual: Set<String> = [
        "itunes", "podcast", "content", "dc", "atom", "media", "psc", "rdf", "googleplay", "dcterms",
        "enc", "xhtml", "xml",
    ]

    /// The namespaces by a part of their URI in lower case; feeds spell the rest differently.
    ///
    /// The first match counts.
    private static let known: [(part: String, canonical: String)] = [
        ("itunes.com/dtds/podcast", "itunes"),
        ("podcastindex.org/namespace", "podcast"),
        ("podcast-namespace", "podcast"),
        ("purl.org/rss/1.0/modules/content", "content"),
        // The other modules of RSS 1.0 are not used.
        ("purl.org/rss/1.0/modules", "x"),
        ("purl.org/rss/1.0", ""),
        ("netscape.com/rdf/simple", ""),
        ("law.harvard.edu/tech/rss", ""),
        ("backend.userland.com/rss", ""),
        ("purl.oclc.org/net/rss_2.0/enc", "enc"),
        ("purl.org/dc/elements", "dc"),
        ("purl.org/dc/terms", "dcterms"),
        ("w3.org/2005/atom", "atom"),
        ("purl.org/atom/", "atom"),
        ("search.yahoo.com/mrss", "media"),
        ("podlove.org/simple-chapters", "psc"),
        ("w3.org/1999/02/22-rdf-syntax-ns", "rdf"),
        ("google.com/schemas/play-podcasts", "googleplay"),
        ("w3.org/1999/xhtml", "xhtml"),
        ("xspf.org/ns/", ""),
    ]

    /// Starts the scope of an element's declarations.
    mutating func push(_ declarations: [(prefix: String, uri: String)]) {
        scopes.append(
            declarations.map { prefix, uri in
                let uri = uri.lowercased()
                let canonical = Self.known.first { uri.contains($0.part) }?.canonical
                // Several namespaces for RSS are in use.
                return (prefix, canonical ?? (prefix.isEmpty ? "" : Self.usual.contains(prefix) ? prefix : "x"))
            }
        )
    }

    /// Ends the innermost scope.
    mutating func pop() { _ = scopes.popLast() }

    /// Returns the fixed name of an attribute; an attribute without a prefix has no namespace.
    func attribute(_ written: String) -> String { written.contains(":") ? name(written) : written }

    /// Returns the fixed name for a name from the document, in lower case.
    func name(_ written: String) -> String {
        let parts = written.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let prefix = parts.count > 1 ? String(parts[0]) : ""
        let local = (parts.last ?? "").filter { $0 != ":" && $0 != "." }
        guard let first = local.first, first.isLetter || first == "_" else { return "x" }
        let declared = scopes.reversed().lazy.compactMap { scope in scope.last { $0.prefix == prefix } }.first
        let canonical = declared?.canonical ?? (prefix.isEmpty || Self.usual.contains(prefix) ? prefix : "x")
        return canonical.isEmpty ? local : "\(canonical).\(local)"
    }
}
