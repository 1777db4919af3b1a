import SyrinxByteStream

/// The redirects of a request, and the rules for following them.
struct RedirectChain: Sendable {
    private var count = 0

    /// Returns the URL of the next request after a redirect from `current`.
    /// - Throws: `.tooManyRedirects`, `.redirectRefused` or `.badResponse`.
    mutating func next(
        _ head: ResponseHead,
        from current: RequestURL,
        _ options: HTTPByteStream.Options
    ) throws(FetchFailure) -> RequestURL {
        count += 1
        guard count <= options.maximumRedirects else {
            let message = "the server redirects more than \(options.maximumRedirects) times"
            throw FetchFailure(.tooManyRedirects, message, .none)
        }
        guard let location = head.location else {
            throw FetchFailure(.badResponse, "the server sent a redirect without an address", .none)
        }
        let target: RequestURL
        do throws(RequestURL.Problem) {
            target = try current.resolving(location)
        } catch .unsupportedScheme(let scheme) {
            throw FetchFailure(.redirectRefused, "the server redirects to a '\(scheme):' address", .none)
        } catch {
            throw FetchFailure(.badResponse, "the server redirects to an invalid URL", .none)
        }
        guard current.scheme == "http" || target.scheme == "https" || options.allowsInsecureRedirects else {
            let message = "the server redirects from a secure to an insecure address"
            throw FetchFailure(.redirectRefused, message, .none)
        }
        return target
    }
}
