import Backend
import CivilTime
import ClientCommands
import Conditions
import ConductKit
import Engine
import JSON
import Journal
import Understudy
import Worlds

/// The judgement by a running server (conduct contract, sections 9 and 12).
///
/// The server judges; what it does not know, a baseline and rules that this run requires, is added here.
struct ConductQuestion {
    var server: RunningServer
    var filter: ReportFilter
    /// The rules as they were named.
    var rules: [String]
    var failOn: ConductFailure?
    var required: [String]
    var baseline: [ConductSettings.BaselineEntry]

    /// Asks for the report of a world, or of all.
    func report() throws(CommandFailure) -> JudgementReport {
        guard server.world == "*" else {
            var report = try self.report(of: server)
            report.apply(baseline: baseline)
            return report
        }
        var merger = ConductMerger()
        for name in try worlds() {
            var one = server
            one.world = name
            var report = try self.report(of: one)
            report.apply(baseline: baseline)
            merger.add(report, world: name)
        }
        return merger.report
    }

    private func worlds() throws(CommandFailure) -> [String] {
        var hub = server
        hub.world = nil
        hub.api = nil
        return (try hub.call("GET", "/worlds")["items"]?.arrayValue ?? []).compactMap { $0["name"]?.stringValue }
    }

    /// A full journal takes seconds on a busy machine.
    private static let patience = Interval.seconds(120)

    private func report(of server: RunningServer) throws(CommandFailure) -> JudgementReport {
        var whole = server
        whole.api = nil
        let settings = ConductSettings(stored: try whole.call("GET", "/settings")["conduct"], APICatalogue.rules)
        let document = try server.call("GET", "/conduct", query: query, within: Self.patience)
        var names: [String] = []
        for name in settings.require + required where !names.contains(name) { names.append(name) }
        var missing: [String] = []
        for name in names where !(try isExercised(name, document, server)) { missing.append(name) }
        guard
            let report = JudgementReport(
                json: document,
                failOn: failOn ?? settings.failOn,
                required: names,
                missing: missing
            )
        else { throw server.stranger("200 without a report") }
        return report
    }

    private var query: [(name: String, value: String)] {
        var items = rules.map { (name: "rule", value: $0) }
        if let user = filter.user { items.append(("user", user)) }
        if filter.since > 0 { items.append(("since", "\(filter.since)")) }
        return items
    }

    /// Tells whether a rule was exercised; what stands behind the name of an instance the server alone knows.
    private func isExercised(_ name: String, _ report: JSON, _ server: RunningServer) throws(CommandFailure) -> Bool {
        if APICatalogue.rules.declaration(name) != nil { return Self.isExercised(report) { $0 == name } }
        let others = query.filter { $0.name != "rule" }
        let narrow = try server.call(
            "GET",
            "/conduct",
            query: [(name: "rule", value: name)] + others,
            within: Self.patience
        )
        return Self.isExercised(narrow) { _ in true }
    }

    private static func isExercised(_ report: JSON, _ isMeant: (String) -> Bool) -> Bool {
        (report["rules"]?.arrayValue ?? []).contains { rule in
            isMeant(rule["id"]?.stringValue ?? "")
                && (rule["status"] == "passed" || rule["status"] == "failed")
        }
    }
}
