/// A change of one member of the record: none, a value, or its removal.
///
/// ```swift
/// switch request.locationStatus {
/// case .leave: return "as it was"
/// case .set(let status): return status.rawValue
/// case .clear: return "never asked"
/// }
/// ```
public enum MemberChange<Value: Hashable & Sendable>: Hashable, Sendable {
    /// The member stays as it is, and is not sent.
    case leave
    /// The member gets a value.
    case set(Value)
    /// The member loses its value, and is sent as `null`.
    case clear
}
