package import JSON

/// The reason why a command for a running server ends early.
package enum CommandFailure: Error {
    /// A mistake in the command line, exit code 2.
    case usage(String)
    /// A mistake in a file or on standard input, exit code 2.
    case input(String)
    /// A refusal by the program or the server in words, exit code 1.
    case failed(String)
    /// A problem document of the server, exit code 1.
    case problem(ServerAnswer)
    /// Something came that is not all of an answer, exit code 1.
    case noAnswer(String)
    /// No server answers, exit code 4.
    case noServer(address: String, detail: String, start: String, hint: String? = nil)
}

/// The answer of a control call.
package struct ServerAnswer: Sendable {
    let status: Int
    let content: [UInt8]
    let isJSON: Bool
    let totalCount: Int?

    /// The most values of an answer that is read, each of which takes many times its bytes.
    private static let mostValues = 2_000_000

    /// The JSON; null if the content is none, or has more values than any answer of a server.
    package var json: JSON {
        let options = JSONReader.Options(maxDepth: 512, maxValues: Self.mostValues)
        return (try? JSONReader.read(content, options: options)) ?? .null
    }
    /// Tells whether the content begins as a JSON object does; a document is not read for that.
    var isObject: Bool { content.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == 0x7B }
    var text: String { String(decoding: content, as: UTF8.self) }
}
