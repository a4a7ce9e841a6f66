import Certificates
import CivilTime
import Handshakes
import Testing

@testable import Transport

/// A client and an engine that talk through memory.
final class TLSPair {
    static let authority: Authority = {
        do {
            return try Authority.make(owner: "a@b", now: TimeSource.system.wall())
        } catch {
            preconditionFailure("\(error)")
        }
    }()

    let server: TLSServer
    let engine: TLSEngine
    let client: TLSClient
    var now = TimeSource.system.wall()
    /// The steps that say more than that the handshake goes on.
    private(set) var steps: [TLSEngine.Step] = []
    private(set) var received: [UInt8] = []
    /// Everything that the engine has sent.
    private(set) var sent: [UInt8] = []
    private(set) var handshakeSteps = 0
    private var delivered = 0
    private var buffer = [UInt8](repeating: 0, count: 16 * 1024)

    init(
        _ server: TLSServer? = nil,
        api: String = "sawaed",
        peer: String = "127.0.0.1",
        _ change: (inout TLSClient.Settings) -> Void = { _ in }
    ) {
        self.server = server ?? Self.server()
        engine = TLSEngine(self.server, TLSEngine.Route(api: api, peer: peer, localAddress: "127.0.0.1"))
        var settings = TLSClient.Settings()
        settings.root = Self.authority.root
        change(&settings)
        client = TLSClient(settings)
    }

    static func server(seed: UInt64 = 1) -> TLSServer {
        TLSServer(.authority(LeafCache(authority)), seed: seed)
    }

    var text: String { String(decoding: received, as: UTF8.self) }

    var failure: HandshakeFailure? { server.log.failures.first }

    /// Takes steps of the engine until nothing is left to do.
    func turn() {
        while true {
            let isHandshaking = engine.isHandshaking
            let step = buffer.withUnsafeMutableBytes { engine.step(into: $0, at: .init(monotonic: now, wall: now)) }
            if isHandshaking, step != .idle { handshakeSteps += 1 }
            engine.takeOutput(into: &sent)
            switch step {
            case .idle: return
            case .working: continue
            case .bytes(let count): received += buffer[..<count]
            case .established: steps.append(step)
            case .end, .broken, .failed:
                // An end stays one.
                if steps.last != step { steps.append(step) }
                return
            }
        }
    }

    /// Passes bytes between both until neither has any.
    ///
    /// - Parameter piece: The most bytes that arrive at once.
    func run(piece: Int = .max) {
        for _ in 0..<100 {
            client.take(Array(sent[delivered...]))
            delivered = sent.count
            let bytes = client.output()
            var rest = bytes[...]
            while !rest.isEmpty {
                engine.received(rest.prefix(piece), now: now)
                rest = rest.dropFirst(piece)
                turn()
            }
            if bytes.isEmpty {
                turn()
                if sent.count == delivered { return }
            }
        }
        Issue.record("the exchange does not end")
    }

    /// Sends text of the application to the client.
    func reply(_ text: String) {
        #expect(engine.write(Array(text.utf8)[...]))
        engine.takeOutput(into: &sent)
    }

    /// Ends the engine's direction.
    func endWriting() {
        engine.endWriting()
        engine.takeOutput(into: &sent)
    }
}
