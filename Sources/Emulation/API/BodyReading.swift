import HTTPMessage
import JSON

/// The way an API reads the bodies of its requests.
package struct BodyReading: Sendable {
    /// The depth that its own contract has a number for.
    var depth: Int?
    /// Whether what is no UTF-8 is replaced first.
    var isMended: Bool
    var allowsBOM: Bool

    package init(depth: Int? = nil, isMended: Bool = false, allowsBOM: Bool = false) {
        self.depth = depth
        self.isMended = isMended
        self.allowsBOM = allowsBOM
    }

    func manner(_ bounds: BodyBounds) -> ReadBody.Manner {
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
