/// Why a state folder can't be used: what to tell the user.
package struct StateStoreError: Error, Sendable, Equatable {
    /// The file or the folder.
    package let path: String
    package let reason: String
}
