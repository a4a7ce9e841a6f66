/// A network with its numbers, under the name that iOS developers know from the Network Link Conditioner (control
/// contract, section 9).
package struct LatencyProfile: Sendable, Equatable {
    package let name: String
    /// The milliseconds before the first byte of each response: the delays of both directions together.
    package let delay: Double
    /// The bytes of content per second towards the client; nil without a limit.
    package let bytesPerSecond: Int?
    /// The bytes of content per second from the client; nil without a limit.
    package let uploadBytesPerSecond: Int?
    /// The probability that a packet is lost, in each direction.
    package let loss: Double

    /// The milliseconds that a lost packet costs, until the first retransmission (RFC 6298 section 2).
    package static let retransmission = 1_000.0
    /// The number of losses in a row that count at most.
    static let mostLosses = 8

    /// Every profile, the fastest first.
    ///
    /// The numbers are those of Apple's tool. `high-latency-dns` delays each response, because a server sees no
    /// look-ups. `100-loss` lets nothing through.
    package static let all: [LatencyProfile] = [
        LatencyProfile(name: "wifi", delay: 2, bytesPerSecond: 5_000_000, uploadBytesPerSecond: 4_125_000, loss: 0),
        LatencyProfile(name: "lte", delay: 115, bytesPerSecond: 6_250_000, uploadBytesPerSecond: 1_250_000, loss: 0),
        LatencyProfile(name: "dsl", delay: 10, bytesPerSecond: 250_000, uploadBytesPerSecond: 32_000, loss: 0),
        LatencyProfile(name: "3g", delay: 200, bytesPerSecond: 97_500, uploadBytesPerSecond: 41_250, loss: 0),
        LatencyProfile(name: "edge", delay: 840, bytesPerSecond: 30_000, uploadBytesPerSecond: 25_000, loss: 0),
        LatencyProfile(name: "high-latency-dns", delay: 3_000, bytesPerSecond: nil, uploadBytesPerSecond: nil, loss: 0),
        LatencyProfile(
            name: "very-bad-network",
            delay: 1_000,
            bytesPerSecond: 125_000,
            uploadBytesPerSecond: 125_000,
            loss: 0.1
        ),
        LatencyProfile(name: "100-loss", delay: 0, bytesPerSecond: nil, uploadBytesPerSecond: nil, loss: 1),
    ]

    /// The name that clears the latency.
    package static let none = "none"

    /// One line for people: `200 ms, 97500 bytes/s`.
    package var summary: String {
        guard loss < 1 else { return "nothing arrives" }
        var parts = ["\(Int(delay)) ms"]
        if let bytesPerSecond { parts.append("\(bytesPerSecond) bytes/s") }
        if let uploadBytesPerSecond { parts.append("\(uploadBytesPerSecond) bytes/s up") }
        if loss > 0 { parts.append("\(Int((loss * 100).rounded())) % loss each way") }
        return parts.joined(separator: ", ")
    }
}
