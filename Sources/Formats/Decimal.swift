package import JSON

/// A number as its digits and a power of ten, so that 0.3 is three times 0.1.
///
/// A number with more digits than fit is kept as the nearest double.
package struct Decimal: Sendable {
    /// An exact value is `digits` times ten to `exponent`, its digits not ending in 0.
    fileprivate enum Form {
        case exact(digits: Int128, exponent: Int)
        case nearest(Double)
    }

    fileprivate let form: Form

    /// Returns nil for a value that is no number.
    package init?(_ value: JSON) {
        switch value {
        case .integer(let value): form = Self.exact(Int128(value), 0)
        case .number(let number): form = Self.parsed(number)
        default: return nil
        }
    }

    private static func exact(_ digits: Int128, _ exponent: Int) -> Form {
        guard digits != 0 else { return .exact(digits: 0, exponent: 0) }
        var digits = digits
        var exponent = exponent
        while digits % 10 == 0 {
            digits /= 10
            exponent += 1
        }
        return .exact(digits: digits, exponent: exponent)
    }

    private static func parsed(_ number: JSONNumber) -> Form {
        var digits: Int128 = 0
        var exponent = 0
        var isNegative = false
        var isFraction = false
        var bytes = Array(number.text.utf8)[...]
        while let byte = bytes.popFirst() {
            switch byte {
            case UInt8(ascii: "-"): isNegative = true
            case UInt8(ascii: "."): isFraction = true
            case UInt8(ascii: "e"), UInt8(ascii: "E"):
                guard let power = Int(String(decoding: bytes, as: UTF8.self)), power.magnitude < 1_000_000 else {
                    return digits == 0 ? .exact(digits: 0, exponent: 0) : .nearest(number.double)
                }
                return exact(isNegative ? -digits : digits, exponent + power)
            default:
                // 34 digits leave room for scaling.
                guard digits.magnitude < 10_000_000_000_000_000_000_000_000_000_000_000 else {
                    return .nearest(number.double)
                }
                digits = digits * 10 + Int128(byte - 0x30)
                if isFraction { exponent -= 1 }
            }
        }
        return exact(isNegative ? -digits : digits, exponent)
    }

    /// Tells whether the number has no fraction.
    package var isWhole: Bool {
        switch form {
        case .exact(_, let exponent): exponent >= 0
        case .nearest(let value): value.isFinite && value.rounded(.towardZero) == value
        }
    }

    /// Tells whether the number is a whole one of 64 bits.
    package var fitsInt64: Bool {
        switch form {
        case .exact(let digits, let exponent):
            guard exponent >= 0, let value = Self.raised(digits, by: exponent) else { return false }
            return Int64(exactly: value) != nil
        case .nearest: return false
        }
    }

    /// The nearest double.
    package var double: Double {
        switch form {
        case .exact(let digits, let exponent): Double("\(digits)e\(exponent)") ?? 0
        case .nearest(let value): value
        }
    }

    /// A text that equal numbers share, and no others.
    package var canonicalText: String {
        switch form {
        case .exact(let digits, let exponent): "\(digits)e\(exponent)"
        case .nearest(let value): "\(value)"
        }
    }

    /// Both numbers as multiples of one power of ten; nil if they have too many digits for that.
    private static func scaled(_ left: Decimal, _ right: Decimal) -> (left: Int128, right: Int128)? {
        guard case .exact(let first, let firstExponent) = left.form,
            case .exact(let second, let secondExponent) = right.form
        else { return nil }
        let exponent = min(firstExponent, secondExponent)
        guard let scaledFirst = raised(first, by: firstExponent - exponent),
            let scaledSecond = raised(second, by: secondExponent - exponent)
        else { return nil }
        return (scaledFirst, scaledSecond)
    }

    private static func raised(_ digits: Int128, by power: Int) -> Int128? {
        guard digits != 0 else { return 0 }
        guard power <= 38 else { return nil }
        var digits = digits
        for _ in 0..<power {
            let (product, overflow) = digits.multipliedReportingOverflow(by: 10)
            guard !overflow else { return nil }
            digits = product
        }
        return digits
    }

    /// Tells whether the number is a whole multiple of another, which is not 0.
    package func isMultiple(of step: Decimal) -> Bool {
        if let (value, step) = Self.scaled(self, step) { return step != 0 && value % step == 0 }
        let quotient = double / step.double
        return quotient.isFinite && quotient.rounded() == quotient
    }
}

extension Decimal {
    /// The number times a whole one; nil if it has too many digits.
    package func times(_ factor: Int128) -> Decimal? {
        guard case .exact(let digits, let exponent) = form else { return nil }
        let (product, overflow) = digits.multipliedReportingOverflow(by: factor)
        return overflow ? nil : Decimal(Self.exact(product, exponent))
    }

    /// Returns the number divided by one above 0, rounded up or down; nil if that has too many digits.
    package func quotient(by step: Decimal, isRoundedUp: Bool) -> Int128? {
        guard let (value, step) = Self.scaled(self, step), step > 0 else { return nil }
        let (quotient, rest) = value.quotientAndRemainder(dividingBy: step)
        if isRoundedUp { return rest > 0 ? quotient + 1 : quotient }
        return rest < 0 ? quotient - 1 : quotient
    }

    private init(_ form: Form) { self.form = form }

    /// The number as a JSON value.
    package var json: JSON {
        if fitsInt64, case .exact(let digits, let exponent) = form, let value = Self.raised(digits, by: exponent) {
            return .integer(Int64(clamping: value))
        }
        return JSONNumber(text: text).map(JSON.number) ?? .null
    }
}

extension Decimal: Comparable {
    /// Equality of values: 1 and 1.0 are the same.
    package static func == (left: Decimal, right: Decimal) -> Bool {
        if let (left, right) = scaled(left, right) { return left == right }
        return left.double == right.double
    }

    package static func < (left: Decimal, right: Decimal) -> Bool {
        if let (left, right) = scaled(left, right) { return left < right }
        return left.double < right.double
    }
}

extension Decimal: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int64) { self.init(Self.exact(Int128(value), 0)) }

    package static prefix func - (number: Decimal) -> Decimal {
        switch number.form {
        case .exact(let digits, let exponent): Decimal(.exact(digits: -digits, exponent: exponent))
        case .nearest(let value): Decimal(.nearest(-value))
        }
    }
}

extension Decimal {
    /// The number as people write it.
    package var text: String {
        switch form {
        case .exact(let digits, let exponent) where (0...18).contains(exponent):
            return "\(digits)" + String(repeating: "0", count: digits == 0 ? 0 : exponent)
        case .exact(let digits, let exponent) where (-18..<0).contains(exponent):
            let plain = "\(digits.magnitude)"
            let padded = String(repeating: "0", count: max(0, 1 - exponent - plain.utf8.count)) + plain
            let point = padded.index(padded.endIndex, offsetBy: exponent)
            return (digits < 0 ? "-" : "") + padded[..<point] + "." + padded[point...]
        case .exact(let digits, let exponent): return "\(digits)e\(exponent)"
        case .nearest(let value): return "\(value)"
        }
    }
}
