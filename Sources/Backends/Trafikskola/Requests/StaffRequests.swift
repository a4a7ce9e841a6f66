import Backend
import JSON

/// Endpoint 46.
struct SessionTermination: RequestModel {
    var sessionId = ""

    static let shape = RequestSchema<Self>(
        "SessionTermination",
        [.required("sessionId", .filled) { $0.sessionId = $1 }]
    )
}

/// Endpoint 48.
struct DeviceSwitch: RequestModel {
    var deviceId = ""
    var isActive = true

    static let shape = RequestSchema<Self>(
        "DeviceSwitch",
        [.required("deviceId", .filled) { $0.deviceId = $1 }, .required("isActive", .boolean) { $0.isActive = $1 }]
    )
}

/// Endpoint 49.
struct PushOrder: RequestModel {
    var title = ""
    var text = ""
    var target = ""
    var targetId: String?
    var platform: String?
    var data: [Notification.Datum]?

    static let shape = RequestSchema<Self>(
        "PushOrder",
        [
            .required("title", .filled) { $0.title = $1 },
            .required("body", .filled) { $0.text = $1 },
            .required("targetType", .string(.notEmpty, .oneOf(["all", "user", "device", "platform"]))) {
                $0.target = $1
            },
            .optional("targetId", .string()) { $0.targetId = $1 },
            .optional("targetPlatform", .string(.oneOf(DeviceInfo.platforms))) { $0.platform = $1 },
            .rule { order, issues in
                if order.isNamed, order.targetId ?? "" == "" { issues.note("targetId", .missing) }
                if order.target == "platform", order.platform == nil { issues.note("targetPlatform", .missing) }
            },
            .optional("data", .members(.string())) { order, members in
                order.data = members.map { Notification.Datum(name: $0.name, value: $0.value) }
            },
        ]
    )

    /// Tells whether it goes to a user or a device that it names.
    var isNamed: Bool { target == "user" || target == "device" }
}
