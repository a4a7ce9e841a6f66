package import JSON

/// The bytes that the content of a response may still take.
package struct TemplateBudget: Hashable, Sendable {
    private var left: Int

    package init(_ bytes: Int = Template.largestContent) { left = bytes }

    /// Creates the budget of content that shows a value: once, this takes nothing of it.
    package init(showing json: JSON) {
        var whole = TemplateBudget(.max)
        whole.spend(on: json)
        left = Template.largestContent + (.max - whole.left)
    }

    /// True when more was filled in than there was room for: the response can't be sent.
    package var isSpent: Bool { left < 0 }

    mutating func spend(_ bytes: Int) {
        if left >= 0 { left -= bytes }
    }

    /// Spends what a value takes at least, and looks at no more of it than fits.
    mutating func spend(on json: JSON) {
        guard left >= 0 else { return }
        switch json {
        case .null, .bool: left -= 4
        case .integer(let number): left -= Self.digits(number)
        case .number(let number): left -= number.text.utf8.count
        case .string(let text): left -= text.utf8.count
        case .array(let elements):
            left -= 1 + max(elements.count, 1)
            for element in elements {
                guard left >= 0 else { return }
                spend(on: element)
            }
        case .object(let object):
            left -= 2
            for member in object.members {
                guard left >= 0 else { return }
                left -= member.name.utf8.count + 3
                spend(on: member.value)
            }
        }
    }

    private static func digits(_ number: Int64) -> Int {
        var (count, rest) = (number < 0 ? 2 : 1, number / 10)
        while rest != 0 { (count, rest) = (count + 1, rest / 10) }
        return count
    }
}
