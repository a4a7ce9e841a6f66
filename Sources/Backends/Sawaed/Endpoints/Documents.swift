import APIDocs
import Backend
import HTTPMessage
import JSON

/// Contract, section 11.
extension SawaedAPI {
    private static let documentPath = "/api/mobile/openapi.json"

    static let documentEndpoints: [SawaedEndpoint] = [
        Endpoint(
            .get,
            documentPath,
            "The OpenAPI document",
            provenance: .documented,
            authentication: .none,
            bodyLimit: bodyLimit,
            answers: [
                AnswerDeclaration(
                    .ok,
                    "OpenAPI 3.0.3",
                    .json(name: "OpenAPIDocument", schema: .object(.init()), contentType: "application/json")
                )
            ],
            metadata: EndpointMetadata(area: .documents, failure: "openapi_failed")
        ) { _, _, call throws(APIError) in
            var document = openAPIDocument
            document["servers"] = .array([["url": .string(call.origin)]])
            return json(JSON.object(document).serialized())
        },
        Endpoint(
            .get,
            "/api/mobile/docs",
            "The documentation page",
            provenance: .documented,
            authentication: .none,
            bodyLimit: bodyLimit,
            answers: [
                AnswerDeclaration(.ok, "A page that works offline", .text(contentType: "text/html; charset=utf-8"))
            ],
            metadata: EndpointMetadata(area: .documents, failure: "docs_failed")
        ) { _, _, call throws(APIError) in
            var response = DocumentationPage.response(
                DocumentationPage.Subject(
                    title: identity.title,
                    version: identity.version,
                    description: identity.description,
                    pagePath: "/api/mobile/docs",
                    documentPath: documentPath,
                    routes: documentedRoutes
                )
            )
            // Only chat limits how long a response may be cached (section 2.1).
            response.fields.remove(.cacheControl)
            return response
        },
    ]

    /// Rows 1 to 46 of the contract's table, which the document describes.
    private static var documentedRoutes: [RouteSummary] {
        endpoints.filter {
            switch $0.metadata.area {
            case .storage, .documents: false
            default: $0.provenance == .documented || $0.provenance == .beyondTheDocument
            }
        }
        .map { endpoint in
            var route = RouteSummary(endpoint)
            // The backend's document lifts the bearer on all of its auth routes.
            if endpoint.metadata.area == .auth { route.authentication = .none }
            return route
        }
    }

    /// The document without its servers, which depend on the caller.
    private static let openAPIDocument: JSONObject = {
        let document = OpenAPIDescription(
            title: identity.title,
            version: identity.version,
            description: identity.description,
            servers: [],
            routes: documentedRoutes
        )
        return document.document303(securityScheme: "bearerAuth", bearerFormat: "JWT").objectValue ?? JSONObject()
    }()
}
