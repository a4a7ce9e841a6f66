/// What a rule finds, without today's exceptions.
///
/// An exception that is no longer needed is a breach, so that a list of them gets shorter and never longer.
enum Exceptions {
    /// A breach, and the name by which it may be excepted.
    struct Found: Equatable {
        var name: String
        var text: String
    }

    /// The breaches that have no exception, and the exceptions that nothing needs.
    static func breaches(_ found: [Found], except exceptions: Set<String>) -> [String] {
        found.filter { !exceptions.contains($0.name) }.map(\.text)
            + exceptions.subtracting(found.map(\.name)).sorted().map { "\($0): the exception is no longer needed" }
    }
}
