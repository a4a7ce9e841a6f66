package import HTTPMessage
package import JSON

extension HTTPRequest {
    /// Returns the body as JSON, within the limits of depth and number of values (control contract, section 17).
    ///
    /// Every API and the control calls read their bodies here. `ownDepth` is the limit of the API's own contract, if it
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
        return try readJSON(ReadBody.Manner(options: options, isMended: false))
    }

    /// Returns the body as JSON, with invalid UTF-8 replaced first.
    package func mendedJSON(allowsBOM: Bool = false) throws(JSONSyntaxError) -> JSON {
        let options = JSONReader.Options(maxDepth: bounds.depth(), maxValues: bounds.values, allowBOM: allowsBOM)
        return try readJSON(ReadBody.Manner(options: options, isMended: true))
    }

    /// Returns what a worker has read with the same options, or reads the body now.
    private func readJSON(_ manner: ReadBody.Manner) throws(JSONSyntaxError) -> JSON {
        if let known = reading as? ReadBody, known.manner == manner { return try known.result.get() }
        return try manner.read(body.bytes)
    }
}

/// A body as a worker has read it.
package struct ReadBody: Sendable {
    /// The options by which a body is read.
    package struct Manner: Sendable, Equatable {
        var options: JSONReader.Options
        /// Tells whether invalid UTF-8 is replaced before the body is parsed.
        var isMended: Bool

        func read(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSON {
            if isMended { return try JSONReader.read(text: String(decoding: bytes, as: UTF8.self), options: options) }
            return try JSONReader.read(bytes, options: options)
        }
    }

    let manner: Manner
    package let result: Result<JSON, JSONSyntaxError>

    package init(_ manner: Manner, _ bytes: [UInt8]) {
        self.manner = manner
        do throws(JSONSyntaxError) {
            result = .success(try manner.read(bytes))
        } catch {
            result = .failure(error)
        }
    }
}

extension ReadBody {
    /// A control body, as `Request.json` reads it without duplicate names.
    package init(_ request: HTTPRequest, depth: Int, values: Int) {
        self.init(
            Manner(
                options: JSONReader.Options(maxDepth: depth, maxValues: values, allowDuplicateNames: false),
                isMended: false
            ),
            request.body.bytes
        )
    }
}
