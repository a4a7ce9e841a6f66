import Emulation

/// The long answers that are on their way to slow readers: while they hold too much no more are made, so that memory stays
/// bounded whoever asks how often.
///
/// Belongs to the loop's thread.
struct AnswersUnderWay {
    /// Bytes of answers under way beyond which the next call waits.
    static let mostBytes = 256 * 1024 * 1024

    private var bytes = 0

    var isEmpty: Bool { bytes == 0 }

    /// Whether another may be made.
    var hasRoom: Bool { bytes <= Self.mostBytes }

    /// An answer of that many bytes is on its way to an exchange.
    mutating func note(_ count: Int, to exchange: Exchange) {
        guard count > 0 else { return }
        bytes += count - exchange.bytesUnderWay
        exchange.bytesUnderWay = count
    }

    /// An exchange is over; true if that made room.
    mutating func finished(_ exchange: Exchange) -> Bool {
        guard exchange.bytesUnderWay > 0 else { return false }
        bytes -= exchange.bytesUnderWay
        exchange.bytesUnderWay = 0
        return true
    }
}
