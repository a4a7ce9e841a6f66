import Basics

extension JudgementReport {
    /// The report as one page that needs nothing else.
    package var html: String {
        func text(_ text: String) -> String { ShownText.clean(text).escapedForHTML }
        var page = """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
            <meta name="color-scheme" content="light dark"><title>Conduct: \(verdict.rawValue)</title>
            <style>body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}\
            article{border:1px solid #8886;border-radius:6px;padding:0 1rem;margin:1rem 0}\
            dt{font-weight:600}td,th{text-align:left;padding:.2rem 1rem .2rem 0}</style></head><body>
            <h1>Conduct: \(verdict.rawValue)</h1><p>\(text(verdictLine))</p>

            """
        if !missing.isEmpty { page += "<p>Required and not exercised: \(text(missing.joined(separator: ", ")))</p>\n" }
        if !findings.isEmpty { page += "<h2>Findings</h2>\n" }
        for finding in findings {
            let level = finding.isLeft ? finding.severity.rawValue : "suppressed"
            page += "<article><h3>\(level): \(text(finding.title))</h3><p><code>\(text(finding.name))</code></p><dl>"
            let place = [finding.world, finding.target].compactMap { $0 }.joined(separator: " ")
            let rows = [
                ("Where", place), ("Seen", finding.seen), ("Expected", finding.expected), ("Why", finding.why),
                ("Fix", finding.fix),
                ("Requests", finding.requests.joined(separator: ", ")), ("Count", "\(finding.count)"),
                ("Fingerprint", finding.fingerprint),
            ]
            for (name, value) in rows { page += "<dt>\(name)</dt><dd>\(text(value))</dd>" }
            page += "</dl>"
            for source in finding.source {
                let title = text(source.title)
                page += "<p>" + (source.url.map { "<a href=\"\(text($0))\">\(title)</a>" } ?? title) + "</p>"
            }
            page += "</article>\n"
        }
        page += "<h2>Rules</h2><table><tr><th>rule</th><th>status</th><th>judged</th><th></th></tr>\n"
        for rule in rules {
            let note = rule.reason ?? rule.exercisedBy.joined(separator: ", ")
            page += "<tr><td>\(text(rule.id))</td><td>\(rule.status.rawValue)</td><td>\(rule.judged)</td>"
            page += "<td>\(text(note))</td></tr>\n"
        }
        page += "</table>\n"
        if !allow.isEmpty {
            page += "<h2>Allow-list</h2><ul>"
            for result in allow {
                page += "<li>\(text(result.entry.rule)): \(result.state.rawValue) (\(text(result.entry.reason)))</li>"
            }
            page += "</ul>\n"
        }
        if !gone.isEmpty {
            page += "<h2>Gone from the baseline</h2><ul>"
            for entry in gone { page += "<li>\(text("\(entry.rule) \(entry.route)"))</li>" }
            page += "</ul>\n"
        }
        return page + "</body></html>\n"
    }
}
