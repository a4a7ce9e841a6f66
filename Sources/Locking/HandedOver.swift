/// A value that threads hand to one another: one has it at a time.
///
/// Unchecked: whoever hands it over leaves it alone until it comes back, or only reads what the other only reads.
package final class HandedOver<Value>: @unchecked Sendable {
    package var value: Value

    package init(_ value: Value) { self.value = value }
}
