import JSON

/// Reads an OpenAPI document with the files that it refers to.
package struct OpenAPIReader {
    /// The document that was read, and the findings about it.
    package struct Reading: Sendable {
        /// Nil if there are errors.
        package let document: OpenAPIDocument?
        /// In the order of files and paths; those of one file up to the limit.
        package let errors: [DocumentFinding]
        package let notes: [DocumentFinding]
    }

    /// The members of `api.json` that concern the document.
    package struct Options: Sendable {
        /// The folder as the user gave it, which stands in front of each file's name.
        package var folder: String
        /// Takes the place of the path of the document's first server.
        package var basePath: String?
        /// Tells whether the API signs in, so that security schemes mean something.
        package var signsIn: Bool
        package var limits = DocumentLimits()

        package init(folder: String = "", basePath: String? = nil, signsIn: Bool = false) {
            self.folder = folder
            self.basePath = basePath
            self.signsIn = signsIn
        }
    }

    /// Reads the document of that name; `open` gives the content of the folder's files, by their paths within it.
    ///
    /// `open` is asked for paths below the folder only, without `..`, and for each once.
    package static func read(
        _ name: String,
        options: Options = Options(),
        open: (String) -> DocumentFile
    ) -> Reading {
        withoutActuallyEscaping(open) { open in
            var reading = DocumentReading(name, options, open)
            return reading.run()
        }
    }

    /// A file's name as the user would write it.
    static func shown(_ name: String, in folder: String) -> String {
        if folder.isEmpty { return name }
        return folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    }
}
