import Backend
import CivilTime
import HTTPMessage
import JSON

extension CarbScanAPI {
    static let generalEndpoints: [CarbScanEndpoint] = [
        Endpoint(
            .get,
            base + "/health",
            "Whether the server is up",
            provenance: .documented,
            authentication: .none,
            bodyLimit: bodyLimit,
            answers: [Envelope.declared(Health.self, "Up"), APIError.declaredTooLarge],
            metadata: EndpointMetadata()
        ) { state, _, call throws(APIError) in
            json(Health(serverTime: call.now), state, call)
        },
        Endpoint(
            .get,
            base + "/config",
            "Feature flags, limits and paths",
            provenance: .documented,
            authentication: .none,
            bodyLimit: bodyLimit,
            answers: [
                Envelope.declared(Config.self, "The configuration"),
                APIError.declaredTooLarge,
                configFailure.declared("By a fault or a switch"),
            ],
            metadata: EndpointMetadata(group: .config)
        ) { state, _, call throws(APIError) in
            if state.settings.failsConfig { throw configFailure }
            return json(Config(settings: state.settings), state, call)
        },
    ]

    private static let configFailure = APIError(
        .internalServerError,
        code: Code.config,
        "The configuration could not be loaded"
    )
}
