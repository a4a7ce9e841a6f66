import Backend
import CivilTime
import Conditions
import Engine
import HTTPMessage
import JSON
import Journal
import OmniChat
import Understudy
import Worlds

/// An error while the test bed is prepared; the figure of a refused request would be meaningless.
enum BedError: Error {
    case seedShape(String)
    case refused(String, Int)
    case noToken
}

/// An emulator of OmniChat alone with the built-in seed and any number of further messages, and requests to it.
final class Bed {
    static let listPath = "/api/v1/conversations"
    static let sendPath = "/api/v1/conversations/conv_empty_0000000001/messages"

    let apis: [AnyAPI]
    let emulator: Emulator
    let hostTime = HostTime(wall: Instant(seconds: 1_760_000_000), monotonic: Instant(seconds: 1_000))
    private var exchange: UInt64 = 0

    init(rows: Int) throws {
        apis = [try AnyAPI(OmniChatAPI.definition, seed: Self.seed(adding: rows))]
        emulator = Emulator(apis: apis, configuration: EmulatorConfiguration(), at: hostTime)
        if let main = emulator[world: WorldName.main] {
            _ = apis[0].writeSettings(&main.world, 0, ["rateLimits": "off"])
        }
    }

    /// The built-in seed with that many messages more, a hundred to a conversation of another user.
    private static func seed(adding rows: Int) throws -> SeedFiles {
        var seed = try SeedSource.builtIn.files(api: "omnichat")
        var conversations: [String] = []
        var messages: [String] = []
        for row in 0..<rows {
            let conversation = "conv_bench_\(row / 100)"
            if row % 100 == 0 {
                conversations.append(
                    #"{"id":"\#(conversation)","userId":"user_empty_account_01","title":"Bench","model":"gpt-4o-mini","#
                        + #""isArchived":false,"createdAt":"T0-P9D","updatedAt":"T0-P9D"}"#
                )
            }
            messages.append(
                #"{"id":"msg_bench_\#(row)","conversationId":"\#(conversation)","role":"user","content":"A line.","#
                    + #""isComplete":true,"tokensGenerated":0,"createdAt":"T0-P8D"}"#
            )
        }
        for (name, added) in [("conversations.json", conversations), ("messages.json", messages)] where !added.isEmpty {
            guard let place = seed.files.firstIndex(where: { $0.name == name }),
                let end = seed.files[place].bytes.lastIndex(of: UInt8(ascii: "]"))
            else { throw BedError.seedShape(name) }
            let file = seed.files[place]
            var bytes = file.bytes
            bytes.replaceSubrange(end..., with: Array(",\(added.joined(separator: ","))]".utf8))
            seed.files[place] = SeedFiles.File(name: file.name, place: file.place, bytes: bytes)
        }
        return seed
    }

    /// A request as a client would send it.
    static func request(
        _ method: HTTPMethod,
        _ path: String,
        token: String? = nil,
        world: String? = nil,
        body: String = ""
    ) -> HTTPRequest {
        var fields: Fields = [.host: "127.0.0.1:4683"]
        if let token { fields.append(.authorization, "Bearer \(token)") }
        if let world { fields.append("X-Understudy-World", world) }
        if !body.isEmpty { fields.append(.contentType, "application/json") }
        return HTTPRequest(
            head: RequestHead(method: method, target: RequestTarget(rawPath: path), fields: fields),
            body: RequestBody(Array(body.utf8))
        )
    }

    /// The way of a request through the core: its address, its answer, its end.
    @inline(never)
    func answer(_ request: HTTPRequest) -> Response? {
        guard let address = emulator.address(of: request.head, entryPoint: .api(0)) else { return nil }
        exchange += 1
        let answer = emulator.answer(
            request,
            address: address,
            api: 0,
            peer: "127.0.0.1",
            exchange: exchange,
            at: hostTime
        )
        emulator.finish(exchange, outcome: .delivered, timings: JournalEntry.Timings(), contentSent: nil)
        return answer.response
    }

    /// The same, but a refusal is an error.
    func success(_ request: HTTPRequest) throws -> [UInt8] {
        guard let response = answer(request), response.status == .ok else {
            throw BedError.refused(request.head.target.rawPath, 0)
        }
        return response.body.content
    }

    /// Signs the documented user in, in `main` or in another world.
    func signIn(world: String? = nil) throws -> String {
        let bytes = try success(
            Self.request(.post, "/api/v1/auth/apple", world: world, body: #"{"idToken":"mock_apple_token"}"#)
        )
        guard let token = try JSONReader.read(bytes)["accessToken"]?.stringValue else { throw BedError.noToken }
        return token
    }

    /// A fresh copy of `main` under that name in the place of a former one.
    func fork(as name: String) throws {
        if emulator[world: name] != nil { _ = try emulator.deleteWorld(name) }
        var order = Emulator.WorldOrder()
        order.name = name
        order.from = WorldName.main
        _ = try emulator.makeWorld(order, at: hostTime)
    }
}
