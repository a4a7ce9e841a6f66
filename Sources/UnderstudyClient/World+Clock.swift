public import Foundation

/// The clock of the world (control contract, section 5).
extension World {
    /// The body of PUT clock.
    struct ClockSetting: Encodable, Sendable {
        var mode: String
        var now: String?
        var rate: Double?

        init(mode: String, now: Date? = nil, rate: Double? = nil) {
            self.mode = mode
            self.now = now.map(World.text)
            self.rate = rate
        }

        init(_ clock: UnderstudyServer.Clock) {
            switch clock {
            case .real: self.init(mode: "real")
            case .running(let date): self.init(mode: "offset", now: date)
            case .frozen(let date): self.init(mode: "frozen", now: date)
            }
        }
    }

    private struct ClockAnswer: Decodable {
        var now: String
        var fired: Int?
    }

    static func text(_ date: Date) -> String {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return date.formatted(style)
    }

    /// The present time of the world.
    public var now: Date {
        get async throws(ControlError) {
            let text = try await client.get("/clock", as: ClockAnswer.self).now
            guard let date = try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)) else {
                throw .unreachable("not a time: \(text)")
            }
            return date
        }
    }

    /// Freezes the clock, at a moment or at the present one.
    public func freeze(at date: Date? = nil) async throws(ControlError) {
        try await client.send("PUT", "/clock", ClockSetting(mode: "frozen", now: date))
    }

    /// Sets the clock to a moment from which it runs, faster or slower with a rate.
    public func run(from date: Date, rate: Double? = nil) async throws(ControlError) {
        try await client.send("PUT", "/clock", ClockSetting(mode: "offset", now: date, rate: rate))
    }

    /// Advances the clock; everything due by then has happened when the call returns.
    ///
    /// - Returns: how many held answers came due.
    @discardableResult
    public func advance(by duration: Duration) async throws(ControlError) -> Int {
        let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
        return try await client.ask("POST", "/clock/advance", ["seconds": seconds], as: ClockAnswer.self).fired ?? 0
    }

    /// Advances the clock by days, the unit of token lifetimes and quotas.
    @discardableResult
    public func advance(days: Int) async throws(ControlError) -> Int { try await advance(by: .seconds(86_400 * days)) }
}
