package import APIFolders
package import Backend
package import Conditions
package import OpenAPI
package import Repeats
package import Worlds

/// A custom API as its folder declares it (own-API contract, section 3).
package struct CustomAPIDefinition: Sendable {
    /// The name of the folder.
    package var name: String
    package var title: String
    package var version = "1.0.0"
    package var description = ""
    /// The port that `api.json` asks for, and the hosts that the forward proxy has it answer for.
    package var port: Int?
    package var hosts: [String] = []
    package var errors = ErrorForm()
    package var validation = CustomAPISettings.Validation.report
    /// Tells whether examples of the document that break their schema are passed over.
    package var omitsBrokenExamples = false
    /// The named states in the order in which they are declared.
    package var states: [NamedState] = []
    /// The tables in the order of their names.
    package var tables: [TableDefinition] = []
    package var resources: [ResourceDefinition] = []
    /// The table of those who sign in; nil without sign-in.
    package var users: Int?
    /// The sign-in; nil if the API has none, and asks for no token.
    package var signIn: SignIn?
    /// The routes of sign-in, resources and operations: sources 2, 3 and 5 (own-API contract, section 4).
    package var routes: [CustomRoute] = []
    /// The checks between the choice of a route and its source: the token, then the request validation.
    package var checks: [any RequestCheck] = []
    /// The folder's OpenAPI document; nil without one.
    package var document: OpenAPIDocument?
    /// The settings beside those that every custom API has.
    package var settings: [SettingDeclaration<CustomAPIState>] = []
    package var scenarios: [Scenario] = []
    /// The stubs of the files, in their order.
    package var stubs: [SeedStub] = []
    /// The contents below `files/` by their paths in it; nil for an API without a folder.
    package var files: [String: [UInt8]]?
    package var recordings = RecordingSettings()
    package var slashes = Slashes.either
    /// The idempotency keys; nil where requests have none.
    package var idempotency: IdempotencyKeys?
    /// The addresses of resumable uploads.
    package var uploads: [UploadProtocol] = []
    /// The state of a new world.
    package var seed = CustomAPIState()

    package init(name: String) {
        self.name = name
        title = name
    }

    /// Returns the place of a table; nil if there is none of that name.
    package func table(named name: String) -> Int? { tables.firstIndex { $0.name == name } }
}

/// A named state of a custom API (own-API contract, section 10).
package struct NamedState: Sendable, Equatable {
    package var name: String
    /// The values; each world begins with the first.
    package var values: [String]

    package init(name: String, values: [String]) {
        self.name = name
        self.values = values
    }
}
