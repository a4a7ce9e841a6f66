import CivilTime
import JSON

/// The values of a condition that a member may equal, as each type of a member reads them.
struct EqualValues {
    private var hasNull = false
    private var bools: Set<Int64> = []
    private var integers: Set<Int64> = []
    /// Numbers that are no integers.
    private var fractions: Set<Double> = []
    /// All numbers.
    private var numbers: Set<Double> = []
    private var times: Set<Int64> = []
    /// For each different text of the column, whether it is among the values, and whether it is where times are compared
    /// by their text.
    private var texts: [Bool]
    private var timeTexts: [Bool]

    /// Reads the values; `isExact` compares them as they are written, as a part of a path is.
    init(_ values: [String], _ column: Column, isExact: Bool = false) {
        texts = [Bool](repeating: false, count: column.texts.count)
        timeTexts = texts
        for text in values {
            if text == "true" { bools.insert(1) }
            if text == "false" { bools.insert(0) }
            addNumber(text, isExact: isExact)
            let time = isExact ? nil : ColumnValue.time(text)
            if let time { times.insert(time.microseconds) }
            if text == "null", !isExact {
                hasNull = true
            } else if let code = column.code(of: text) {
                texts[Int(code)] = true
                // Times that are spelled differently are the same, but for a part of the path.
                if time == nil { timeTexts[Int(code)] = true }
            }
        }
    }

    private mutating func addNumber(_ text: String, isExact: Bool) {
        guard let number = JSONNumber(text: text) else { return }
        let whole = Int64(text) ?? JSON.number(number).intValue
        if let whole, !isExact || String(whole) == text {
            integers.insert(whole)
            if !isExact { numbers.insert(number.double) }
        } else {
            fractions.insert(number.double)
            numbers.insert(number.double)
        }
    }

    /// Returns whether the member of a row equals one of the values.
    func holds(_ column: Column, _ place: Int) -> Bool {
        let word = column.words[place]
        switch column.kinds[place] {
        case .absent: return hasNull
        case .bool: return bools.contains(word)
        case .integer: return integers.contains(word) || !fractions.isEmpty && fractions.contains(Double(word))
        case .number: return numbers.contains(Double(bitPattern: UInt64(bitPattern: word)))
        case .time: return times.contains(word) || holds(timeTexts, column, place)
        case .text: return holds(texts, column, place)
        case .other, .gap: return false
        }
    }

    private func holds(_ texts: [Bool], _ column: Column, _ place: Int) -> Bool {
        let code = Int(column.codes[place])
        return code >= 0 && texts[code]
    }
}
