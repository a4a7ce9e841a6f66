import APIFolders
import Backend
import Control
import CustomAPIs
package import Proxying
import Recording
import Transport

/// The recordings in the folder of a custom API (own-API contract, section 18).
package struct CustomAPIRecordings: Sendable {
    /// The name of the API.
    package let api: String
    /// The folder that holds them.
    package let folder: String
    private let paths: [String]
    private let settings: RecordingSettings
    private let slashes: Slashes

    /// The ending of a recording that a newer one has replaced, which answers no more.
    private static let replaced = ".previous.har"

    init(_ files: CustomAPIFolder, _ definition: CustomAPIDefinition) {
        api = files.name
        folder = "\(files.place)/recordings"
        paths = files.files(in: "recordings", ending: ".har").map(\.place).filter { !$0.hasSuffix(Self.replaced) }
        settings = definition.recordings
        slashes = definition.slashes
    }

    /// Reads the recordings; nil if there are none.
    package func prepared(api index: Int) throws(RecordingError) -> ModePreparation? {
        // An empty file is one that `record` has just begun.
        let paths = paths.filter { (try? DataFile.reading($0))?.size != 0 }
        guard !paths.isEmpty else { return nil }
        var order = ModeOrder(api: index, mode: .replay)
        order.miss = .emulate
        order.failsWhenExhausted = settings.failsWhenExhausted
        order.speed = settings.speed
        order.ignoredHeaders = settings.ignoredHeaders
        order.ignoredQuery = settings.ignoredQuery
        order.ignoredBody = settings.ignoredBody
        order.refresh = settings.refresh
        order.slashes = slashes
        if settings.keepsLinks { order.links = .keep }
        return try ModePreparation.make(order, paths.map { .path($0) })
    }
}
