/// The reason why a state folder can't be used, in words for the user.
package struct WorldStoreError: Error, Sendable, Equatable {
    /// The path of the file or the folder.
    package let path: String
    package let reason: String
}
