import Backend

/// The facts about an API that the reading of a stub depends on.
package struct StubContext: Sendable {
    /// The name of the API.
    package var api: String
    /// The name that the call or the file implies; nil where the stub has to say it.
    package var scope: String?
    /// Tells whether the API came with the build: it has no states and no access of its own to open.
    package var isBuiltIn: Bool
    /// The declared states with their values.
    package var states: [(name: String, values: [String])]
    /// Returns the content of a file of the API's folder; nil for one that is not there.
    package var file: @Sendable (String) -> [UInt8]?
    /// Tells whether the API has a folder.
    package var hasFiles: Bool

    /// Creates the context of an API that is still being read.
    package init(
        api: String,
        scope: String? = nil,
        isBuiltIn: Bool = false,
        states: [(name: String, values: [String])] = [],
        hasFiles: Bool = false,
        file: @escaping @Sendable (String) -> [UInt8]? = { _ in nil }
    ) {
        self.api = api
        self.scope = scope
        self.isBuiltIn = isBuiltIn
        self.states = states
        self.hasFiles = hasFiles
        self.file = file
    }
}
