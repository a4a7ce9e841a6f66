package import JSON

/// A fault under the words that people have for what a client meets: those of other tools, of bug reports and of networks.
package struct FaultSymptom: Sendable {
    /// In lower case, without blanks and dashes.
    private let words: [String]
    /// The effect of a fault that brings it about.
    package let effect: JSON
    /// The event as the client meets it.
    package let meaning: String

    /// All of them; `docs/faults.md` has them as a table.
    package static let all = [
        FaultSymptom(
            words: ["captiveportal", "captive", "portal", "loginpage", "wifi", "hotspot"],
            effect: ["body": "html"],
            meaning: "a page of HTML in place of JSON, as from a captive portal"
        ),
        FaultSymptom(
            words: ["keepalive", "keptalive", "idle", "stale", "reused", "reuse", "pooled", "closeidle"],
            effect: ["connection": "empty"],
            meaning: "a kept connection that is closed, idle or stale, as a request is sent on it"
        ),
        FaultSymptom(
            words: [
                "halfopen", "blackhole", "drop", "dropped", "packetloss", "timeout", "hang", "freeze", "frozen",
                "noresponse", "unresponsive", "lost", "offline",
            ],
            effect: ["connection": "stall"],
            meaning: "no answer and no end, until the client gives up"
        ),
        FaultSymptom(
            words: [
                "rst", "abort", "aborted", "close", "closed", "disconnect", "kill", "killed", "econnreset", "refused",
            ],
            effect: ["connection": "reset"],
            meaning: "a connection that breaks"
        ),
        FaultSymptom(
            words: ["cut", "short", "partial", "incomplete", "contentlength", "truncated", "eof"],
            effect: ["connection": "truncate"],
            meaning: "less content than was announced"
        ),
        FaultSymptom(
            words: ["chunk", "chunked", "chunks", "badchunk"],
            effect: ["connection": "malformed-chunk"],
            meaning: "chunks that break off wrongly"
        ),
        FaultSymptom(
            words: ["redirect", "redirects", "redirection", "location", "301", "302", "307", "308", "redirectloop"],
            effect: ["respond": ["status": 302, "headers": [["Location", "/elsewhere"]]]],
            meaning: "an answer that sends the client elsewhere"
        ),
        FaultSymptom(
            words: ["cookie", "cookies", "setcookie"],
            effect: ["respond": ["status": 200, "headers": [["Set-Cookie", "a=b; Path=/"]], "body": [:]]],
            meaning: "an answer with a cookie"
        ),
        FaultSymptom(
            words: [
                "gzip", "gunzip", "deflate", "brotli", "br", "zstd", "compression", "compressed", "contentencoding",
            ],
            effect: ["respond": ["status": 200, "headers": [["Content-Encoding", "gzip"]], "text": "{}"]],
            meaning: "content that is not coded as its field says"
        ),
        FaultSymptom(
            words: ["ratelimit", "ratelimited", "toomanyrequests", "429"],
            effect: ["status": 429, "retryAfter": 30],
            meaning: "a limit that is reached"
        ),
        FaultSymptom(
            words: ["outage", "maintenance", "unavailable", "overload", "503"],
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

    /// The effect as a hint names it: its word among the kinds of `connection`, else as it is.
    var hint: String { effect["connection"]?.stringValue ?? effect.text }

    /// The effect in the words of `Prefer: fault=WORD` and of `fault add --connection`; nil where they have none for it.
    package var word: String? { FaultEffects.words.first { .object($0.order) == effect }?.name }
}
