import Foundation
import JSON
import TestSupport
import Testing

@testable import Traffic

/// Filters of exchanges (console contract, section 14), by the vectors that the console's tests read as well.
@Suite struct TrafficFilterTests {
    /// The line of a vector: the common one with the members of its own, of which null takes one out.
    private func line(_ vector: JSON, _ common: JSON) -> TrafficLine {
        var members = common.objectValue ?? JSONObject()
        for member in vector["line"]?.objectValue?.members ?? [] { members[member.name] = member.value }
        var line = TrafficLine(.object(members))
        line.isUnmatched = members["unmatched"] == true
        return line
    }

    @Test func `14 a filter takes and refuses what the vectors say`() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Vectors/filter.json")
        let vectors = try JSONReader.read(Array(Data(contentsOf: file)))
        let common = try #require(vectors["line"])
        let cases = try #require(vectors["cases"]?.arrayValue)
        #expect(cases.count > 300)
        for vector in cases {
            let text = try #require(vector["filter"]?.stringValue)
            do throws(FilterRefusal) {
                let filter = try TrafficFilter(text)
                expectNil(vector["refused"], text)
                if let takes = vector["takes"]?.boolValue {
                    expectEqual(filter.takes(line(vector, common)), takes, text)
                } else {
                    expectEqual(filter.phrase ?? "", vector["phrase"]?.stringValue ?? "", text)
                }
            } catch {
                expectEqual(error.description, vector["refused"]?.stringValue ?? "taken", text)
            }
        }
    }
}
