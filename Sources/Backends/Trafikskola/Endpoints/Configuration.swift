import Backend
import CivilTime
import HTTPMessage
import JSON

extension TrafikskolaAPI {
    private static let configSchema: JSONSchema = {
        let versions = Schemas.object([("ios", Schemas.text), ("android", Schemas.text)])
        let flags = ["bookings", "lms", "quiz", "certificates", "korklar", "invoices", "profile", "offlineMode"]
        return Schemas.object([
            ("appEnabled", .boolean), ("maintenanceMode", .boolean), ("minVersion", versions),
            ("latestVersion", versions), ("features", Schemas.object([], optional: flags.map { ($0, .boolean) })),
            (
                "branding",
                Schemas.object(
                    ["appName", "tagline", "iosAppStoreUrl", "androidPlayStoreUrl"].map { ($0, Schemas.text) }
                )
            ),
            (
                "push",
                Schemas.object(
                    ["enabled", "bookingReminders", "lessonAvailable", "paymentReminders"].map { ($0, .boolean) }
                )
            ),
            (
                "sync",
                Schemas.object(
                    ["intervalMinutes", "offlineRetentionDays", "maxOfflineBookings"].map { ($0, .integer()) }
                )
            ),
        ])
    }()

    private static let appConfigSchema: JSONSchema = {
        let flags = [
            "enableBookings", "enableLms", "enableLessons", "enableQuiz", "enableCertificates", "enableKorklar",
            "enableInvoices", "enableProfile", "enableOfflineMode",
        ]
        let data = Schemas.object([
            ("domain", Schemas.text), ("apiBaseUrl", Schemas.text),
            ("theme", Schemas.object(theme.map { ($0.0, .string(pattern: "^#[0-9A-F]{6}$")) })),
            (
                "branding",
                Schemas.object(
                    ["logoUrl", "iconUrl", "splashImageUrl", "schoolName", "tagline", "loaderType"]
                        .map { ($0, Schemas.text) }
                )
            ),
            ("contact", Schemas.object(["email", "phone", "address", "website"].map { ($0, Schemas.text) })),
            ("features", Schemas.object([], optional: flags.map { ($0, .boolean) })),
        ])
        return Schemas.object(
            [("success", .boolean), ("data", data)],
            optional: [("enabledFeatures", .array(Schemas.text))]
        )
    }()

    private static let theme = [
        ("primaryColor", "#000000"), ("secondaryColor", "#DC2626"), ("backgroundColor", "#FFFFFF"),
        ("textColor", "#000000"), ("accentColor", "#DC2626"), ("cardBackground", "#F9FAFB"),
        ("errorColor", "#DC2626"), ("successColor", "#10B981"), ("warningColor", "#F59E0B"),
    ]

    /// Endpoints 3 and 4 (contract, sections 5.1 and 5.2).
    static let configurationEndpoints: [TrafikskolaEndpoint] = [
        Endpoint(
            .get,
            "/api/mobile/config",
            "The app's configuration for a school",
            provenance: .documented,
            authentication: .none,
            parameters: [
                query("domain", .described(Schemas.filled, example: "localhost"), required: true, "The school's domain")
            ],
            answers: [
                AnswerDeclaration(
                    .ok,
                    "The configuration",
                    .json(
                        name: "ConfigAnswer",
                        schema: Schemas.object([("success", .boolean), ("data", configSchema)]),
                        contentType: "application/json"
                    )
                ),
                APIError.validation("domain", "is required").declared("domain missing or empty"),
                APIError.schoolNotFound.declared("No school's domain"),
            ] + publicErrors,
            metadata: EndpointMetadata(disturbance: .config)
        ) { state, _, call throws(APIError) in
            let domain = call.query.last("domain") ?? ""
            guard !domain.trimmed.isEmpty else { throw .validation("domain", "is required") }
            try checkDomain(domain, state, call)
            return json(
                JSON.object(["success": true, "data": config(state.settings)]).serialized(),
                status: .ok
            )
        },
        Endpoint(
            .get,
            "/api/app-config",
            "The school's look, addresses and feature flags",
            provenance: .documented,
            authentication: .none,
            answers: [
                AnswerDeclaration(
                    .ok,
                    "The configuration; enabledFeatures beside data (decision 19)",
                    .json(name: "AppConfigAnswer", schema: appConfigSchema, contentType: "application/json")
                ),
                APIError.internalError.declared("Injected"),
            ],
            metadata: EndpointMetadata(needsSecret: false)
        ) { state, core, call throws(APIError) in
            json(JSON.object(appConfig(state, core, call)).serialized(), status: .ok)
        },
    ]

    private static func config(_ settings: TrafikskolaSettings) -> JSON {
        let isFilled = settings.storeURLs == .filled
        return [
            "appEnabled": .bool(settings.appEnabled),
            "maintenanceMode": .bool(settings.maintenance != .off),
            "minVersion": ["ios": .string(settings.minVersion), "android": .string(settings.minVersion)],
            "latestVersion": ["ios": .string(settings.latestVersion), "android": .string(settings.latestVersion)],
            "features": FeatureFlags(settings).config,
            "branding": [
                "appName": "Din Trafikskola HLM",
                "tagline": "Drive with confidence",
                "iosAppStoreUrl": isFilled ? "https://apps.apple.com/se/app/din-trafikskola-hlm/id0000000000" : "",
                "androidPlayStoreUrl": isFilled
                    ? "https://play.google.com/store/apps/details?id=se.dintrafikskolahlm.app" : "",
            ],
            "push": [
                "enabled": true, "bookingReminders": true, "lessonAvailable": true, "paymentReminders": true,
            ],
            "sync": ["intervalMinutes": 30, "offlineRetentionDays": 30, "maxOfflineBookings": 50],
        ]
    }

    private static func appConfig(_ state: TrafikskolaState, _ core: WorldCore, _ call: Call) -> JSONObject {
        let origin = origin(state, call)
        let pictures = pictureOrigin(state, core, call)
        let flags = FeatureFlags(state.settings)
        let path = state.settings.apiBaseURL == .short ? "/api" : "/api/mobile"
        let data: JSON = [
            "domain": .string(SchoolDomain.document),
            "apiBaseUrl": .string(origin + path),
            "theme": .object(JSONObject(theme.map { JSONObject.Member(name: $0.0, value: .string($0.1)) })),
            "branding": [
                "logoUrl": .string(pictures + "/logo.png"),
                "iconUrl": .string(pictures + "/icon.png"),
                "splashImageUrl": .string(pictures + "/splash.png"),
                "schoolName": "Din Trafikskola HLM",
                "tagline": "Drive with confidence",
                "loaderType": "spinner",
            ],
            "contact": [
                "email": "info@dintrafikskolahlm.se",
                "phone": "+46 123 456 789",
                "address": "Example Street 123, Stockholm",
                "website": "https://dintrafikskolahlm.se",
            ],
            "features": flags.appConfig,
        ]
        var answer: JSONObject = ["success": true, "data": data]
        if let enabled = flags.enabled { answer.append("enabledFeatures", .array(enabled.map { .string($0) })) }
        return answer
    }
}
