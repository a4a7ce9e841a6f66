import Backend

struct StoredID: ResponseModel {
    var id: String

    static let shape = ResponseSchema<Self>("StoredId", [.string("storageId") { $0.id }])
}
