/// A reason why a test can't go on.
struct TestError: Error, CustomStringConvertible {
    var description: String
}
