package import JSON

/// A place where the real backend and the emulation differ.
package struct AnswerDifference: Sendable, Equatable {
    /// The consequence for a client that was built against the emulation.
    package enum Severity: String, Sendable {
        /// Something it relies on is gone or another.
        case breaking
        /// Something new that it may ignore.
        case additive
        /// The same form with another value.
        case value
    }

    /// `status`, `headers.content-type`, or a path into the body such as `$.user.email`.
    package var path: String
    /// Nil where the emulation has nothing there.
    package var emulated: JSON?
    /// Nil where the real backend has nothing there.
    package var upstream: JSON?
    package var severity: Severity

    package init(path: String, emulated: JSON?, upstream: JSON?, severity: Severity) {
        self.path = path
        self.emulated = emulated
        self.upstream = upstream
        self.severity = severity
    }

    /// As the journal shows it.
    package var json: JSON {
        var object: JSONObject = ["path": .string(path)]
        object.append("emulated", emulated ?? .null)
        object.append("upstream", upstream ?? .null)
        return .object(object)
    }
}

/// The parts of a response that are compared.
package struct ComparedAnswer: Sendable {
    package var status: Int
    package var headers: [HARPair]
    package var body: [UInt8]

    package init(status: Int, headers: [HARPair], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    var contentType: String {
        let value = headers.value("content-type") ?? ""
        return value.prefix { $0 != ";" }.trimmingBlanks.lowercased()
    }
}

extension Substring {
    fileprivate var trimmingBlanks: String {
        var text = drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return String(text)
    }
}
