import Foundation
import Recording

/// The archives of Tests/Vectors/har, and ways to read them.
enum Archives {
    static func bytes(_ name: String) throws -> [UInt8] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return Array(try Data(contentsOf: folder.appendingPathComponent("Vectors/har/\(name).har")))
    }

    /// Reads an archive in pieces of that length.
    static func read(
        _ bytes: [UInt8],
        pieces: Int = .max,
        limit: Int = 1 << 27
    ) throws -> (entries: [HARStreamReader.Found], reader: HARStreamReader) {
        var reader = HARStreamReader(limit: limit)
        var found: [HARStreamReader.Found] = []
        var place = 0
        while place < bytes.count {
            let end = min(bytes.count - place, pieces) + place
            found += try reader.feed(bytes[place..<end])
            place = end
        }
        try reader.finish()
        return (found, reader)
    }

    static func fault(_ text: String) -> HARError? {
        do {
            _ = try read(Array(text.utf8))
            return nil
        } catch let fault as HARError {
            return fault
        } catch {
            return nil
        }
    }
}
