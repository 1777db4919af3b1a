extension AVAsynchronousKeyValueLoading {
    /// Loads two properties.
    ///
    /// ```swift
    /// let (duration, tracks) = try await asset.load(.duration, .tracks)
    /// ```
    /// - Throws: The `AVError` of the first property that fails; `CancellationError` if the task is cancelled.
    public func load<A, B>(
        _ one: AVAsyncProperty<Self, A>,
        _ two: AVAsyncProperty<Self, B>
    ) async throws -> (A, B) {
        try await (load(one), load(two))
    }

    /// Loads three properties.
    /// - Throws: The `AVError` of the first property that fails; `CancellationError` if the task is cancelled.
    public func load<A, B, C>(
        _ one: AVAsyncProperty<Self, A>,
        _ two: AVAsyncProperty<Self, B>,
        _ three: AVAsyncProperty<Self, C>
    ) async throws -> (A, B, C) {
        try await (load(one), load(two), load(three))
    }

    /// Loads four properties.
    /// - Throws: The `AVError` of the first property that fails; `CancellationError` if the task is cancelled.
    public func load<A, B, C, D>(
        _ one: AVAsyncProperty<Self, A>,
        _ two: AVAsyncProperty<Self, B>,
        _ three: AVAsyncProperty<Self, C>,
        _ four: AVAsyncProperty<Self, D>
    ) async throws -> (A, B, C, D) {
        try await (load(one), load(two), load(three), load(four))
    }

    /// Loads five properties.
    /// - Throws: The `AVError` of the first property that fails; `CancellationError` if the task is cancelled.
    public func load<A, B, C, D, E>(
        _ one: AVAsyncProperty<Self, A>,
        _ two: AVAsyncProperty<Self, B>,
        _ three: AVAsyncProperty<Self, C>,
        _ four: AVAsyncProperty<Self, D>,
        _ five: AVAsyncProperty<Self, E>
    ) async throws -> (A, B, C, D, E) {
        try await (load(one), load(two), load(three), load(four), load(five))
    }

    /// Loads six properties.
    /// - Throws: The `AVError` of the first property that fails; `CancellationError` if the task is cancelled.
    public func load<A, B, C, D, E, F>(
        _ one: AVAsyncProperty<Self, A>,
        _ two: AVAsyncProperty<Self, B>,
        _ three: AVAsyncProperty<Self, C>,
        _ four: AVAsyncProperty<Self, D>,
        _ five: AVAsyncProperty<Self, E>,
        _ six: AVAsyncProperty<Self, F>
    ) async throws -> (A, B, C, D, E, F) {
        try await (load(one), load(two), load(three), load(four), load(five), load(six))
    }

    /// Loads seven properties.
    /// - Throws: The `AVError` of the first property that fails; `CancellationError` if the task is cancelled.
    public func load<A, B, C, D, E, F, G>(
        _ one: AVAsyncProperty<Self, A>,
        _ two: AVAsyncProperty<Self, B>,
        _ three: AVAsyncProperty<Self, C>,
        _ four: AVAsyncProperty<Self, D>,
        _ five: AVAsyncProperty<Self, E>,
        _ six: AVAsyncProperty<Self, F>,
        _ seven: AVAsyncProperty<Self, G>
    ) async throws -> (A, B, C, D, E, F, G) {
        try await (load(one), load(two), load(three), load(four), load(five), load(six), load(seven))
    }

    /// Loads eight properties.
    /// - Throws: The `AVError` of the first property that fails; `CancellationError` if the task is cancelled.
    public func load<A, B, C, D, E, F, G, H>(
        _ one: AVAsyncProperty<Self, A>,
        _ two: AVAsyncProperty<Self, B>,
        _ three: AVAsyncProperty<Self, C>,
        _ four: AVAsyncProperty<Self, D>,
        _ five: AVAsyncProperty<Self, E>,
        _ six: AVAsyncProperty<Self, F>,
        _ seven: AVAsyncProperty<Self, G>,
        _ eight: AVAsyncProperty<Self, H>
    ) async throws -> (A, B, C, D, E, F, G, H) {
        try await (load(one), load(two), load(three), load(four), load(five), load(six), load(seven), load(eight))
    }
}
