import ClientCommands
import ConductKit
import JSON
import Understudy

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The places to which a report is written (conduct contract, section 12).
struct ConductOutput {
    private struct Target {
        var format: ConductFormat
        /// The file; nil for standard output.
        var path: String?
    }

    private var targets: [Target] = []
    private let needsPaths: Bool

    /// Reads `F` and `F=PATH`; with `needsPaths` each form goes to a file.
    init(_ texts: [String], flag: String, needsPaths: Bool = false) throws(UsageError) {
        self.needsPaths = needsPaths
        for text in texts {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let format = ConductFormat(rawValue: parts[0]) else {
                let known = ConductFormat.allCases.map(\.rawValue)
                let hint = Suggestion.hint(to: parts[0], among: known)
                throw UsageError(
                    message: "\(flag): \"\(parts[0])\" is not a format; known: \(known.joined(separator: ", "))\(hint)"
                )
            }
            let path = parts.count > 1 ? parts[1] : nil
            if path?.isEmpty == true || needsPaths && path == nil {
                throw UsageError(message: "\(flag): \(format.rawValue) needs a file, as in \(format.rawValue)=report")
            }
            targets.append(Target(format: format, path: path))
        }
        guard targets.count(where: { $0.path == nil }) <= 1 else {
            throw UsageError(message: "\(flag): only one format can go to standard output; give the others a file")
        }
        let paths = targets.compactMap(\.path)
        for (place, path) in paths.enumerated() where paths[..<place].contains(path) {
            throw UsageError(message: "\(flag): \(path) is named twice")
        }
    }

    /// Writes the files, and prints what goes to standard output.
    func write(_ report: JudgementReport) throws(CommandFailure) {
        for target in targets {
            if let path = target.path {
                try FileText.replace(path, with: target.format.render(report, APICatalogue.rules), isReport: true)
            }
        }
        guard !needsPaths else { return }
        let shown = targets.first { $0.path == nil }?.format ?? .text
        Terminal.write(Self.lines(shown.render(report, APICatalogue.rules)), to: STDOUT_FILENO)
        try tellGitHub(report, shown)
    }

    /// The text with a line end.
    private static func lines(_ bytes: [UInt8]) -> [UInt8] {
        bytes.last == 0x0A || bytes.isEmpty ? bytes : bytes + [0x0A]
    }

    /// Prints annotations and adds to the summary of a step, where a workflow of GitHub runs the command.
    private func tellGitHub(_ report: JudgementReport, _ shown: ConductFormat) throws(CommandFailure) {
        guard Environment["GITHUB_ACTIONS"] == "true" else { return }
        switch shown {
        case .github: break
        case .text, .markdown:
            Terminal.write(ConductFormat.github.render(report, APICatalogue.rules), to: STDOUT_FILENO)
        // A document on standard output stays one.
        case .json, .html, .junit, .sarif:
            Terminal.write(ConductFormat.github.render(report, APICatalogue.rules), to: STDERR_FILENO)
        }
        guard let path = Environment["GITHUB_STEP_SUMMARY"], !path.isEmpty else { return }
        let file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o644)
        guard file >= 0 else {
            throw .failed("\(path): the file can't be written: \(String(cString: strerror(errno)))")
        }
        Terminal.write(ConductFormat.markdown.render(report, APICatalogue.rules), to: file)
        close(file)
    }
}
