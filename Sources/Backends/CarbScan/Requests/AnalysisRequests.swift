import Backend

struct AnalysisRequest: RequestModel {
    struct Metadata: RequestModel {
        static let shape = RequestSchema<Self>(
            "PhotoMetadata",
            ["deviceModel", "osVersion", "appVersion", "captureTimestamp", "lighting", "cameraFacing"].map {
                .optional($0, .string(.atMost(200, .utf16))) { _, _ in }
            }
        )
    }

    var photo = Photo()

    static let shape = RequestSchema<Self>(
        "AnalysisRequest",
        [
            .required("imageBase64", .string(.filled)) { $0.photo = Photo(base64: $1) },
            .optional("metadata", .object(Metadata.self)) { _, _ in },
        ]
    )
}
