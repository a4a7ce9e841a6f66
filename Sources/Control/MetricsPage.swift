import Backend
import CivilTime
import Engine
import HTTPMessage
import Handshakes
import JSON
import Journal
import Worlds

/// The metrics in the text form of Prometheus (exposition format 0.0.4).
enum MetricsPage {
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    static func text(_ call: ControlCall) -> String {
        let emulator = call.emulator
        let metrics = emulator.metrics
        let places = call.api.map { [$0] } ?? Array(emulator.apis.indices)
        var page = Page()

        page.family("understudy_requests_total", "counter", "Responses by API, route and status.")
        for place in places {
            let api = emulator.apis[place]
            func add(_ statuses: Metrics.Statuses, _ method: String, _ route: String) {
                for (code, count) in statuses.sorted(by: { $0.code < $1.code }) {
                    page.sample(
                        "understudy_requests_total",
                        [("api", api.identity.name), ("method", method), ("route", route), ("status", "\(code)")],
                        "\(count)"
                    )
                }
            }
            for (route, statuses) in metrics.requests[place].enumerated() where !statuses.isEmpty {
                add(statuses, api.routes[route].method.rawValue, api.routes[route].template)
            }
            add(metrics.unmatched[place], "any", "unmatched")
        }
        page.family(
            "understudy_request_duration_seconds",
            "histogram",
            "Real time from the end of a request's head to the end of its response."
        )
        for place in places {
            let label = ("api", emulator.apis[place].identity.name)
            let histogram = metrics.durations[place]
            var total: UInt64 = 0
            for (bound, count) in zip(Metrics.bounds.map { JSON.double($0).text } + ["+Inf"], histogram.counts) {
                total += count
                page.sample("understudy_request_duration_seconds_bucket", [label, ("le", bound)], "\(total)")
            }
            page.sample("understudy_request_duration_seconds_sum", [label], JSON.double(histogram.sum).text)
            page.sample("understudy_request_duration_seconds_count", [label], "\(histogram.count)")
        }
        page.family("understudy_faults_total", "counter", "Faults that acted, by API and effect.")
        for place in places {
            for (effect, count) in metrics.faults[place] {
                page.sample(
                    "understudy_faults_total",
                    [("api", emulator.apis[place].identity.name), ("effect", effect)],
                    "\(count)"
                )
            }
        }
        page.family("understudy_open_connections", "gauge", "Open connections.")
        page.sample("understudy_open_connections", [], "\(call.host.openConnections)")
        if let counts = call.host.tls?.handshakes {
            page.family(
                "understudy_tls_handshakes_total",
                "counter",
                "TLS handshakes; resumed ones also count as completed."
            )
            for (result, count) in [
                ("completed", counts.completed), ("resumed", counts.resumed), ("failed", counts.failed),
            ] {
                page.sample("understudy_tls_handshakes_total", [("result", result)], "\(count)")
            }
        }
        page.family("understudy_worlds", "gauge", "Existing worlds.")
        page.sample("understudy_worlds", [], "\(emulator.worldNames.count)")
        page.family("understudy_journal_bytes", "gauge", "Size of the journals of all worlds.")
        let bytes = emulator.worldNames.reduce(0) { $0 + (emulator[world: $1]?.world.journal.bytes ?? 0) }
        page.sample("understudy_journal_bytes", [], "\(bytes)")
        page.family("understudy_uptime_seconds", "gauge", "Real time since the process was ready.")
        let uptime = Double((call.hostTime.monotonic - call.startedAt).wholeMilliseconds) / 1_000
        page.sample("understudy_uptime_seconds", [], JSON.double(uptime).text)
        page.family("understudy_info", "gauge", "The version, as a label.")
        page.sample("understudy_info", [("version", call.version)], "1")
        return page.text
    }

    private struct Page {
        var text = ""

        mutating func family(_ name: String, _ kind: String, _ help: String) {
            text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n"
        }

        mutating func sample(_ name: String, _ labels: [(name: String, value: String)], _ value: String) {
            let shown = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
            text += labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(shown)} \(value)\n"
        }

        private static func escaped(_ text: String) -> String {
            text.reduce(into: "") { result, character in
                switch character {
                case "\\": result += "\\\\"
                case "\"": result += "\\\""
                case "\n": result += "\\n"
                default: result.append(character)
                }
            }
        }
    }
}
