import Backend
import CivilTime
import Conditions
import Crypto
import HTTPMessage
import JSON
import Worlds

/// The notes as a custom API: with states, a folder of files, stubs of files and a check before stubs.
///
/// Everything else is that of the notes.
enum CustomNotes {
    /// What its folder declares.
    struct Folder: Sendable {
        var states: [(name: String, values: [String])] = []
        var files: [String: [UInt8]] = [:]
        /// The text of the stub files with their names.
        var stubs: [(file: String, text: String)] = []
        /// The token that every request has to carry; nil where none is asked for.
        var token: String?
    }

    static func api(_ folder: Folder) throws -> AnyAPI {
        let context = StubContext(
            api: NotesAPI.definition.identity.name,
            states: folder.states,
            hasFiles: true,
            file: { folder.files[$0] }
        )
        var hooks = APIHooks()
        hooks.source = .folder
        hooks.declaredStates = folder.states
        hooks.stubFiles = folder.files
        for file in folder.stubs {
            hooks.seedStubs += SeedStub.read(try JSONReader.read(text: file.text), file: file.file, context).stubs
        }
        hooks.admitStub = { _, _, call, isOpen in
            guard let token = folder.token, !isOpen, call.bearerToken != token else { return nil }
            return Response(status: .unauthorized, body: .bytes(Array("no token".utf8)))
        }
        hooks.templateUser = { _, _, call in call.bearerToken.map { ["role": .string($0)] } }
        // States are kept with the counters of the world, so that they belong to it.
        hooks.state = { name, world, _ in
            guard let state = folder.states.first(where: { $0.name == name }) else { return nil }
            return state.values[Int(world.core.counters.last("notes.state.\(name)"))]
        }
        hooks.setState = { name, value, world, _ in
            guard let state = folder.states.first(where: { $0.name == name }),
                let place = state.values.firstIndex(of: value)
            else { return }
            world.withCore { core in
                while core.counters.last("notes.state.\(name)") % UInt64(state.values.count) != UInt64(place) {
                    _ = core.counters.next("notes.state.\(name)")
                }
            }
        }
        return try AnyAPI(NotesAPI.definition, seed: NotesAPI.seedFiles(), hooks: hooks)
    }
}
