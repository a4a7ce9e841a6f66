package import HTTPMessage
import JSON

/// The way an API reads the bodies of its requests.
package struct BodyReading: Sendable {
    /// The nesting limit of the API's own contract, if it sets one.
    var depth: Int?
    /// Tells whether invalid UTF-8 is replaced before the body is parsed.
    var isMended: Bool
    var allowsBOM: Bool

    package init(depth: Int? = nil, isMended: Bool = false, allowsBOM: Bool = false) {
        self.depth = depth
        self.isMended = isMended
        self.allowsBOM = allowsBOM
    }

    package func manner(_ bounds: BodyBounds) -> ReadBody.Manner {
        ReadBody.Manner(
            options: JSONReader.Options(
                maxDepth: bounds.depth(own: depth),
                maxValues: bounds.values,
                allowBOM: allowsBOM
            ),
            isMended: isMended
        )
    }
}
