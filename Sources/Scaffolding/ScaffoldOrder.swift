package import Backend
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

    /// An OpenAPI document, followed by the files that it refers to.
    package var document: [Source] = []
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
    var isEmpty: Bool { document.isEmpty && archives.isEmpty && mappings == nil && tables.isEmpty }
}
