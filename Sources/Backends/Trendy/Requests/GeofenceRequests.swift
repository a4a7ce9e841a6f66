import Backend
import JSON

/// Contract, section 10.8.
struct NewGeofence: RequestModel {
    var id = ""
    var change = GeofenceChange()

    static let shape = RequestSchema<Self>(
        "NewGeofence",
        [.required("id", .uuid) { $0.id = $1 }]
            + [
                .required("name", .filled) { $0.name = $1 },
                .required("latitude", GeofenceChange.latitude) { $0.latitude = $1 },
                .required("longitude", GeofenceChange.longitude) { $0.longitude = $1 },
                .required("radius", GeofenceChange.radius) { $0.radius = $1 },
            ].map { (member: RequestSchema<GeofenceChange>.Member) in member.within(\.change) }
            + GeofenceChange.links.map { $0.within(\.change) }
    )
}

/// A change of a geofence; absent and null members keep their values.
struct GeofenceChange: RequestModel {
    var name = ""
    var latitude: Double?
    var longitude: Double?
    var radius: Double?
    var entryTypeId: String?
    var exitTypeId: String?
    var isActive: Bool?
    var notifyOnEntry: Bool?
    var notifyOnExit: Bool?
    var regionIdentifier: String?

    static let shape = RequestSchema<Self>(
        "GeofenceChange",
        [
            .optional("name", .string()) { $0.name = $1 },
            .optional("latitude", latitude) { $0.latitude = $1 },
            .optional("longitude", longitude) { $0.longitude = $1 },
            .optional("radius", radius) { $0.radius = $1 },
        ] + links
    )

    static let latitude = RequestValue.number(in: -90...90)
    static let longitude = RequestValue.number(in: -180...180)
    /// The radius in metres.
    static let radius = RequestValue.number(in: 50...10_000)

    /// The members that are optional in a new geofence too.
    fileprivate static let links: [RequestSchema<Self>.Member] = [
        .optional("event_type_entry_id", .uuid) { $0.entryTypeId = $1 },
        .optional("event_type_exit_id", .uuid) { $0.exitTypeId = $1 },
        .optional("is_active", .boolean) { $0.isActive = $1 },
        .optional("notify_on_entry", .boolean) { $0.notifyOnEntry = $1 },
        .optional("notify_on_exit", .boolean) { $0.notifyOnExit = $1 },
        .optional("ios_region_identifier", .string()) { $0.regionIdentifier = $1 },
    ]
}
