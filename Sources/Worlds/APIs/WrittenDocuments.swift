import Basics

/// OpenAPI documents in serialised form, by name; written on any thread.
package final class WrittenDocuments: Sendable {
    private let documents = Locked<[String: [UInt8]]>([:])

    package init() {}

    package subscript(name: String) -> [UInt8]? {
        get { documents.withLock { $0[name] } }
        set { documents.withLock { $0[name] = newValue } }
    }
}
