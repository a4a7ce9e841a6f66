import Backend
import CivilTime

/// Section 7.1.
struct Health: ResponseModel {
    var serverTime: Instant

    static let shape = ResponseSchema<Self>(
        "Health",
        [
            .string("status", oneOf: ["healthy"]) { _ in "healthy" },
            .time("serverTime") { .at($0.serverTime) },
            .string("apiVersion", oneOf: [Envelope.version]) { _ in Envelope.version },
        ]
    )
}

/// Section 7.2.
struct Config: ResponseModel {
    struct Features: ResponseModel {
        var settings: CarbScanSettings

        static let shape = ResponseSchema<Self>(
            "ConfigFeatures",
            [
                .boolean("aiChat") { $0.settings.aiChat },
                .boolean("mealScanning") { $0.settings.mealScanning },
                .boolean("insights") { $0.settings.insights },
                .boolean("offlineMode") { $0.settings.offlineMode },
            ]
        )
    }

    struct Limits: ResponseModel {
        var settings: CarbScanSettings

        static let shape = ResponseSchema<Self>(
            "ConfigLimits",
            [
                .integer("maxImageSize") { $0.settings.maximumImageBytes },
                .integer("maxChatMessageLength") { _ in CarbScanAPI.messageLimit },
            ]
        )
    }

    struct Paths: ResponseModel {
        static let shape = ResponseSchema<Self>(
            "ConfigEndpoints",
            [
                .string("analyze") { _ in CarbScanAPI.base + "/analyze" },
                .string("chat") { _ in CarbScanAPI.base + "/chat" },
                .string("meals") { _ in CarbScanAPI.base + "/meals" },
                .string("sync") { _ in CarbScanAPI.base + "/meals/sync" },
            ]
        )
    }

    var settings: CarbScanSettings

    static let shape = ResponseSchema<Self>(
        "Config",
        [
            .object("features") { Features(settings: $0.settings) },
            .object("limits") { Limits(settings: $0.settings) },
            .object("endpoints") { _ in Paths() },
        ]
    )
}
