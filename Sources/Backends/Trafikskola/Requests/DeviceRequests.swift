import Backend
import JSON

extension DeviceInfo: RequestModel {
    static let platforms = ["ios", "android", "web"]

    /// The members of `deviceInfo` in a sign-in (contract, section 2.6).
    static let shape = RequestSchema<Self>(
        "DeviceInfo",
        [
            .optional("deviceId", .string(.length(1...255))) { $0.deviceId = $1 },
            .optional("platform", .string(.oneOf(platforms))) { $0.platform = $1 },
            .optional("deviceName", .string()) { $0.deviceName = $1 },
            .optional("deviceModel", .string()) { $0.deviceModel = $1 },
            .optional("osVersion", .string()) { $0.osVersion = $1 },
            .optional("appVersion", .string()) { $0.appVersion = $1 },
            .optional("pushToken", .string()) { $0.pushToken = $1 },
        ]
    )
}

/// A registration (endpoint 18); the members besides the id are used if they are texts.
struct DeviceRegistration: RequestModel {
    var deviceId = ""
    var info = DeviceInfo()

    static let shape = RequestSchema<Self>(
        "DeviceRegistration",
        [
            .required("deviceId", .string(.notEmpty, .length(1...255))) { $0.deviceId = $1 },
            .optional("platform", lenient) { $0.info.platform = $1 },
            .optional("deviceName", lenient) { $0.info.deviceName = $1 },
            .optional("deviceModel", lenient) { $0.info.deviceModel = $1 },
            .optional("osVersion", lenient) { $0.info.osVersion = $1 },
            .optional("appVersion", lenient) { $0.info.appVersion = $1 },
            .optional("pushToken", lenient) { $0.info.pushToken = $1 },
        ]
    )

    private static let lenient = RequestValue<String>.string().orIgnored()
}

/// The end of a registration (endpoint 19).
struct DeviceUnregistration: RequestModel {
    var deviceId = ""

    static let shape = RequestSchema<Self>(
        "DeviceUnregistration",
        [.required("deviceId", .filled) { $0.deviceId = $1 }]
    )
}
