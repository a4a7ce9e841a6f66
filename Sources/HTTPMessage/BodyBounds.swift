/// The bounds on a request body's structure, apart from its length (control contract, section 17).
///
/// An API's own number counts as long as nothing is said here; of the two the smaller one counts.
package struct BodyBounds: Hashable, Sendable {
    /// The depth that applies where neither the API nor the command line sets one.
    package static let usualDepth = 64
    package static let usualParts = 100
    /// The limit of values in a body: more than any client sends, and few enough that reading them delays no other
    /// request.
    ///
    /// A body that is short in bytes may have ten million.
    package static let usualValues = 100_000

    /// Arrays and objects of a JSON body inside one another; nil if nothing is said.
    package var jsonDepth: Int?
    /// Values of a JSON body, arrays and objects among them; nil if nothing is said.
    package var jsonValues: Int?
    /// Parts of a multipart body; nil if nothing is said.
    package var multipartParts: Int?

    package init(jsonDepth: Int? = nil, jsonValues: Int? = nil, multipartParts: Int? = nil) {
        self.jsonDepth = jsonDepth
        self.jsonValues = jsonValues
        self.multipartParts = multipartParts
    }

    /// The maximum depth of a JSON body; `own` is the API's own number, if it has one.
    package func depth(own: Int? = nil) -> Int { Self.bound(jsonDepth, own, Self.usualDepth) }

    /// The maximum number of values in a JSON body.
    package var values: Int { jsonValues ?? Self.usualValues }

    /// The maximum number of parts in a multipart body; `own` is the API's own number, if it has one.
    package func parts(own: Int? = nil) -> Int { Self.bound(multipartParts, own, Self.usualParts) }

    private static func bound(_ said: Int?, _ own: Int?, _ usual: Int) -> Int {
        guard let own else { return said ?? usual }
        return min(said ?? own, own)
    }
}
