import SyrinxByteStream

/// Decides on the requests of an `HTTPExchange`: redirects, and attempts after failures.
///
/// No network, no thread, no clock.
struct ExchangeMachine {
    /// The next step.
    enum Step {
        /// Send the request that `request` describes.
        case send
        /// Send it after that many seconds.
        case wait(seconds: Double)
        /// The answer is the one that was asked for: its body follows.
        case deliver
        case fail(FetchFailure)
    }

    private let original: RequestURL
    private let options: HTTPByteStream.Options
    private let isRepeatable: Bool
    private var current: RequestURL
    private var redirects = 0
    private var attempts = 0
    private var isMoving = true
    private var id = 0
    private var isShoutcast = false
    private(set) var cookies = CookieJar()

    /// The address that permanent redirects at the beginning of the way lead to; `nil` if there were none.
    private(set) var moved: RequestURL?

    /// - Parameter isRepeatable: Whether the request may be sent twice, as one that changes nothing may.
    init(_ url: RequestURL, options: HTTPByteStream.Options, isRepeatable: Bool) {
        original = url
        current = url
        self.options = options
        self.isRepeatable = isRepeatable
    }

    /// The request to send, and the final URL of an answer.
    var request: FetchRequest {
        FetchRequest(
            id: id,
            url: current,
            offset: 0,
            range: nil,
            ifRange: nil,
            carriesSecrets: current.hasSameOrigin(as: original),
            isShoutcast: isShoutcast
        )
    }

    /// The head of the answer has come; `now` is in seconds since 1970.
    mutating func responded(_ head: ResponseHead, now: Double) -> Step {
        cookies.take(head, from: current, now: now)
        switch head.status {
        case 301, 302, 303, 307, 308: return redirect(head)
        case 408, 425, 429, 500...599: return failed(.status(head, remedy: .retry, now: now))
        case 200...299, 304: return .deliver
        default: return .fail(.status(head, remedy: .none))
        }
    }

    /// The request has failed before its answer came.
    mutating func failed(_ failure: FetchFailure) -> Step {
        if failure.remedy == .shoutcast, !isShoutcast, current.scheme == "http", isRepeatable {
            isShoutcast = true
            return .send
        }
        attempts += 1
        guard failure.remedy != .none, isRepeatable, attempts < max(1, options.maximumConnectAttempts) else {
            return .fail(failure)
        }
        current = original
        (redirects, isMoving, moved) = (0, true, nil)
        let usual = min(options.initialRetryDelay * Double(1 << min(attempts - 1, 20)), options.maximumRetryDelay)
        return .wait(seconds: max(usual, min(failure.retryAfter ?? 0, options.maximumServerDelay)))
    }

    private mutating func redirect(_ head: ResponseHead) -> Step {
        redirects += 1
        guard redirects <= options.maximumRedirects else {
            let message = "the server redirects more than \(options.maximumRedirects) times"
            return .fail(FetchFailure(.tooManyRedirects, message, .none))
        }
        guard isRepeatable else {
            return .fail(
                FetchFailure(.redirectRefused, "the server redirects what is sent to it to another address", .none)
            )
        }
        guard let location = head.location else {
            return .fail(FetchFailure(.badResponse, "the server redirects to nowhere", .none))
        }
        do throws(RequestURL.Problem) {
            let target = try current.resolving(location)
            guard current.scheme == "http" || target.scheme == "https" || options.allowsInsecureRedirects else {
                let message = "the server redirects from a secure to an insecure address"
                return .fail(FetchFailure(.redirectRefused, message, .none))
            }
            current = target
            // What comes behind a temporary redirect is temporary.
            isMoving = isMoving && (head.status == 301 || head.status == 308)
            if isMoving { moved = target }
            return .send
        } catch {
            return .fail(
                FetchFailure(
                    .redirectRefused,
                    "the server redirects to an address that is no http: or https: one",
                    .none
                )
            )
        }
    }
}
