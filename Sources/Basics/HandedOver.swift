/// A value that threads pass to one another; one thread owns it at a time.
///
/// Unchecked: after passing it on, the former owner leaves it alone until it comes back, or both only read it.
package final class HandedOver<Value>: @unchecked Sendable {
    package var value: Value

    package init(_ value: Value) { self.value = value }
}
