import Accelerate
import Testing

// Each runs a function on vectors of several lengths and strides, and in the place of its first argument, and compares with
// `expected`.

private let strides = [(1, 1), (2, 3), (1, 2), (-1, 1), (3, -2)]

func checkUnary<T: BinaryFloatingPoint>(
    _ name: String,
    _ function: (UnsafePointer<T>, Int, UnsafeMutablePointer<T>, Int, UInt) -> Void,
    _ expected: (T) -> T
) {
    for count in lengths {
        for (from, to) in strides {
            var a = Strided<T>(numbers(count, seed: 1), stride: from)
            var result = Strided<T>([T](repeating: 9, count: count), stride: to)
            let wanted = (0..<count).map { expected(a.elements[$0]) }
            call([a], &result) { from, result in
                function(from[0], a.stride, result, to, UInt(count))
            }
            #expect(
                error(result.elements, wanted) < tolerance(T.self),
                "\(name), \(count) elements, strides \(from), \(to)"
            )
            #expect(result.isOtherwiseUntouched, "\(name), \(count) elements, strides \(from), \(to)")
            let stride = a.stride
            call([], &a) { from, place in
                function(UnsafePointer(place), stride, place, stride, UInt(count))
            }
            #expect(error(a.elements, wanted) < tolerance(T.self), "\(name) in place, \(count) elements")
        }
    }
}

func checkBinary<T: BinaryFloatingPoint>(
    _ name: String,
    _ function: (UnsafePointer<T>, Int, UnsafePointer<T>, Int, UnsafeMutablePointer<T>, Int, UInt) -> Void,
    _ expected: (T, T) -> T
) {
    for count in lengths {
        for (from, to) in strides {
            var a = Strided<T>(numbers(count, seed: 1), stride: from)
            let b = Strided<T>(numbers(count, seed: 2), stride: from)
            var result = Strided<T>([T](repeating: 9, count: count), stride: to)
            let wanted = (0..<count).map { expected(a.elements[$0], b.elements[$0]) }
            call([a, b], &result) { from, result in
                function(from[0], a.stride, from[1], b.stride, result, to, UInt(count))
            }
            #expect(
                error(result.elements, wanted) < tolerance(T.self),
                "\(name), \(count) elements, strides \(from), \(to)"
            )
            #expect(result.isOtherwiseUntouched, "\(name), \(count) elements, strides \(from), \(to)")
            let stride = a.stride
            call([b], &a) { from, place in
                function(UnsafePointer(place), stride, from[0], b.stride, place, stride, UInt(count))
            }
            #expect(error(a.elements, wanted) < tolerance(T.self), "\(name) in place, \(count) elements")
        }
    }
}

func checkScaling<T: BinaryFloatingPoint>(
    _ name: String,
    _ function: (UnsafePointer<T>, Int, UnsafePointer<T>, UnsafeMutablePointer<T>, Int, UInt) -> Void,
    _ expected: (T, T) -> T
) {
    let given: [T] = [-0.5, 0.75]
    for count in lengths {
        for (from, to) in strides {
            var a = Strided<T>(numbers(count, seed: 1), stride: from)
            var result = Strided<T>([T](repeating: 9, count: count), stride: to)
            let wanted = (0..<count).map { expected(a.elements[$0], given[0]) }
            call([a], &result) { from, result in
                given.withUnsafeBufferPointer { given in
                    guard let given = given.baseAddress else { return }
                    function(from[0], a.stride, given.advanced(by: 0), result, to, UInt(count))
                }
            }
            #expect(
                error(result.elements, wanted) < tolerance(T.self),
                "\(name), \(count) elements, strides \(from), \(to)"
            )
            #expect(result.isOtherwiseUntouched, "\(name), \(count) elements, strides \(from), \(to)")
            let stride = a.stride
            call([], &a) { from, place in
                given.withUnsafeBufferPointer { given in
                    guard let given = given.baseAddress else { return }
                    function(UnsafePointer(place), stride, given.advanced(by: 0), place, stride, UInt(count))
                }
            }
            #expect(error(a.elements, wanted) < tolerance(T.self), "\(name) in place, \(count) elements")
        }
    }
}

func checkLimiting<T: BinaryFloatingPoint>(
    _ name: String,
    _ function: (UnsafePointer<T>, Int, UnsafePointer<T>, UnsafePointer<T>, UnsafeMutablePointer<T>, Int, UInt) -> Void,
    _ expected: (T, T, T) -> T
) {
    let given: [T] = [-0.5, 0.75]
    for count in lengths {
        for (from, to) in strides {
            var a = Strided<T>(numbers(count, seed: 1), stride: from)
            var result = Strided<T>([T](repeating: 9, count: count), stride: to)
            let wanted = (0..<count).map { expected(a.elements[$0], given[0], given[1]) }
            call([a], &result) { from, result in
                given.withUnsafeBufferPointer { given in
                    guard let given = given.baseAddress else { return }
                    function(from[0], a.stride, given.advanced(by: 0), given.advanced(by: 1), result, to, UInt(count))
                }
            }
            #expect(
                error(result.elements, wanted) < tolerance(T.self),
                "\(name), \(count) elements, strides \(from), \(to)"
            )
            #expect(result.isOtherwiseUntouched, "\(name), \(count) elements, strides \(from), \(to)")
            let stride = a.stride
            call([], &a) { from, place in
                given.withUnsafeBufferPointer { given in
                    guard let given = given.baseAddress else { return }
                    function(
                        UnsafePointer(place),
                        stride,
                        given.advanced(by: 0),
                        given.advanced(by: 1),
                        place,
                        stride,
                        UInt(count)
                    )
                }
            }
            #expect(error(a.elements, wanted) < tolerance(T.self), "\(name) in place, \(count) elements")
        }
    }
}

func checkBlending<T: BinaryFloatingPoint>(
    _ name: String,
    _ function: (UnsafePointer<T>, Int, UnsafePointer<T>, Int, UnsafePointer<T>, UnsafeMutablePointer<T>, Int, UInt) ->
        Void,
    _ expected: (T, T, T) -> T
) {
    let given: [T] = [-0.5, 0.75]
    for count in lengths {
        for (from, to) in strides {
            var a = Strided<T>(numbers(count, seed: 1), stride: from)
            let b = Strided<T>(numbers(count, seed: 2), stride: from)
            var result = Strided<T>([T](repeating: 9, count: count), stride: to)
            let wanted = (0..<count).map { expected(a.elements[$0], b.elements[$0], given[0]) }
            call([a, b], &result) { from, result in
                given.withUnsafeBufferPointer { given in
                    guard let given = given.baseAddress else { return }
                    function(from[0], a.stride, from[1], b.stride, given.advanced(by: 0), result, to, UInt(count))
                }
            }
            #expect(
                error(result.elements, wanted) < tolerance(T.self),
                "\(name), \(count) elements, strides \(from), \(to)"
            )
            #expect(result.isOtherwiseUntouched, "\(name), \(count) elements, strides \(from), \(to)")
            let stride = a.stride
            call([b], &a) { from, place in
                given.withUnsafeBufferPointer { given in
                    guard let given = given.baseAddress else { return }
                    function(
                        UnsafePointer(place),
                        stride,
                        from[0],
                        b.stride,
                        given.advanced(by: 0),
                        place,
                        stride,
                        UInt(count)
                    )
                }
            }
            #expect(error(a.elements, wanted) < tolerance(T.self), "\(name) in place, \(count) elements")
        }
    }
}

func checkAdding<T: BinaryFloatingPoint>(
    _ name: String,
    _ function: (UnsafePointer<T>, Int, UnsafePointer<T>, UnsafePointer<T>, Int, UnsafeMutablePointer<T>, Int, UInt) ->
        Void,
    _ expected: (T, T, T) -> T
) {
    let given: [T] = [-0.5, 0.75]
    for count in lengths {
        for (from, to) in strides {
            var a = Strided<T>(numbers(count, seed: 1), stride: from)
            let c = Strided<T>(numbers(count, seed: 3), stride: from)
            var result = Strided<T>([T](repeating: 9, count: count), stride: to)
            let wanted = (0..<count).map { expected(a.elements[$0], given[0], c.elements[$0]) }
            call([a, c], &result) { from, result in
                given.withUnsafeBufferPointer { given in
                    guard let given = given.baseAddress else { return }
                    function(from[0], a.stride, given.advanced(by: 0), from[1], c.stride, result, to, UInt(count))
                }
            }
            #expect(
                error(result.elements, wanted) < tolerance(T.self),
                "\(name), \(count) elements, strides \(from), \(to)"
            )
            #expect(result.isOtherwiseUntouched, "\(name), \(count) elements, strides \(from), \(to)")
            let stride = a.stride
            call([c], &a) { from, place in
                given.withUnsafeBufferPointer { given in
                    guard let given = given.baseAddress else { return }
                    function(
                        UnsafePointer(place),
                        stride,
                        given.advanced(by: 0),
                        from[0],
                        c.stride,
                        place,
                        stride,
                        UInt(count)
                    )
                }
            }
            #expect(error(a.elements, wanted) < tolerance(T.self), "\(name) in place, \(count) elements")
        }
    }
}

func checkTernary<T: BinaryFloatingPoint>(
    _ name: String,
    _ function: (
        UnsafePointer<T>, Int, UnsafePointer<T>, Int, UnsafePointer<T>, Int, UnsafeMutablePointer<T>, Int, UInt
    ) -> Void,
    _ expected: (T, T, T) -> T
) {
    for count in lengths {
        for (from, to) in strides {
            var a = Strided<T>(numbers(count, seed: 1), stride: from)
            let b = Strided<T>(numbers(count, seed: 2), stride: from)
            let c = Strided<T>(numbers(count, seed: 3), stride: from)
            var result = Strided<T>([T](repeating: 9, count: count), stride: to)
            let wanted = (0..<count).map { expected(a.elements[$0], b.elements[$0], c.elements[$0]) }
            call([a, b, c], &result) { from, result in
                function(from[0], a.stride, from[1], b.stride, from[2], c.stride, result, to, UInt(count))
            }
            #expect(
                error(result.elements, wanted) < tolerance(T.self),
                "\(name), \(count) elements, strides \(from), \(to)"
            )
            #expect(result.isOtherwiseUntouched, "\(name), \(count) elements, strides \(from), \(to)")
            let stride = a.stride
            call([b, c], &a) { from, place in
                function(UnsafePointer(place), stride, from[0], b.stride, from[1], c.stride, place, stride, UInt(count))
            }
            #expect(error(a.elements, wanted) < tolerance(T.self), "\(name) in place, \(count) elements")
        }
    }
}

func checkQuaternary<T: BinaryFloatingPoint>(
    _ name: String,
    _ function: (
        UnsafePointer<T>, Int, UnsafePointer<T>, Int, UnsafePointer<T>, Int, UnsafePointer<T>, Int,
        UnsafeMutablePointer<T>, Int, UInt
    ) -> Void,
    _ expected: (T, T, T, T) -> T
) {
    for count in lengths {
        for (from, to) in strides {
            var a = Strided<T>(numbers(count, seed: 1), stride: from)
            let b = Strided<T>(numbers(count, seed: 2), stride: from)
            let c = Strided<T>(numbers(count, seed: 3), stride: from)
            let d = Strided<T>(numbers(count, seed: 4), stride: from)
            var result = Strided<T>([T](repeating: 9, count: count), stride: to)
            let wanted = (0..<count).map { expected(a.elements[$0], b.elements[$0], c.elements[$0], d.elements[$0]) }
            call([a, b, c, d], &result) { from, result in
                function(
                    from[0],
                    a.stride,
                    from[1],
                    b.stride,
                    from[2],
                    c.stride,
                    from[3],
                    d.stride,
                    result,
                    to,
                    UInt(count)
                )
            }
            #expect(
                error(result.elements, wanted) < tolerance(T.self),
                "\(name), \(count) elements, strides \(from), \(to)"
            )
            #expect(result.isOtherwiseUntouched, "\(name), \(count) elements, strides \(from), \(to)")
            let stride = a.stride
            call([b, c, d], &a) { from, place in
                function(
                    UnsafePointer(place),
                    stride,
                    from[0],
                    b.stride,
                    from[1],
                    c.stride,
                    from[2],
                    d.stride,
                    place,
                    stride,
                    UInt(count)
                )
            }
            #expect(error(a.elements, wanted) < tolerance(T.self), "\(name) in place, \(count) elements")
        }
    }
}

/// Calls a closure with pointers to the first elements of vectors and of a result.
private func call<T>(
    _ vectors: [Strided<T>],
    _ result: inout Strided<T>,
    _ body: ([UnsafePointer<T>], UnsafeMutablePointer<T>) -> Void
) {
    // Copies, which stay while the closure runs.
    let copies = vectors.map { vector in
        let memory = UnsafeMutablePointer<T>.allocate(capacity: vector.memory.count)
        memory.initialize(from: vector.memory, count: vector.memory.count)
        return memory
    }
    defer { for copy in copies { copy.deallocate() } }
    let start = result.start
    let starts = zip(copies, vectors).map { UnsafePointer($0 + $1.start) }
    result.memory.withUnsafeMutableBufferPointer { memory in
        guard let memory = memory.baseAddress else { return }
        body(starts, memory + start)
    }
}
