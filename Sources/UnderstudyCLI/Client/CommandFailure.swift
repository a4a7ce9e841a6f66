import JSON

/// The reason why a command for a running server ends early.
enum CommandFailure: Error {
    /// A mistake in the command line, exit code 2.
    case usage(String)
    /// A mistake in a file or on standard input, exit code 2.
    case input(String)
    /// A refusal by the program or the server in words, exit code 1.
    case failed(String)
    /// A problem document of the server, exit code 1.
    case problem(ServerAnswer)
    /// No server answers, exit code 4.
    case noServer(address: String, detail: String, start: String, hint: String? = nil)
}

/// The answer of a control call.
struct ServerAnswer: Sendable {
    let status: Int
    let content: [UInt8]
    let isJSON: Bool
    let totalCount: Int?

    var json: JSON {
        (try? JSONReader.read(content, options: JSONReader.Options(maxDepth: 512, maxValues: .max))) ?? .null
    }
    var text: String { String(decoding: content, as: UTF8.self) }
}
