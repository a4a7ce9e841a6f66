import Engine

/// The long responses that are still being sent to slow readers.
///
/// Above a total size no new ones are made, so memory stays bounded however often they are requested.
///
/// Belongs to the loop's thread.
struct AnswersUnderWay {
    /// The number of bytes under way above which the next call waits.
    static let mostBytes = 256 * 1024 * 1024

    private var bytes = 0

    var isEmpty: Bool { bytes == 0 }

    /// Tells whether another response may be made.
    var hasRoom: Bool { bytes <= Self.mostBytes }

    /// Notes that a response of that many bytes is on its way to an exchange.
    mutating func note(_ count: Int, to exchange: Exchange) {
        guard count > 0 else { return }
        bytes += count - exchange.bytesUnderWay
        exchange.bytesUnderWay = count
    }

    /// Removes an exchange that is over; returns true if that made room.
    mutating func finished(_ exchange: Exchange) -> Bool {
        guard exchange.bytesUnderWay > 0 else { return false }
        bytes -= exchange.bytesUnderWay
        exchange.bytesUnderWay = 0
        return true
    }
}
