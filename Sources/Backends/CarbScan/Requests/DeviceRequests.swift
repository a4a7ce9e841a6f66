import Backend

/// A body with either token; if it has both, `deviceToken` counts (D29).
struct DeviceToken: RequestModel {
    var token = ""

    static let shape = RequestSchema<Self>(
        "DeviceToken",
        [
            .requiredFirst(of: ["deviceToken", "expoPushToken"], .string(.filled, .atMost(4_096, .utf16))) {
                $0.token = $1
            }
        ]
    )
}

struct DeviceRegistration: RequestModel {
    var device = DeviceToken()
    var platform = ""
    var deviceModel: String?
    var osVersion: String?
    var appVersion: String?
    var userId: String?

    static let shape = RequestSchema<Self>(
        "DeviceRegistration",
        DeviceToken.shape.members.map { $0.within(\.device) } + [
            .required("platform", .string(.filled, .oneOf(["ios", "android"]))) { $0.platform = $1 },
            .optional("deviceModel", .string(.atMost(100, .utf16))) { $0.deviceModel = $1 },
            .optional("osVersion", .string(.atMost(100, .utf16))) { $0.osVersion = $1 },
            .optional("appVersion", .string(.atMost(100, .utf16))) { $0.appVersion = $1 },
            .optional("userId", .string()) { $0.userId = $1 },
        ]
    )
}
