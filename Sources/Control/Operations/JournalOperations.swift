import Backend
import Basics
import CivilTime
import Conditions
import Crypto
import Engine
import HTTPMessage
import Handshakes
import JSON
import Journal
import Worlds

/// The journal (control contract, section 11).
enum JournalOperations {
    private static let filters = [
        Parameter("method", in: .query, .string(), "The method"),
        Parameter("path", in: .query, .string(), "A path, a glob (* one segment, ** many) or a route template"),
        Parameter(
            "status",
            in: .query,
            .string(pattern: "^(0|[1-9]([0-9]{2}|xx))$"),
            "The status, or a class such as 4xx; 0 for requests without a response"
        ),
        Parameter("user", in: .query, .string(), "The e-mail or id of the credential's user"),
        Parameter("since", in: .query, .integer(minimum: 0), "Only entries with a larger seq"),
        Parameter(
            "before",
            in: .query,
            .integer(minimum: 0),
            "Only entries with a smaller seq; paging by the smallest seq of each page never shifts"
        ),
        Parameter(
            "q",
            in: .query,
            .string(minLength: 1, maxLength: JournalSelection.longestText),
            "Only entries with this text in path, query, a header or a body; ASCII letters match in either case"
        ),
    ]

    private static let views = [
        Parameter(
            "view",
            in: .query,
            .string(enumeration: JournalSelection.View.allCases.map(\.rawValue)),
            "whole, the default, or line: short entries without headers and bodies, 500 at a time unless limit says else"
        ),
        Parameter("fields", in: .query, .string(), "Only these members of the view, comma-separated, and id and seq"),
    ]

    static let all: [ControlOperation] = [
        ControlOperation(
            .get,
            "/requests",
            "Lists the exchanges of the world, newest first",
            parameters: filters + views,
            isList: true,
            answers: [Schemas.answer("Requests", Schemas.list(Schemas.listedEntry), "The exchanges")],
            act: { call throws(Problem) in try list(call).reply }
        ),
        ControlOperation(
            .get,
            "/requests.har",
            "Returns the same exchanges as an HTTP archive, oldest first",
            parameters: filters,
            isList: true,
            answers: [Schemas.answer("HTTPArchive", Schemas.archive, "HAR 1.2, as browsers import it")],
            act: { call throws(Problem) in try archive(call).reply }
        ),
        ControlOperation(
            .get,
            "/requests/{id}",
            "Returns an exchange",
            parameters: [Parameter("id", in: .path, .string(), "The journal's key")],
            answers: [Schemas.answer("Request", Schemas.entry, "The exchange")],
            act: { call throws(Problem) in
                let journal = call.emulator.journal(of: try call.world())
                let id = call.parameters[0]
                let api = call.api.map { call.emulator.apis[$0].identity.name }
                return ControlJob.Work(isShort: journal.isShort, .searches) { (_: Wanted) throws(Problem) in
                    guard let found = journal.hashed.entry(of: id, api: api) else {
                        throw Problem(
                            .notFound,
                            "The journal has no exchange \"\(id.cut)\"; it drops the oldest when full."
                        )
                    }
                    return ControlAnswer.json(EntryView.whole.json(found))
                }.reply
            }
        ),
        ControlOperation(
            .get,
            "/journal",
            "Returns how full the world's journal is, over all APIs on every port",
            answers: [Schemas.answer("Journal", Schemas.journal, "The journal's size and limits")]
        ) { call throws(Problem) in
            let journal = try call.world().world.journal
            let range = journal.range
            func number(_ seq: UInt64?) -> JSON { seq.map { .integer(Int64(clamping: $0)) } ?? .null }
            return ControlAnswer.json([
                "from": number(range?.lowerBound), "to": number(range?.upperBound),
                "entries": .integer(Int64(journal.count)), "bytes": .integer(Int64(journal.bytes)),
                "limitBytes": .integer(Int64(journal.capacity)), "dropped": .integer(Int64(journal.dropped)),
            ])
        },
        ControlOperation(
            .delete,
            "/requests",
            "Clears the journal",
            answers: [AnswerDeclaration(.noContent, "Cleared", .none)]
        ) { call throws(Problem) in
            let hosted = try call.world()
            call.emulator.clearJournal(of: hosted, only: call.api)
            call.emulator.noteChange(.requests, .deleted, api: call.scope, in: hosted)
            return ControlAnswer.nothing
        },
    ]

    private static func archive(_ call: ControlCall) throws(Problem) -> ControlJob.Work {
        let hosted = try call.world()
        let journal = call.emulator.journal(of: hosted)
        let notes = hosted.world.notes.notes
        let selection = try JournalSelection(call)
        var urls: [String: String] = [:]
        for (place, api) in call.emulator.apis.enumerated() { urls[api.identity.name] = call.origins.apis[place] }
        let hubPort = call.origins.ports.first
        return ControlJob.Work(isShort: journal.isShort) { [urls, version = call.version] wanted in
            let (places, total) = selection.places(in: journal.hashed, wanted)
            return JournalArchive.response(
                places.reversed().lazy.prefix { _ in wanted.holds }.compactMap(\.entry),
                urls: urls,
                hubPort: hubPort,
                version: version,
                total: total,
                notes: notes
            )
        }
    }

    private static func list(_ call: ControlCall) throws(Problem) -> ControlJob.Work {
        let journal = call.emulator.journal(of: try call.world())
        let selection = try JournalSelection(call, hasViews: true)
        return ControlJob.Work(isShort: journal.isShort) { wanted in
            let view = selection.view
            let (places, total) = selection.places(in: view.needsDigests ? journal.hashed : journal.entries, wanted)
            var writer = PieceWriter()
            writer.append(text: "{\"items\":")
            writer.append(rows: places.lazy.prefix { _ in wanted.holds }.compactMap { $0.entry.map { view.json($0) } })
            writer.append(text: "}")
            return writer.response(total: total)
        }
    }
}
