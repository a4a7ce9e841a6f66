/// The stretch of old pixels that one new pixel covers, with whole-numbered shares.
///
/// With `old` pixels on `new` ones, an old pixel is `new` units long and a new pixel `old` units: all borders are whole.
struct AveragingSpan {
    /// The first and the last old pixel that is touched.
    let first: Int
    let last: Int
    private let firstWeight: UInt64
    private let lastWeight: UInt64
    private let fullWeight: UInt64

    /// The number of units of the new pixel that the old one at `position` fills.
    func weight(of position: Int) -> UInt64 {
        if position == first { return firstWeight }
        return position == last ? lastWeight : fullWeight
    }

    /// The spans of all new pixels; `new` is at most `old`, and both at least 1.
    static func spans(of old: Int, in new: Int) -> [AveragingSpan] {
        (0..<new).map { index in
            let start = index * old
            let end = start + old
            let first = start / new
            let last = (end - 1) / new
            let firstEnd = min(end, (first + 1) * new)
            return AveragingSpan(
                first: first,
                last: last,
                firstWeight: UInt64(firstEnd - start),
                lastWeight: UInt64(end - last * new),
                fullWeight: UInt64(new)
            )
        }
    }
}
