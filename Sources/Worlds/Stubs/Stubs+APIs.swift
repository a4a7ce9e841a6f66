import Backend
package import Conditions
import Journal

extension StubRegistry {
    /// The stubs of the files of all APIs, as every world begins with them.
    package static func seeded(_ apis: [AnyAPI]) -> StubRegistry {
        var book = StubRegistry()
        for api in apis {
            for stub in api.hooks.seedStubs { book.add(stub.spec, .file(stub.file), isEnabled: stub.isEnabled) }
        }
        return book
    }
}

extension StubContext {
    /// The context of an API.
    package init(_ api: AnyAPI, scope: String? = nil) {
        self.init(
            api: api.identity.name,
            scope: scope,
            isBuiltIn: api.isBuiltIn,
            states: api.hooks.declaredStates,
            hasFiles: api.hooks.stubFiles != nil,
            file: { api.hooks.stubFiles?[$0] }
        )
    }
}
