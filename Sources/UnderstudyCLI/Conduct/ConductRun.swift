import ClientCommands
import ConductKit
import JSON
import Transport
import Understudy

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The judgement of the worlds of `exec` (conduct contract, section 12).
struct ConductRun {
    let gatherer: ConductGatherer
    private let output: ConductOutput

    /// Reads the flags; nil without `--conduct`.
    init?(_ level: String?, formats: [String], baseline: String?) throws(UsageError) {
        guard let level else {
            guard formats.isEmpty else {
                throw UsageError(message: "--conduct-format requires --conduct error or --conduct warning")
            }
            return nil
        }
        let levels = [ConductFailure.error, .warning]
        guard let failOn = levels.first(where: { $0.rawValue == level }) else {
            let hint =
                Suggestion.hint(to: level, among: levels.map(\.rawValue))
            throw UsageError(message: "--conduct: \"\(level)\" is neither error nor warning\(hint)")
        }
        output = try ConductOutput(formats, flag: "--conduct-format", needsPaths: true)
        gatherer = ConductGatherer(
            failOn: failOn,
            baseline: try ConductFiles.baseline(baseline),
            today: ConductFiles.today
        )
    }

    /// Prints the report and returns the exit code behind a program that left with one.
    func finish(_ emulator: RunningEmulator, _ code: Int32) -> Int32 {
        let report = emulator.conduct(gatherer)
        Terminal.write(Array(report.text.utf8), to: STDERR_FILENO)
        do throws(CommandFailure) {
            try output.write(report)
        } catch {
            if case .failed(let text) = error { Terminal.error("understudy: \(text)") }
            return code == ExitCode.ok ? ExitCode.usage : code
        }
        return code == ExitCode.ok && report.verdict == .fail ? ExitCode.failed : code
    }
}
