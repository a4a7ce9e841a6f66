import Backend

struct ProfilePatch: RequestModel {
    var name: String?
    var imageUrl: String?

    static let shape = RequestSchema<Self>(
        "ProfilePatch",
        [
            // An empty text is invalid (section 8.2).
            .optional("name", .string()) { $0.name = $1.isEmpty ? nil : $1 },
            .optional("imageUrl", .string()) { $0.imageUrl = $1.isEmpty ? nil : $1 },
        ]
    )
}
