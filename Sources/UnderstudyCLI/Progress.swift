import ClientCommands

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The progress of long work: a moving bar on a terminal, an occasional line elsewhere.
///
/// One thread uses it.
struct Progress {
    /// The number of bytes below which work ends before a progress line could be read.
    private static let shortest = 16 * 1_024 * 1_024
    private static let width = 30

    private let isTerminal = isatty(STDERR_FILENO) == 1
    private var shown = -1
    /// True while a bar is on the terminal's line.
    private var isDrawn = false

    /// Shows the finished part of a total.
    mutating func show(_ what: String, _ done: Int, of total: Int) {
        guard total >= Self.shortest else { return }
        let percent = min(done / max(total / 100, 1), 100)
        guard percent != shown, isTerminal || percent / 25 != shown / 25 || shown < 0 else { return }
        shown = percent
        guard isTerminal else {
            Terminal.error("understudy: \(what): \(percent) %")
            return
        }
        let filled = percent * Self.width / 100
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: Self.width - filled)
        let text = "\r\u{1B}[K[\(bar)] \(percent) % \(what)" + (percent == 100 ? "\n" : "")
        Terminal.write(Array(text.utf8), to: STDERR_FILENO)
        isDrawn = percent < 100
    }

    /// Removes the bar before other output; the next step draws it again.
    mutating func clear() {
        guard isDrawn else { return }
        Terminal.write(Array("\r\u{1B}[K".utf8), to: STDERR_FILENO)
        isDrawn = false
        shown = -1
    }
}

/// Live counts of a recording: one updating line on a terminal, an occasional line elsewhere.
///
/// Any thread may call it, since the text depends on the arguments alone.
enum RecordingCounts {
    static func show(_ entries: Int, _ bytes: Int, _ problem: String?) {
        if let problem {
            Terminal.error("understudy: \(problem)")
            return
        }
        let text = "recorded \(entries) \(entries == 1 ? "entry" : "entries"), \(size(bytes))"
        if isatty(STDERR_FILENO) == 1 {
            Terminal.count(text)
        } else if entries <= 10 || entries % 100 == 0 {
            Terminal.error("understudy: \(text)")
        }
    }

    private static func size(_ bytes: Int) -> String {
        switch bytes {
        case ..<1_024: "\(bytes) bytes"
        case ..<1_048_576: "\(bytes / 1_024) KiB"
        default: "\(bytes / 1_048_576).\(bytes % 1_048_576 * 10 / 1_048_576) MiB"
        }
    }
}
