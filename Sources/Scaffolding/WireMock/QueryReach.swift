/// The part that a regular expression for an address with its query may play in the query.
enum QueryReach {
    /// It fits no address with a query.
    case none
    /// Its end takes any query.
    case end
    /// It names the question mark.
    case asked
    /// It may take a query in a way that is not told here.
    case unclear

    init(_ pattern: String) {
        var scanner = Scanner(rest: pattern.unicodeScalars[...])
        scanner.run()
        if scanner.asks {
            self = .asked
        } else if !scanner.reaches {
            self = .none
        } else if scanner.endReaches {
            self = .end
        } else {
            self = scanner.isNested ? .unclear : .none
        }
    }

    private struct Scanner {
        var rest: Substring.UnicodeScalarView
        /// A question mark stands for itself.
        var asks = false
        /// Something takes a question mark among others.
        var reaches = false
        /// The last part does.
        var endReaches = false
        var isNested = false

        mutating func run() {
            while let scalar = rest.popFirst() {
                switch scalar {
                case "\\":
                    let escaped = rest.popFirst()
                    if escaped == "?" { asks = true }
                    take(escaped.map { Self.isNegated($0) } ?? false)
                case ".": take(true)
                case "[": take(classReaches())
                case "(", ")", "|":
                    isNested = true
                    endReaches = false
                    // What follows belongs to the group.
                    if scalar == "(", rest.first == "?" { rest.removeFirst() }
                case "{": rest = rest.drop { $0 != "}" }.dropFirst()
                case "*", "+", "?", "$", "^": break
                default: take(false)
                }
            }
        }

        private mutating func take(_ reachesHere: Bool) {
            reaches = reaches || reachesHere
            endReaches = reachesHere
        }

        private static func isNegated(_ letter: Unicode.Scalar) -> Bool { "DWS".unicodeScalars.contains(letter) }

        /// Reads a class whose bracket has been taken.
        private mutating func classReaches() -> Bool {
            let isNegated = rest.first == "^"
            if isNegated { rest.removeFirst() }
            var holds = false
            var last: Unicode.Scalar?
            while let scalar = rest.popFirst(), scalar != "]" {
                switch scalar {
                case "\\":
                    let escaped = rest.popFirst()
                    if escaped == "?" || escaped.map(Self.isNegated) == true { holds = true }
                    if escaped == "?", !isNegated { asks = true }
                    last = nil
                case "?":
                    holds = true
                    if !isNegated { asks = true }
                    last = scalar
                case "-":
                    if let first = last, let end = rest.first, end != "]", first.value <= 0x3F, end.value >= 0x3F {
                        holds = true
                    }
                    last = nil
                default: last = scalar
                }
            }
            return holds != isNegated
        }
    }
}
