package import HTTPMessage
package import JSON

extension HTTPRequest {
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
        return try readJSON(ReadBody.Manner(options: options, isMended: false))
    }

    /// The body as JSON, whatever its bytes: what is no UTF-8 is replaced before it is read.
    package func mendedJSON(allowsBOM: Bool = false) throws(JSONSyntaxError) -> JSON {
        let options = JSONReader.Options(maxDepth: bounds.depth(), maxValues: bounds.values, allowBOM: allowsBOM)
        return try readJSON(ReadBody.Manner(options: options, isMended: true))
    }

    /// What a worker has read in that manner, or what is read now.
    private func readJSON(_ manner: ReadBody.Manner) throws(JSONSyntaxError) -> JSON {
        if let known = reading as? ReadBody, known.manner == manner { return try known.result.get() }
        return try manner.read(body.bytes)
    }
}

/// A body as a worker has read it.
package struct ReadBody: Sendable {
    /// How a body is read.
    package struct Manner: Sendable, Equatable {
        var options: JSONReader.Options
        /// Whether what is no UTF-8 is replaced first.
        var isMended: Bool

        func read(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSON {
            if isMended { return try JSONReader.read(text: String(decoding: bytes, as: UTF8.self), options: options) }
            return try JSONReader.read(bytes, options: options)
        }
    }

    let manner: Manner
    let result: Result<JSON, JSONSyntaxError>

    init(_ manner: Manner, _ bytes: [UInt8]) {
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
