import CivilTime
import JSON

/// The bounds that the values of a condition set, as each type of a member reads them: the strictest of all.
struct OrderBounds {
    private let isLower: Bool
    private let includesBound: Bool
    private var bool = Bound<Int64>()
    private var integer = Bound<Int64>()
    private var fraction = Bound<Double>()
    private var number = Bound<Double>()
    private var time = Bound<Int64>()
    /// For each different text of the column, whether it is within the bounds, and whether it is where times are compared
    /// by their text.
    private var texts: [Bool] = []
    private var timeTexts: [Bool] = []

    /// The strictest of some values; one that is not of the type excludes every member of it.
    private struct Bound<Value: Comparable> {
        var value: Value?
        var isPossible = true

        mutating func take(_ other: Value?, isLower: Bool) {
            guard let other else {
                isPossible = false
                return
            }
            value = value.map { isLower ? max($0, other) : min($0, other) } ?? other
        }
    }

    /// Reads the values; nil without any.
    init?(_ values: [String], _ comparison: ListFilter.Comparison, _ column: Column) {
        guard !values.isEmpty else { return nil }
        isLower = comparison == .greater || comparison == .greaterOrEqual
        includesBound = comparison == .greaterOrEqual || comparison == .lessOrEqual
        var text: String?
        var timeText: String?
        for value in values {
            bool.take(value == "true" ? 1 : value == "false" ? 0 : nil, isLower: isLower)
            let given = JSONNumber(text: value)
            let whole = given == nil ? nil : Int64(value) ?? given.flatMap { JSON.number($0).intValue }
            number.take(given?.double, isLower: isLower)
            if let whole {
                integer.take(whole, isLower: isLower)
            } else {
                fraction.take(given?.double, isLower: isLower)
            }
            let instant = ColumnValue.time(value)
            if let instant {
                time.take(instant.microseconds, isLower: isLower)
            } else {
                timeText = stricter(timeText, value)
            }
            text = stricter(text, value)
        }
        if let text { texts = column.texts.map { accepts($0.comparedByCodePoint(with: text)) } }
        if let timeText { timeTexts = column.texts.map { accepts($0.comparedByCodePoint(with: timeText)) } }
    }

    private func stricter(_ text: String?, _ other: String) -> String {
        guard let text else { return other }
        return (text.comparedByCodePoint(with: other) < 0) == isLower ? other : text
    }

    private func accepts(_ result: Int) -> Bool { result == 0 ? includesBound : (result > 0) == isLower }

    /// Returns whether the member of a row is within all bounds.
    func holds(_ column: Column, _ place: Int) -> Bool {
        let word = column.words[place]
        switch column.kinds[place] {
        case .absent, .other, .gap: return false
        case .bool: return holds(word, bool)
        case .integer: return holds(word, integer) && holds(Double(word), fraction)
        case .number: return holds(Double(bitPattern: UInt64(bitPattern: word)), number)
        case .time: return holds(word, time) && (timeTexts.isEmpty || holds(timeTexts, column, place))
        case .text: return holds(texts, column, place)
        }
    }

    private func holds<Value: Comparable>(_ value: Value, _ bound: Bound<Value>) -> Bool {
        guard bound.isPossible else { return false }
        guard let limit = bound.value else { return true }
        return accepts(value == limit ? 0 : value < limit ? -1 : 1)
    }

    private func holds(_ texts: [Bool], _ column: Column, _ place: Int) -> Bool {
        let code = Int(column.codes[place])
        return code >= 0 && texts[code]
    }
}
