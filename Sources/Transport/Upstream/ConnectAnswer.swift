import HTTPMessage
import HTTPWire

/// The answer of a proxy to CONNECT, as its bytes arrive.
struct ConnectAnswer {
    private let authority: String
    private var parser = ResponseParser(isHead: true)

    /// Creates the answer to a request for a tunnel to a host and port.
    init(to authority: String) { self.authority = authority }

    /// Adds bytes; returns those behind the answer once the tunnel is open.
    mutating func received(_ bytes: ArraySlice<UInt8>) throws(UpstreamFailure) -> [UInt8]? {
        do throws(ResponseFault) {
            parser.received(bytes)
            guard case .head(let head)? = try parser.next() else { return nil }
            guard !(200..<300).contains(head.status.code) else { return parser.takeRest() }
            throw ResponseFault(Self.refusal(authority, head.status.code))
        } catch {
            throw UpstreamFailure(.answer, error.detail)
        }
    }

    private static func refusal(_ authority: String, _ status: Int) -> String {
        "it answered CONNECT \(authority) with \(status)" + (status == 407 ? ", since it wants other credentials" : "")
    }

    /// The failure of a tunnel whose proxy has closed the connection.
    func cut() -> UpstreamFailure {
        UpstreamFailure(.answer, "it closed the connection before it had answered CONNECT \(authority)")
    }
}
