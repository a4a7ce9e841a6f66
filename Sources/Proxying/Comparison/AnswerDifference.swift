package import JSON
package import Recording

/// A place where the real backend and the emulation differ.
package struct AnswerDifference: Sendable, Equatable {
    /// The consequence for a client that was built against the emulation.
    package enum Severity: String, Sendable {
        /// A member that it relies on is gone or has changed.
        case breaking
        /// A new member that it may ignore.
        case additive
        /// The same form with another value.
        case value
    }

    /// `status`, `headers.content-type`, or a path into the body such as `$.user.email`.
    package var path: String
    /// The emulation's value; nil where it has none.
    package var emulated: JSON?
    /// The real backend's value; nil where it has none.
    package var upstream: JSON?
    package var severity: Severity

    package init(path: String, emulated: JSON?, upstream: JSON?, severity: Severity) {
        self.path = path
        self.emulated = emulated
        self.upstream = upstream
        self.severity = severity
    }

    /// The form in the journal: a side without a value lacks its member, since null is a value.
    package var json: JSON {
        var object: JSONObject = ["path": .string(path)]
        if let emulated { object.append("emulated", emulated) }
        if let upstream { object.append("upstream", upstream) }
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
