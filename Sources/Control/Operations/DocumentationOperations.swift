import APIDocs
package import Backend
package import Engine
package import HTTPMessage
import JSON
import Worlds

/// The documentation pages, on which calls can be tried out (control contract, section 15).
enum DocumentationOperations {
    static let all: [ControlOperation] = [
        ControlOperation(
            .get,
            "/docs",
            "Returns this API's documentation page; on the hub, that of the control API",
            answers: [
                AnswerDeclaration(.ok, "The page", .text(contentType: "text/html; charset=utf-8")),
                AnswerDeclaration(Status(302), "For browsers on an API's port: the same page on the hub", .none),
            ]
        ) { call throws(Problem) in
            let api = call.api.map { call.emulator.apis[$0] }
            let head = call.request.head
            if let api, call.address.isControlOnAPIPort, head.asksForPage {
                // Control calls of pages are taken on the hub alone.
                let page = call.address.linkPrefix + "/docs/" + api.identity.name
                return Response(
                    status: Status(302),
                    fields: [.location: call.origins.hub(for: head) + page, .cacheControl: "no-store"]
                )
            }
            // Only `?api=` names an API that the address is not below.
            var mount = ""
            if let api, call.address.destination == .control(api: nil) { mount = "/\(api.identity.name)" }
            return DocumentationPage.response(
                subject(api, call.table, page: "/__admin/docs", mount: mount, asksAdminToken: call.asksAdminToken)
            )
        }
    ]

    /// Returns the page of an API, or that of the control API.
    static func subject(
        _ api: AnyAPI?,
        _ table: ControlTable,
        page: String,
        mount: String,
        asksAdminToken: Bool
    ) -> DocumentationPage.Subject {
        let document = api.map { OpenAPIDescription($0, servers: []) } ?? table.document(servers: [])
        return DocumentationPage.Subject(
            title: document.title,
            version: document.version,
            description: document.description,
            pagePath: page,
            documentPath: "/__admin/openapi/\(api?.identity.name ?? "control").json",
            mount: mount,
            makesTokens: api != nil,
            asksAdminToken: asksAdminToken,
            routes: document.routes
        )
    }
}

extension ControlAPI {
    /// Returns the hub's pages: `/docs` lists those of all APIs, and `/docs/NAME` is one of them; nil for other paths.
    package func documentationPage(_ address: Address, _ emulator: Emulator) -> Response? {
        let segments = address.path.segments
        guard segments.first == "docs", segments.count <= 2 else { return nil }
        guard segments.count == 2 else {
            let entries = emulator.apis.map { api in
                DocumentationPage.Entry(
                    name: api.identity.name,
                    title: api.identity.title,
                    description: api.identity.description,
                    operations: api.routes.count
                )
            }
            let control = table.document(servers: [])
            let own = DocumentationPage.Entry(
                name: "control",
                title: control.title,
                description: control.description,
                operations: control.routes.count
            )
            return DocumentationPage.index(entries + [own], prefix: address.linkPrefix)
        }
        let name = segments[1]
        let api = emulator.apis.first { $0.identity.name == name }
        guard api != nil || name == "control" else { return nil }
        var subject = DocumentationOperations.subject(
            api,
            table,
            page: "/docs/\(name)",
            mount: api == nil ? "" : "/\(name)",
            asksAdminToken: safety.adminToken != nil
        )
        subject.hubPrefix = address.linkPrefix
        return DocumentationPage.response(subject)
    }
}
