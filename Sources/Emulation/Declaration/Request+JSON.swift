package import HTTPMessage
package import JSON

extension Request {
    /// The body as JSON, no deeper and of no more values than it may be (control contract, section 17).
    ///
    /// Every API and the control calls read their bodies here. `ownDepth` is the number of the API's own contract, if it
    /// has one.
    package func json(
        ownDepth: Int? = nil,
        allowsDuplicateNames: Bool = true,
        allowsBOM: Bool = false
    ) throws(JSONSyntaxError) -> JSON {
        let options = JSONReader.Options(
            maxDepth: bounds.depth(own: ownDepth),
            maxValues: bounds.values,
            allowDuplicateNames: allowsDuplicateNames,
            allowBOM: allowsBOM
        )
        return try JSONReader.read(body.bytes, options: options)
    }

    /// The body as JSON, whatever its bytes: what is no UTF-8 is replaced before it is read.
    package func mendedJSON(allowsBOM: Bool = false) throws(JSONSyntaxError) -> JSON {
        try JSONReader.read(
            text: String(decoding: body.bytes, as: UTF8.self),
            options: JSONReader.Options(maxDepth: bounds.depth(), maxValues: bounds.values, allowBOM: allowsBOM)
        )
    }
}
