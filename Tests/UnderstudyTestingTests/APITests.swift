import Testing
import Understudy
import UnderstudyTesting

/// The public names of the APIs are those of the catalogue.
@Test func `each API of the build has a public name`() {
    #expect(API.allCases.map(\.rawValue) == APICatalogue.names)
}
