import Backend
package import Conditions
import Journal

extension StubBook {
    /// The stubs of the files of all APIs, as every world begins with them.
    package static func seeded(_ apis: [AnyAPI]) -> StubBook {
        var book = StubBook()
        for api in apis {
            for stub in api.seedStubs { book.add(stub.spec, .file(stub.file), isEnabled: stub.isEnabled) }
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
            states: api.declaredStates,
            hasFiles: api.hasStubFiles,
            file: { api.stubFile($0) }
        )
    }
}
