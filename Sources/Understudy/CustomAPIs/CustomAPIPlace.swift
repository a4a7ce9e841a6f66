/// The folder of a custom API, or its name alone (own-API contract, section 1).
package struct CustomAPIPlace: Sendable, Equatable {
    /// The API's name, which is that of the folder.
    package let name: String
    /// The path of the folder as the user gave it; nil for an API that only has a name.
    package let folder: String?

    package init(name: String, folder: String?) {
        self.name = name
        self.folder = folder
    }
}
