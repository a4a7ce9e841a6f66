import Basics
import JSON
import Traffic

/// A problem document in words (clients contract, section 1).
enum ProblemText {
    static func lines(_ problem: JSON) -> String {
        let title = problem["title"]?.stringValue ?? "The server refuses the call"
        let detail = problem["detail"]?.stringValue ?? ""
        let errors = (problem["errors"]?.arrayValue ?? []).map {
            (path: $0["path"]?.stringValue ?? "$", reason: $0["reason"]?.stringValue ?? "")
        }
        // The detail mostly is the first of the errors.
        let isRepeated = errors.first.map { first in
            [" ", ": "].contains { detail.contains(first.path + $0 + first.reason) }
        }
        let head = detail.isEmpty || isRepeated == true ? title : "\(title): \(detail)"
        let lines = ["understudy: \(head)"] + errors.map { "  \($0.path): \($0.reason)" }
        return lines.map(VisibleText.escaped).joined(separator: "\n")
    }

    /// The warnings that an answer carries, as lines.
    static func warn(_ answer: JSON) {
        for item in answer["warnings"]?.arrayValue ?? [] {
            let path = item["path"]?.stringValue ?? "$"
            Terminal.error(
                VisibleText.escaped("understudy: warning: \(path): \(item["reason"]?.stringValue ?? "")")
            )
        }
    }
}
