import JSON
import Traffic

/// A problem document in words (control contract, section 16).
enum ProblemText {
    static func lines(_ problem: JSON) -> String {
        let title = problem["title"]?.stringValue ?? "The server refused the call"
        let detail = problem["detail"]?.stringValue ?? ""
        var lines = ["understudy: " + VisibleText.escaped(detail.isEmpty ? title : "\(title): \(detail)")]
        for item in problem["errors"]?.arrayValue ?? [] {
            let path = item["path"]?.stringValue ?? "$"
            lines.append("  " + VisibleText.escaped("\(path): \(item["reason"]?.stringValue ?? "")"))
        }
        return lines.joined(separator: "\n")
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
