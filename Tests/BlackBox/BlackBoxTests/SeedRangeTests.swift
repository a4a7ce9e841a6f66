import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, sections 2 and 6: the numbers of somebody's own seeds are held to the ranges of imports.
@Suite struct SeedRangeTests {
    private func seeds(_ api: String) throws -> Folder {
        let folder = try Folder()
        for file in try Checkout.seeds(api) where !file.name.contains("/") {
            try folder.write("seeds/\(api)/\(file.name)", String(decoding: file.bytes, as: UTF8.self))
        }
        return folder
    }

    /// A table with another value at a member of its first row that has it.
    private func change(_ folder: Folder, _ api: String, _ file: String, _ path: [JSONPathElement], _ value: JSON)
        throws
        -> Int
    {
        let url = folder.url.appendingPathComponent("seeds/\(api)/\(file)")
        let rows = try JSONReader.read(Array(try Data(contentsOf: url))).arrayValue ?? []
        let row = try #require(rows.firstIndex { $0.value(at: path) != nil }, "\(file)")
        var lines = rows.map(\.text)
        lines[row] = rows[row].putting(value, at: path[...]).text
        try folder.write("seeds/\(api)/\(file)", "[\n" + lines.joined(separator: ",\n") + "\n]")
        return row
    }

    @Test(
        arguments: [
            ("sawaed", "profiles.json", ["completionPercentage"], 101, "must be from 0 to 100"),
            ("sawaed", "assessments.json", ["level"], 1 << 31, "must be from -2147483648 to 2147483647"),
            ("sawaed", "events.json", ["capacity"], (1 << 53) + 1, "must be from -2^53 to 2^53"),
            ("carbscan", "meals.json", ["confidence"], 101, "must be from 0 to 100"),
            ("omnichat", "usage.json", ["batteryUsed"], (1 << 53) + 1, "must be from 0 to 2^53"),
            ("omnichat", "usage.json", ["models", 0, "count"], -1, "must be from 0 to 2^53"),
            ("omnichat", "users.json", ["battery", "totalBalance"], -(1 << 54), "must be from -2^53 to 2^53"),
            ("trafikskola", "bookings.json", ["duration"], -1, "must be from 0 to 2147483647"),
            ("trafikskola", "lesson-types.json", ["price"], 2_000_000_000_000, "must be from -1000000000000 to"),
            ("trafikskola", "theory-sessions.json", ["totalSpots"], 1 << 31, "must be from 0 to 2147483647"),
            ("trendy", "geofences.json", ["latitude"], 91, "must be from -90 to 90"),
            ("trendy", "insights.json", ["sampleSize"], (1 << 53) + 1, "must be from -2^53 to 2^53"),
        ] as [(String, String, [JSONPathElement], Int64, String)]
    )
    func `6 a number out of its range is told as file, line, path and reason, and serves nobody`(
        api: String,
        file: String,
        path: [JSONPathElement],
        value: Int64,
        reason: String
    ) throws {
        let folder = try seeds(api)
        let row = try change(folder, api, file, path, .integer(value))
        let place = "seeds/\(api)/\(file):\(row + 2): $[\(row)]\(path.formattedJSONPath.dropFirst()): \(reason)"
        for target in ["seeds", "seeds/\(api)/\(file)"] {
            let result = try Program.run(["validate", target], in: folder)
            expectEqual(result.status, 1)
            #expect(result.output.split(separator: "\n").contains { $0.hasPrefix(place) }, "\(result.output)")
        }
        let served = try Program.run(["serve", "--port", "0", "--seeds", "seeds"], in: folder)
        expectEqual(served.status, 2)
        #expect(served.errors.contains(place), "\(served.errors)")
    }

    @Test func `6 every problem is told, and what lies at the limit is good`() throws {
        let folder = try seeds("trafikskola")
        _ = try change(folder, "trafikskola", "bookings.json", ["duration"], .integer(Int64(Int32.max)))
        try expectEqual(Program.run(["validate", "seeds"], in: folder).status, 0)
        _ = try change(folder, "trafikskola", "bookings.json", ["duration"], -1)
        _ = try change(folder, "trafikskola", "lesson-types.json", ["duration"], -1)
        _ = try change(folder, "trafikskola", "theory-sessions.json", ["takenSpots"], -1)
        let result = try Program.run(["validate", "seeds", "--json"], in: folder)
        let files = (result.json.arrayValue ?? []).compactMap { $0["file"]?.stringValue }
        #expect(files.count == 3 && Set(files).count == 3, "\(result.output)")
    }

    @Test func `6 what becomes a field line is a type that an upload can have`() throws {
        for (api, file, member) in [
            ("omnichat", "files.json", "fileType"), ("sawaed", "files.json", "contentType"),
            ("trafikskola", "avatars.json", "contentType"),
        ] {
            let folder = try seeds(api)
            let long = JSON.string(String(repeating: "x", count: 70_000))
            let row = try change(folder, api, file, [.key(member)], long)
            let result = try Program.run(["validate", "seeds"], in: folder)
            #expect(result.output.hasPrefix("seeds/\(api)/\(file):\(row + 2): $[\(row)].\(member): must "), "\(api)")
        }
    }
}
