package import JSON

/// A fault under the words that people have for what a client meets: those of other tools, of bug reports and of networks.
package struct FaultSymptom: Sendable {
    /// The words, as people write them.
    package let names: [String]
    /// The same in lower case, without blanks and dashes.
    private let words: [String]
    /// The effect of a fault that brings it about.
    package let effect: JSON
    /// The event as the client meets it.
    package let meaning: String

    private init(names: [String], effect: JSON, meaning: String) {
        self.names = names
        words = names.map { $0.lowercased().filter { $0.isLetter || $0.isNumber } }
        self.effect = effect
        self.meaning = meaning
    }

    /// All of them; the table of docs/faults.md follows from them.
    package static let all = [
        FaultSymptom(
            names: ["captive portal", "captive", "portal", "login page", "wifi", "hotspot"],
            effect: ["body": "html"],
            meaning: "an HTML page instead of JSON, as from a captive portal"
        ),
        FaultSymptom(
            names: ["keep-alive", "kept alive", "idle", "stale", "reused", "reuse", "pooled", "close-idle"],
            effect: ["connection": "empty"],
            meaning: "an idle or stale connection that closes as a request is sent on it"
        ),
        FaultSymptom(
            names: [
                "half-open", "black hole", "drop", "dropped", "packet loss", "timeout", "hang", "freeze", "frozen",
                "no response", "unresponsive", "lost", "offline",
            ],
            effect: ["connection": "stall"],
            meaning: "no response, until the client times out"
        ),
        FaultSymptom(
            names: [
                "RST", "abort", "aborted", "close", "closed", "disconnect", "kill", "killed", "ECONNRESET", "refused",
            ],
            effect: ["connection": "reset"],
            meaning: "a connection that is reset"
        ),
        FaultSymptom(
            names: ["FIN", "idle timeout", "keep-alive timeout"],
            effect: ["connection": "close"],
            meaning: "a server that closes the connection after its response, without saying so"
        ),
        FaultSymptom(
            names: ["cut", "short", "partial", "incomplete", "Content-Length", "truncated", "EOF"],
            effect: ["connection": "truncate"],
            meaning: "less content than announced"
        ),
        FaultSymptom(
            names: ["chunk", "chunked", "chunks", "bad chunk"],
            effect: ["connection": "malformed-chunk"],
            meaning: "malformed chunks"
        ),
        FaultSymptom(
            names: ["redirect", "redirects", "redirection", "Location", "301", "302", "307", "308", "redirect loop"],
            effect: ["respond": ["status": 302, "headers": [["Location", "/elsewhere"]]]],
            meaning: "a redirect to another address"
        ),
        FaultSymptom(
            names: ["cookie", "cookies", "Set-Cookie"],
            effect: ["respond": ["status": 200, "headers": [["Set-Cookie", "a=b; Path=/"]], "body": [:]]],
            meaning: "a response that sets a cookie"
        ),
        FaultSymptom(
            names: [
                "gzip", "gunzip", "deflate", "Brotli", "br", "zstd", "compression", "compressed", "Content-Encoding",
            ],
            effect: ["respond": ["status": 200, "headers": [["Content-Encoding", "gzip"]], "text": "{}"]],
            meaning: "content that is not encoded as Content-Encoding says"
        ),
        FaultSymptom(
            names: ["rate limit", "rate limited", "too many requests", "429"],
            effect: ["status": 429, "retryAfter": 30],
            meaning: "a rate limit that is reached"
        ),
        FaultSymptom(
            names: ["outage", "maintenance", "unavailable", "overload", "503"],
            effect: ["status": 503],
            meaning: "a backend that is down"
        ),
    ]

    /// Returns what a text means, as a whole or by one of its words.
    package static func of(_ text: String) -> FaultSymptom? {
        let parts = text.lowercased().split { !($0.isLetter || $0.isNumber) }.map(String.init)
        let candidates = [parts.joined()] + parts
        for word in candidates {
            if let found = all.first(where: { $0.words.contains(word) }) { return found }
        }
        return nil
    }

    /// The effect as a hint names it: its word where the member has it, else as it is.
    func hint(in member: String) -> String { effect[member]?.stringValue ?? effect.text }

    /// The effect in the words of `Prefer: fault=WORD` and of `fault add --connection`; nil where they have none for it.
    package var word: String? { FaultEffects.words.first { .object($0.order) == effect }?.name }
}
