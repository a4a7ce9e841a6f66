import Backend
import CivilTime
import Conditions
import Crypto
import Engine
import HTTPMessage
import HTTPWire
import JSON
import Journal
import Worlds

/// Measures the parts of the benchmark's request, each alone.
func measureRequest() throws {
    let bed = try Bed(rows: 0)
    let token = try bed.signIn()
    let list = Bed.request(.get, Bed.listPath, token: token)
    let content = try bed.success(list)
    let rounds = 60
    let times = 500

    var answers = Stopwatch()
    for _ in 0..<rounds {
        answers.time(per: times) {
            for _ in 0..<times { _ = bed.answer(list) }
        }
    }
    answers.report("answer")

    try measureWire(token: token, content: content, rounds: rounds, times: times)

    let json = try JSONReader.read(content)
    var writing = Stopwatch()
    var written = 0
    for _ in 0..<rounds {
        writing.time(per: times) {
            for _ in 0..<times { written &+= json.serialized().count }
        }
    }
    guard written == content.count * rounds * times else { throw BedError.refused("JSON", written) }
    writing.report("json")

    let key = HMACKey(secret: Array("a secret of the bench, 32 bytes.".utf8))
    let payload = try JWT.Parts(parsing: token).payloadBytes
    let signed = JWT.signed(header: Array(#"{"alg":"HS256"}"#.utf8), payload: payload, key: .hs256(key))
    var verifying = Stopwatch()
    var good = 0
    for _ in 0..<rounds {
        verifying.time(per: times) {
            for _ in 0..<times {
                if let parts = try? JWT.Parts(parsing: signed), JWT.verifyHS256(parts, key: key) { good += 1 }
            }
        }
    }
    guard good == rounds * times else { throw BedError.noToken }
    verifying.report("jwt")
}

/// The bytes of the request through the protocol, and the answer's back.
private func measureWire(token: String, content: [UInt8], rounds: Int, times: Int) throws {
    let bytes = Array(
        "GET \(Bed.listPath) HTTP/1.1\r\nHost: 127.0.0.1:4683\r\nAuthorization: Bearer \(token)\r\n\r\n".utf8
    )
    let now = Instant(seconds: 1_000)
    let date = Array("Thu, 09 Oct 2025 08:53:20 GMT".utf8)
    let response = Response(
        status: .ok,
        fields: [
            .contentType: "application/json", "X-RateLimit-Limit": "100", "X-RateLimit-Remaining": "100",
            "X-RateLimit-Reset": "2025-10-09T08:54:20.000Z", .requestID: "req_1",
        ],
        body: .bytes(content)
    )
    var machine = ConnectionMachine(limits: WireLimits(), now: now)
    var output: [UInt8] = []
    output.reserveCapacity(16 * 1024)
    var reading = Stopwatch()
    var sending = Stopwatch()
    var requests = 0
    // One request at a time, as a connection has them; the clock is read twice for each, which is some 50 ns.
    for _ in 0..<rounds * times / 5 {
        reading.time {
            machine.received(bytes, now: now)
            while let event = machine.nextEvent(now: now) {
                switch event {
                case .head:
                    machine.admit(.init(bodyLimit: 1_048_576, drainLimit: 1_048_576), now: now, into: &output)
                case .request:
                    requests += 1
                    return
                case .refused, .closeConnection: return
                }
            }
        }
        sending.time { _ = machine.send(response: response, now: now, date: date, into: &output) }
        output.removeAll(keepingCapacity: true)
    }
    guard requests == rounds * times / 5 else { throw BedError.refused("wire", requests) }
    reading.report("head")
    sending.report("send")
}
