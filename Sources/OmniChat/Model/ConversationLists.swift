import Emulation

/// Conversation lists as they were last written.
///
/// Clients poll the list, and it is a pure function of two tables and two switches: as long as none of them has
/// changed, the same bytes are the answer.
struct ConversationLists: Sendable {
    /// All that a list depends on beside its user.
    struct Basis: Sendable, Equatable {
        let conversations: UInt64
        let messages: UInt64
        let dates: OmniChatSettings.Dates
        let shapes: OmniChatSettings.Shapes

        init(_ state: OmniChatState) {
            conversations = state.conversations.version
            messages = state.messages.version
            dates = state.settings.dates
            shapes = state.settings.shapes
        }
    }

    /// Lists of more users are not kept.
    private static let capacity = 32

    private var lists: [String: (basis: Basis, bytes: [UInt8])] = [:]

    /// The list of a user, if nothing it depends on has changed.
    func bytes(of user: String, basis: Basis) -> [UInt8]? {
        guard let list = lists[user], list.basis == basis else { return nil }
        return list.bytes
    }

    mutating func keep(_ bytes: [UInt8], of user: String, basis: Basis) {
        if lists.count >= Self.capacity, lists[user] == nil { lists.removeAll() }
        lists[user] = (basis, bytes)
    }
}
