import Backend
import JSON

/// Contract, section 10.5.
struct NewEventType: RequestModel {
    var id: String?
    var name = ""
    var color = ""
    var icon = ""

    static let shape = RequestSchema<Self>(
        "NewEventType",
        [
            .optional("id", .uuid) { $0.id = $1 },
            .required("name", .filled) { $0.name = $1 },
            .required("color", .filled) { $0.color = $1 },
            .required("icon", .filled) { $0.icon = $1 },
        ]
    )
}

/// A change of an event type; absent, null and empty members keep their values.
struct EventTypeChange: RequestModel {
    var name = ""
    var color = ""
    var icon = ""

    static let shape = RequestSchema<Self>(
        "EventTypeChange",
        [
            .optional("name", .string()) { $0.name = $1 },
            .optional("color", .string()) { $0.color = $1 },
            .optional("icon", .string()) { $0.icon = $1 },
        ]
    )
}
