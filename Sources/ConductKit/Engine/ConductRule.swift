/// A rule: its declaration, and a machine that takes one exchange after the other, in the order of their begins.
///
/// A machine never looks ahead. When it takes an exchange, everything about those that began before is known.
package protocol ConductRule: Sendable {
    static var declaration: RuleDeclaration { get }

    init()

    /// Takes the next exchange.
    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext)
}
