package import Backend
package import JSON
package import Recording

/// The sources of a new API's folder, read by the shell.
package struct ScaffoldOrder: Sendable {
    /// A file that was read.
    package struct Source: Sendable {
        /// The path that problems name, as the user wrote it.
        package var place: String
        /// The path below the folder that the user named.
        package var name: String
        package var bytes: [UInt8]
        /// Reads the files beside it.
        package var attachments: HARAttachments?

        package init(place: String, name: String, bytes: [UInt8], attachments: HARAttachments? = nil) {
            self.place = place
            self.name = name
            self.bytes = bytes
            self.attachments = attachments
        }
    }

    /// The parts of a folder that are kept.
    package struct Present: Sendable {
        /// The members of `api.json`; nil without the file.
        package var api: JSONObject?
        /// The names of the tables that have a file.
        package var tables: [String]

        package init(api: JSONObject?, tables: [String]) {
            self.api = api
            self.tables = tables
        }
    }

    /// An OpenAPI document, followed by the files that it refers to.
    package var document: [Source] = []
    /// Tells whether tables, resources and sign-in are made of the document.
    package var proposes = true
    /// The tables whose rows would not be taken, with the reasons.
    package var refusedRows: [String: String] = [:]
    /// The parts that are in the folder already; nil for a new one.
    package var present: Present?
    /// The file of json-server.
    package var database: Source?
    /// HTTP archives.
    package var archives: [Source] = []
    /// Globs of the hosts whose entries of archives are taken over; empty for all.
    package var hosts: [String] = []
    /// The files below WireMock's `mappings`, in their order; nil without an import.
    package var mappings: [Source]?
    /// The files below WireMock's `__files`.
    package var bodies: [Source] = []
    /// The files beside the sources that belong to none or can't be read, with the reasons.
    package var ignored: [SeedError.Item] = []
    /// The names of tables to begin with.
    package var tables: [String] = []
    /// Tells whether archives lose their secrets.
    package var redacts = true

    package init() {}

    /// Tells whether no source is named.
    var isEmpty: Bool { document.isEmpty && archives.isEmpty && mappings == nil && tables.isEmpty && database == nil }
}
