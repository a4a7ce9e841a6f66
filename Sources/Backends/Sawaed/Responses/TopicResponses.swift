import Backend

struct TopicItem: ResponseModel {
    var id: String
    var name: String
    var category: String

    static let shape = ResponseSchema<Self>(
        "TopicItem",
        [.string("id") { $0.id }, .string("name") { $0.name }, .string("category") { $0.category }]
    )
}

struct TopicItems: ResponseModel {
    var items: [TopicItem]

    static let shape = ResponseSchema<Self>("TopicItems", [.array("items") { $0.items }])
}
