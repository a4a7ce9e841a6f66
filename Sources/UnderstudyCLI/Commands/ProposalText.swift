import Backend
import ClientCommands
import CustomAPIs
import HTTPMessage
import Scaffolding
import Traffic
import Understudy

/// The words about the parts that `new` made of a document (own-API contract, section 19).
enum ProposalText {
    /// The routes that are listed; a large API has more.
    private static let mostRoutes = 40

    /// The lines about a proposal: the parts, the user, the base path and the routes.
    static func lines(_ report: ProposalReport, _ definition: CustomAPIDefinition) -> [String] {
        var lines: [String] = []
        func add(_ title: String, _ items: [String]) {
            guard !items.isEmpty else { return }
            lines.append(title)
            lines += items.map { "  " + VisibleText.escaped($0) }
        }
        add("made of the document:", report.made)
        add("written with \"enabled\": false in api.json; look at these, and switch on what is right:", report.disabled)
        add("left to the document's samples:", report.samples)
        add("parameters that change nothing:", report.unfiltered)
        add("members that always have one value, since no placeholder has theirs:", report.constants)
        if let user = report.user {
            lines.append(
                "user: \(VisibleText.escaped(user.identifier)), password: \(VisibleText.escaped(user.password))"
            )
        }
        let base = report.basePath
        lines.append("base path: \(base.isEmpty ? "/" : VisibleText.escaped(base))")
        // As serve tells it, of this API alone.
        let port = definition.port ?? 4680 + CustomAPICatalogue.firstOffset
        lines.append("address: http://127.0.0.1:\(port), or http://127.0.0.1:4680/\(definition.name)")
        let width = definition.routes.map(\.method.rawValue.count).max() ?? 0
        var routes = definition.routes.prefix(mostRoutes).map { route in
            let method = route.method.rawValue + String(repeating: " ", count: width - route.method.rawValue.count)
            return "\(method) \(route.template) (\(words(route)))"
        }
        if definition.routes.count > mostRoutes {
            routes.append(
                "and \(definition.routes.count - mostRoutes) more: understudy routes --api \(definition.name)"
            )
        }
        add("routes:", routes)
        return lines
    }

    private static func words(_ route: CustomRoute) -> String {
        switch route.source {
        case .auth: "sign-in"
        case .resource: "resource"
        default: "sample"
        }
    }

    /// The command that makes the first call: it signs in, else it gets something.
    static func call(_ report: ProposalReport, _ definition: CustomAPIDefinition) -> String {
        let origin = "http://127.0.0.1:4680/\(definition.name)"
        if let signIn = report.signIn {
            let type = signIn.type.map { " -H " + CurlText.quoted("Content-Type: \($0)") } ?? ""
            return "curl -s \(CurlText.quoted(origin + signIn.path))\(type) -d \(CurlText.quoted(signIn.body))"
        }
        let gets = definition.routes.filter { $0.method == .get && !$0.template.contains("{") }
        guard let first = gets.first(where: { $0.source == .resource }) ?? gets.first else {
            return "understudy routes --api \(definition.name)"
        }
        return "curl -s \(CurlText.quoted(origin + first.template))"
    }
}
