import Backend

struct Registered: ResponseModel {
    var deviceId: String

    static let shape = ResponseSchema<Self>(
        "Registered",
        [.boolean("registered") { _ in true }, .string("deviceId") { $0.deviceId }]
    )
}

struct Unregistered: ResponseModel {
    static let shape = ResponseSchema<Self>("Unregistered", [.boolean("unregistered") { _ in true }])
}
