import Backend
import CivilTime
import TestSupport
import Testing

/// Control contract, section 6, and `validate` in control contract, section 2: every problem
/// as `file:line: path: reason`.
@Suite struct SeedTests {
    private func errors(_ text: String) -> [String] {
        do throws(SeedError) {
            _ = try NotesAPI.seedFiles(text).table("notes.json", of: NotesAPI.Note.self)
            return []
        } catch {
            return error.items.map(\.text)
        }
    }

    @Test func `a table is read with its anchored times`() throws {
        let rows = try NotesAPI.seedFiles().table("notes.json", of: NotesAPI.Note.self)
        expectEqual(rows.map(\.id), ["n1", "n2"])
        expectEqual(rows[0].writtenAt, .sinceT0(.hours(-2)))
        expectEqual(rows[1].writtenAt, .sinceD0(.days(1)))
    }

    @Test func `every row's fault is listed with its line`() {
        let found = errors(
            """
            [
              {"id": "a", "owner": "o", "text": 1, "writtenAt": "T0"},
              {"id": "b", "owner": "o", "text": "t", "writtenAt": "T0"},
              {"id": "c", "owner": "o",
               "text": "t", "writtenAt": "later"},
              {"id": "d", "owner": "o", "writtenAt": "T0"}
            ]
            """
        )
        expectEqual(found.count, 3)
        #expect(found[0].hasPrefix("seeds/notes/notes.json:2: $[0].text: "))
        #expect(found[1].hasPrefix("seeds/notes/notes.json:5: $[2].writtenAt: "))
        #expect(found[2].hasPrefix("seeds/notes/notes.json:6: $[3].text: "))
    }

    @Test func `every unknown member of a row is listed, with the name that was meant`() {
        let found = errors(
            """
            [{"id": "a", "owner": "o", "text": "t", "writtenAt": "T0",
              "wirttenAt": "T0",
              "colour": "red"}]
            """
        )
        expectEqual(found.count, 2)
        expectEqual(found[0], #"seeds/notes/notes.json:2: $[0].wirttenAt: unknown member; did you mean "writtenAt"?"#)
        #expect(found[1].hasPrefix("seeds/notes/notes.json:3: $[0].colour: unknown member"))
    }

    @Test(
        arguments: [
            ("[\n\n{]", "seeds/notes/notes.json:3: $: "), ("", "seeds/notes/notes.json:1: $: "),
            ("{}", "seeds/notes/notes.json:1: $: expected an array of rows, found object"),
            ("[\n{\"id\": \"a\",\n \"id\": \"b\"}]", "seeds/notes/notes.json:3: $: "),
        ]
    )
    func `a file that is no table is refused with the place`(text: String, start: String) throws {
        let found = errors(text)
        expectEqual(found.count, 1)
        #expect(try #require(found.first).hasPrefix(start))
    }

    @Test func `a missing file is an error, or an empty table where it may be missing`() throws {
        let none = SeedFiles([])
        #expect(try none.table("x.json", of: NotesAPI.Note.self, isOptional: true).isEmpty)
        let error = #expect(throws: SeedError.self) { try none.table("x.json", of: NotesAPI.Note.self) }
        expectEqual(error?.items.map(\.text), ["x.json:1: $: the file is missing"])
    }

    @Test func `checks between tables collect every fault`() throws {
        var check = SeedCheck(files: NotesAPI.seedFiles())
        check.unique("notes.json", "id", ["n1", "n2"])
        check.known("notes.json", "owner", ["ada", nil], among: ["ada"], "user")
        try check.finish()
        check.unique("notes.json", "id", ["n1", "n1", "n1"])
        check.known("notes.json", "owner", ["ada", "bob", nil], among: ["ada"], "user")
        check.fault("other.json", 3, "x", "is wrong")
        let error = #expect(throws: SeedError.self) { try check.finish() }
        expectEqual(
            error?.items.map(\.text),
            [
                #"seeds/notes/notes.json:3: $[1].id: "n1" is taken by an earlier row"#,
                #"seeds/notes/notes.json:1: $[2].id: "n1" is taken by an earlier row"#,
                #"seeds/notes/notes.json:3: $[1].owner: there is no user "bob""#,
                "other.json:1: $[3].x: is wrong",
            ]
        )
    }
}
